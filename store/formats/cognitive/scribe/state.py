"""_state.json: an access more, or all scores computed anew. Written only when asked."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from store.derive.decay import PINNED, strength, vigour
from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.files.json_document import DamagedJsonError, load_map
from store.files.json_members import Edit, Edits, Gone, Within, with_members
from store.files.markdown.job import Job, memories_of
from store.files.markdown.saying import said
from store.files.moments import moment_like
from store.findings import Json
from store.formats.cognitive.derived import number
from store.formats.cognitive.rebuilding import as_map
from store.formats.cognitive.vocabulary import id_key
from store.records.memory import Memory

STATE = "_state.json"
_DIGITS = 4
_VERSION = 1

_Entries = Mapping[str, Json]


def touch(job: Job, records: Sequence[Changeable]) -> str:
    """Note that memories were recalled: once more, and now."""
    memories = memories_of(records)
    for memory in memories:
        if memory.id is None:
            sentence = f"{memory.path} has no id, so its use cannot be noted."
            raise NotPossibleError(sentence)

    def accessed(entries: _Entries) -> Edits:
        return dict(_accessed(job, memory, entries) for memory in memories)

    _put(job, accessed)
    return said("touch", [memory.title for memory in memories])


def rebuild_state(job: Job) -> None:
    """Compute every score anew; what speaks of no memory goes, counts stay."""
    scores = {
        memory.id: round(memory.strength, _DIGITS)
        for memory in job.known.memories()
        if memory.id is not None and memory.strength is not None
    }

    def scored(entries: _Entries) -> Edits:
        return _scored(entries, scores)

    _put(job, scored)


def _accessed(job: Job, memory: Memory, entries: _Entries) -> tuple[str, Edit]:
    """A memory's entry with an access more."""
    identifier = memory.id or ""
    key = _spelt(entries).get(id_key(identifier), identifier)
    old = as_map(entries.get(key))
    last = old.get("last_accessed")
    count = int(number(old.get("access_count")) or 0) + 1
    new: dict[str, Edit] = {
        "access_count": count,
        "last_accessed": moment_like(last if isinstance(last, str) else None, job.now),
    }
    score = _score(memory, count, job.now)
    if score is not None:
        new["decay_score"] = score
    return key, Within(new)


def _scored(entries: _Entries, scores: Mapping[str, float]) -> Edits:
    spelt = _spelt(entries)
    edits: dict[str, Edit] = {}
    for identifier, score in scores.items():
        key = spelt.pop(id_key(identifier), None)
        if key is None:
            edits[identifier] = {"access_count": 0, "decay_score": score}
        elif as_map(entries[key]).get("decay_score") != score:
            edits[key] = Within({"decay_score": score})
    return {**edits, **dict.fromkeys(spelt.values(), Gone.GONE)}


def _put(job: Job, change: Callable[[_Entries], Edits]) -> None:
    """Change the entries of the state file; one is made where there is none."""

    def remade(raw: bytes | None) -> bytes | None:
        if raw is None:
            raw = _empty(moment_like(None, job.now))
        try:
            data = load_map(raw)
            entries = as_map(data.get("entries"))
            updated = data.get("updated")
            moment = moment_like(updated if isinstance(updated, str) else None, job.now)
            inner = Within(change(entries))
            return with_members(raw, {"updated": moment, "entries": inner})
        except DamagedJsonError:
            return None

    if not job.bench.derive(STATE, remade):
        raise NotPossibleError(f"{STATE} is damaged and cannot be changed.")


def _empty(moment: str) -> bytes:
    whole: dict[str, Json] = {"version": _VERSION, "updated": moment, "entries": {}}
    return f"{json.dumps(whole, indent=2)}\n".encode()


def _spelt(entries: Iterable[str]) -> dict[str, str]:
    """How each identifier is spelt in the file, by its key."""
    return {id_key(name): name for name in entries}


def _score(memory: Memory, count: int, now: int) -> float | None:
    """The score of a memory that is being recalled now."""
    if memory.pinned:
        return PINNED
    if not isinstance(memory.importance, float | int):
        return None
    lasting = vigour(memory.importance, count, memory.type, now)
    return round(strength(lasting, now), _DIGITS)
