"""Putting memories away, and bringing them back."""

from collections.abc import Sequence
from datetime import UTC, datetime

from store.edits.refusals import NotPossibleError
from store.formats.agent_memory.due import due
from store.formats.agent_memory.layout import (
    ARCHIVE,
    KINDS,
    STEM_OF,
    Role,
    is_archive,
    role_of,
)
from store.formats.agent_memory.scribe.held import Held
from store.formats.agent_memory.scribe.indexing import taken_now
from store.formats.agent_memory.scribe.work import Work

_MONTHS = 3


def put_away(work: Work, memories: Sequence[Held]) -> None:
    """Move memories to the archive of this quarter; those of version 1.0 are flagged.

    A line goes as it is; its flag is set where it has one, and it is never given one,
    so that what comes back is what was put away, byte for byte.
    """
    for held in memories:
        if is_archive(held.path):
            continue
        if role_of(held.path) is Role.AGENT:
            work.set(held, ("archived",), True)  # noqa: FBT003 - a value of JSON
            continue
        _flag(work, held, archived=True)
        kind = kind_of_memory(held)
        raw = work.file(held.path).take(held)
        work.add(archive_file(kind, work.now), kind, raw)


def bring_back(work: Work, memories: Sequence[Held]) -> None:
    """Move memories out of the archive, to the end of the file for their kind."""
    for held in memories:
        _flag(work, held, archived=False)
        if is_archive(held.path):
            kind = kind_of_memory(held)
            raw = work.file(held.path).take(held)
            work.add(work.live_file(kind), kind, raw)


def what_is_due(work: Work) -> list[Held]:
    """The memories that may be put away by rule, wherever they stand."""
    found = due(taken_now(work), work.now)
    places = {
        (one.kept.path, one.kept.memory.line, one.kept.memory.id) for one in found
    }
    return [
        held
        for path in dict.fromkeys(one.kept.path for one in found)
        for held in work.file(path).held()
        if (path, held.line, held.thing.get("id")) in places
    ]


def archive_file(kind: str, now: int) -> str:
    """The file that takes what is put away in this quarter of the year."""
    moment = datetime.fromtimestamp(now // 1_000_000, UTC)
    quarter = (moment.month - 1) // _MONTHS + 1
    name = f"{STEM_OF[kind]}_{moment.year:04d}_Q{quarter}.jsonl"
    return f"{ARCHIVE}/{moment.year:04d}/{name}"


def kind_of_memory(held: Held) -> str:
    """The kind whose file a memory belongs to: that of its file, else its own."""
    told = held.kind or held.thing.get("type")
    if told in KINDS:
        return str(told)
    sentence = f"Line {held.line} of {held.path} does not say what kind it is."
    raise NotPossibleError(sentence)


def _flag(work: Work, held: Held, *, archived: bool) -> None:
    if held.thing.get("archived") is not None:
        work.set(held, ("archived",), archived)
