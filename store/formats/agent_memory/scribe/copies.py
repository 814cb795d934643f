"""Memories that share an identifier: the first stays, or the newest, or one of all."""

from collections.abc import Sequence

from store.edits.refusals import NotPossibleError
from store.formats.agent_memory.schema import instant
from store.formats.agent_memory.scribe.held import Held
from store.formats.agent_memory.scribe.merging import unite
from store.formats.agent_memory.scribe.work import Work

FIRST, NEWEST, MERGE = "first", "newest", "merge"
WAYS = (FIRST, NEWEST, MERGE)
"""What can be done about copies; the first is what is done unasked."""


def make_one(work: Work, own: str, way: str) -> None:
    """Leave one memory of all that have an identifier."""
    group = [
        held
        for held in work.all_held()
        if str(held.thing.get("id")).casefold() == own.casefold()
    ]
    if way not in WAYS:
        raise NotPossibleError(f"Of copies there stays the {', the '.join(WAYS)}.")
    if len(group) > 1:
        _leave(work, group, way)


def _leave(work: Work, group: Sequence[Held], way: str) -> None:
    stays = max(group, key=_updated) if way == NEWEST else group[0]
    others = [held for held in group if held is not stays]
    if way == MERGE:
        unite(work, stays, others)
        work.touch_up(stays)
        return
    for held in others:
        work.file(held.path).take(held)


def _updated(held: Held) -> tuple[int, int, str]:
    told = instant(held.thing.get("updated_at"))
    return told.order if told else (0, 0, "")
