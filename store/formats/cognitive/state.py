"""_state.json: how often each memory was recalled, and when last."""

from store.files.beneath import Blob
from store.findings import AccessFound, DocumentFound, Findings
from store.formats.cognitive.derived import Derived, Json, number, scalar
from store.formats.cognitive.vocabulary import id_key
from store.times import Instant, parse


def read_state(path: str, blob: Blob) -> Findings:
    """What the state file says of each memory, and of itself."""
    derived = Derived(blob)
    if derived.data is None:
        return Findings(flaws=tuple(derived.flaws))
    derived.check_version({"1"})
    accesses = [_access(name, e, derived) for name, e in derived.entries("entries")]
    told = {key: scalar(derived.data.get(key)) for key in ("version", "updated")}
    facts = {**told, "entries": str(len(accesses))}
    document = DocumentFound(
        title=path,
        role="document",
        text="",
        facts={key: fact for key, fact in facts.items() if fact is not None},
    )
    return Findings(
        documents=(document,), accesses=tuple(accesses), flaws=tuple(derived.flaws)
    )


def _access(name: str, entry: Json, derived: Derived) -> AccessFound:
    return AccessFound(
        key=id_key(name),
        count=_count(name, entry.get("access_count"), derived),
        last=_last(name, entry.get("last_accessed"), derived),
        score=_score(name, entry.get("decay_score"), derived),
    )


def _count(name: str, value: object, derived: Derived) -> int:
    if value is None:
        return 0
    count = number(value)
    if count is None or count < 0 or not count.is_integer():
        derived.flaw("bad-count", f"The access count of {name:.80} is no number.")
        return 0
    return value if isinstance(value, int) else int(count)


def _last(name: str, value: object, derived: Derived) -> Instant | None:
    if value is None or (isinstance(value, str) and not value):
        return None
    told = value if isinstance(value, str) else number(value)
    last = None if told is None else parse(told)
    if last is None or last.micros is None:
        derived.flaw("bad-time", f"The last access of {name:.80} tells no time.")
        return None
    return last


def _score(name: str, value: object, derived: Derived) -> float | None:
    if value is None:
        return None
    score = number(value)
    if score is None:
        derived.flaw("bad-score", f"The decay score of {name:.80} is no number.")
    return score
