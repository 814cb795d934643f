"""What the fields of a memory are called, and what may stand in them."""

import re
from typing import cast

from store.edits.refusals import NotPossibleError
from store.findings import Json, Value
from store.formats.agent_memory.layout import KINDS
from store.formats.agent_memory.schema import IMPORTANCES, Thing, faults
from store.formats.agent_memory.scribe.held import Held
from store.formats.agent_memory.scribe.work import Work

Path = tuple[str, ...]

_TASK = "task_metadata"
_NAMES: dict[str, Path] = {
    "body": ("content",),
    "text": ("content",),
    "created": ("created_at",),
    "updated": ("updated_at",),
    "accessed": ("accessed_at",),
    "uses": ("access_count",),
    "status": (_TASK, "status"),
    "completed_at": (_TASK, "completed_at"),
    "blockers": (_TASK, "blockers"),
    "outcome": (_TASK, "outcome"),
}
_USUAL: dict[Path, Json] = {
    ("tags",): [],
    ("importance",): IMPORTANCES[1],
    ("access_count",): 0,
    ("archived",): False,
}
"""What stands in a field that is taken away and has to be there."""

_NEEDED = frozenset(
    {"id", "type", "content", "created_at", "updated_at", "accessed_at"}
)
_LISTS = frozenset({("tags",), (_TASK, "blockers")})
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_YES, _NO = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})


def path_of(name: str) -> Path:
    """The keys that lead to a field, by its own name or the program's for it."""
    if name in {"title", "description"}:
        raise NotPossibleError(
            "A memory of this format has no title of its own; "
            "what is shown as one is how its text begins."
        )
    if name == "id":
        sentence = "Other programs know a memory by its `id`, so that stays as it is."
        raise NotPossibleError(sentence)
    return _NAMES.get(name) or tuple(name.split("."))


def without(path: Path) -> Json:
    """What stands in a field once it is taken away; None where it goes."""
    if path[0] in _NEEDED:
        raise NotPossibleError(f"A memory needs its `{path[0]}`.")
    return _USUAL.get(path)


def typed(path: Path, value: Value, old: Json) -> Json:
    """A value of the type that its field has, or that stood there before."""
    if path in _LISTS:
        given = value.split(",") if isinstance(value, str) else list(value)
        return [str(one).strip() for one in given if str(one).strip()]
    if not isinstance(value, str):
        return cast("Json", value)
    if path == ("archived",) or isinstance(old, bool):
        return _flag(path, value)
    if path == ("access_count",):
        return _count(value)
    if isinstance(old, int | float):
        return _number(value)
    return value


def check(work: Work, held: Held, before: Thing) -> None:
    """Tell what a change makes worse; what the format forbids is refused."""
    kind = held.kind if held.kind in KINDS else None
    old = {fault.code for fault in faults(before, kind)}
    for fault in faults(work.thing(held), kind):
        if fault.code in old or fault.code == "type-mismatch":
            continue
        if fault.code.startswith("bad-"):
            raise NotPossibleError(fault.message)
        work.warnings.append(fault.message)


def _flag(path: Path, value: str) -> bool:
    word = value.strip().lower()
    if word in _YES | _NO:
        return word in _YES
    raise NotPossibleError(f"`{path[-1]}` ought to be true or false.")


def _count(value: str) -> Json:
    if value.strip().isascii() and value.strip().isdigit():
        return int(value)
    raise NotPossibleError("`access_count` ought to be a number from 0.")


def _number(value: str) -> Json:
    """A number where it is one, else the text."""
    text = value.strip()
    if not _NUMBER.fullmatch(text):
        return value
    return float(text) if "." in text else int(text)
