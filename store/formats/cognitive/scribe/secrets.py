"""_config.json changed without its key ever being seen."""

from collections.abc import Mapping, Sequence

from store.edits.refusals import NotPossibleError
from store.errors import RecollectError
from store.files.json_document import DamagedJsonError, load_map
from store.files.json_members import Edit, Within, with_members
from store.files.markdown.job import Job
from store.findings import Json, Value
from store.formats.cognitive.config import HIDDEN, is_secret
from store.formats.cognitive.ignore import CONFIG
from store.records.intents import Set

_PROVIDERS = ("ollama", "openai")
_KNOWN = ("embedding_provider", "openai_api_key", "ollama_model", "openai_model")


def set_setting(job: Job, intent: Set) -> str:
    """Give some of the store's own settings other values."""
    edits = {name: _value(name, value) for name, value in intent.values.items()}
    before = job.bench.read(CONFIG)
    data = _settings(before)
    for name in edits:
        if name not in data and name not in _KNOWN:
            raise NotPossibleError(f"{CONFIG} has no setting {name!r}.")
    job.bench.write(CONFIG, with_members(before, edits))
    job.bench.mask(CONFIG, masked)
    for name, value in edits.items():
        _warn(job, name, data.get(name), value)
    return f"set {CONFIG}: {intent.names}"


def _warn(job: Job, name: str, old: Json, new: str | None) -> None:
    """Tell what comes of a setting's new value."""
    if is_secret(name, new or old):
        job.warn(f"`{name}` gets another value; neither is shown.")
    if name == "embedding_provider" and (old or _PROVIDERS[0]) != new:
        job.warn(
            "Vectors of the two providers differ in length: all of them have to be"
            " made anew before they can be compared."
        )


def masked(raw: bytes) -> bytes:
    """The settings as they may be seen; nothing of them where they are damaged."""
    try:
        data = load_map(raw)
        return with_members(raw, dict(_hidden(data)))
    except RecollectError:
        return b"(damaged, and not shown)\n"


def unmasked(before: bytes, edited: bytes) -> bytes:
    """What an editor gave back, with what it was not shown."""
    old, new = _settings(before), _settings(edited)
    return with_members(edited, dict(_restored(old, new)))


def _hidden(data: Mapping[str, Json]) -> Sequence[tuple[str, Edit]]:
    edits: list[tuple[str, Edit]] = []
    for key, value in data.items():
        if is_secret(key, value):
            edits.append((key, HIDDEN))
        elif isinstance(value, dict):
            edits.append((key, Within(dict(_hidden(value)))))
    return edits


def _restored(
    old: Mapping[str, Json], new: Mapping[str, Json]
) -> Sequence[tuple[str, Edit]]:
    edits: list[tuple[str, Edit]] = []
    for key, value in new.items():
        known = old.get(key)
        if value == HIDDEN and is_secret(key, known):
            edits.append((key, known))
        elif isinstance(value, dict) and isinstance(known, dict):
            edits.append((key, Within(dict(_restored(known, value)))))
    return edits


def _settings(raw: bytes) -> dict[str, Json]:
    try:
        return load_map(raw)
    except DamagedJsonError as error:
        sentence = f"{CONFIG} is damaged and cannot be changed. {error}"
        raise NotPossibleError(sentence) from error


def _value(name: str, value: Value | None) -> str | None:
    if value is not None and not isinstance(value, str):
        raise NotPossibleError(f"`{name}` is one piece of text.")
    if name == "embedding_provider" and value not in _PROVIDERS:
        raise NotPossibleError(f"`{name}` is {' or '.join(_PROVIDERS)}.")
    return value
