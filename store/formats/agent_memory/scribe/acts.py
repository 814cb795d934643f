"""What each intent does to the files of a store."""

from collections.abc import Sequence
from functools import singledispatch

from store.edits.draft import Marking
from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError, UnknownKindError
from store.formats.agent_memory.scribe.draft import USUAL, Manner
from store.formats.agent_memory.scribe.exchange import as_lines, take_in
from store.formats.agent_memory.scribe.held import Held
from store.formats.agent_memory.scribe.making import create
from store.formats.agent_memory.scribe.mending import mend
from store.formats.agent_memory.scribe.merging import merge
from store.formats.agent_memory.scribe.possible import NO_LINKS, NO_TITLE
from store.formats.agent_memory.scribe.putting import (
    bring_back,
    put_away,
    what_is_due,
)
from store.formats.agent_memory.scribe.rewriting import rewrite, rewrite_line
from store.formats.agent_memory.scribe.setting import pin, recall, retag, set_field
from store.formats.agent_memory.scribe.whole import from_backup, index_anew
from store.formats.agent_memory.scribe.work import Work
from store.records import intents
from store.records.document import Document
from store.records.memory import Memory
from store.records.problem import Problem

LINES = "jsonl"
"""What making lines of the documents of version 1.0 is called."""

PINNED = "pinned"
"""What the mark is called that a pin leaves."""

IMPORT = "import"
"""What adding all memories of a document is called."""

Records = Sequence[Changeable]

_GRAVE = Manner(is_grave=True)
_UNSAVED = Manner(backs_up=False)


@singledispatch
def act(intent: object, work: Work, records: Records) -> Manner:
    """Do what an intent is about to the files of a work, in memory alone."""
    del work, records
    if isinstance(intent, intents.Rename):
        raise NotPossibleError(NO_TITLE)
    if isinstance(intent, intents.Relate):
        raise NotPossibleError(NO_LINKS)
    raise NotPossibleError("Memories of this format are not changed in that way.")


@act.register
def act_pin(intent: intents.Pin, work: Work, records: Records) -> Manner:
    """Say that memories matter, as near as the format has it, and mark them."""
    memories = held_of(work, records)
    pin(work, memories, pins=intent.pins)
    marks = (
        Marking(path=held.path, id=_own(held), name=PINNED, is_set=intent.pins)
        for held in memories
    )
    return Manner(marks=tuple(marks))


@act.register
def act_archive(intent: intents.Archive, work: Work, records: Records) -> Manner:
    """Put memories away or bring them back; without any, put away what is due."""
    if not records:
        return _put_away_what_is_due(work)
    if intent.archives:
        put_away(work, held_of(work, records))
    else:
        bring_back(work, held_of(work, records))
    return USUAL


@act.register
def act_delete(intent: intents.Delete, work: Work, records: Records) -> Manner:
    """Take memories out for good."""
    del intent
    for held in held_of(work, records):
        work.file(held.path).take(held)
    return _GRAVE


@act.register
def act_set(intent: intents.Set, work: Work, records: Records) -> Manner:
    """Give a field another value."""
    set_field(work, intent, held_of(work, records))
    return USUAL


@act.register
def act_retag(intent: intents.Retag, work: Work, records: Records) -> Manner:
    """Add tags and take tags away."""
    retag(work, intent, held_of(work, records))
    return USUAL


@act.register
def act_rewrite(intent: intents.Rewrite, work: Work, records: Records) -> Manner:
    """Put in place what an editor gave back."""
    record = records[0]
    if isinstance(record, Problem) and record.line is not None:
        rewrite_line(work, intent, record.path, record.line)
    else:
        rewrite(work, intent, held_of(work, records)[0])
    return USUAL


@act.register
def act_create(intent: intents.Create, work: Work, records: Records) -> Manner:
    """Put a new memory behind the last."""
    del records
    create(work, intent)
    return USUAL


@act.register
def act_merge(intent: intents.Merge, work: Work, records: Records) -> Manner:
    """Make one memory of several."""
    merge(work, intent, held_of(work, records))
    return _GRAVE


@act.register
def act_append(intent: intents.Append, work: Work, records: Records) -> Manner:
    """Take in a document of memories."""
    del records
    if intent.kind != IMPORT:
        sentence = f"Nothing is added as {intent.kind!r} here; make a new memory."
        raise UnknownKindError(sentence)
    count = take_in(work, intent.fields)
    return Manner(count=count, action=f"{IMPORT} {_counted(count)}")


@act.register
def act_rebuild(intent: intents.Rebuild, work: Work, records: Records) -> Manner:
    """Make the index anew, or lines of the documents of version 1.0."""
    del records
    if intent.name == "index":
        return index_anew(work)
    if intent.name == LINES:
        return as_lines(work)
    raise NotPossibleError(f"There is no {intent.name!r} to be made anew here.")


@act.register
def act_mend(intent: intents.Mend, work: Work, records: Records) -> Manner:
    """Mend what problems name."""
    return mend(work, intent, [one for one in records if isinstance(one, Problem)])


@act.register
def act_touch(intent: intents.Touch, work: Work, records: Records) -> Manner:
    """Note that memories were recalled."""
    del intent
    recall(work, held_of(work, records))
    return _UNSAVED


@act.register
def act_return(intent: intents.Return, work: Work, records: Records) -> Manner:
    """Put a backup back in its place."""
    del intent
    if len(records) != 1 or not isinstance(records[0], Document):
        raise NotPossibleError("It takes one backup to be put back.")
    return from_backup(work, records[0].path)


def _put_away_what_is_due(work: Work) -> Manner:
    due = what_is_due(work)
    put_away(work, due)
    verb = "is" if len(due) == 1 else "are"
    action = f"archive {_counted(len(due))} that {verb} due"
    return Manner(count=len(due), action=action)


def _counted(count: int) -> str:
    return f"{count} {'memory' if count == 1 else 'memories'}"


def _own(held: Held) -> str | None:
    own = held.thing.get("id")
    return own if isinstance(own, str) else None


def held_of(work: Work, records: Records) -> list[Held]:
    """Where the memories stand, each of them once."""
    found: list[Held] = []
    for record in records:
        if not isinstance(record, Memory):
            raise NotPossibleError("Only memories can be changed in that way.")
        held = work.find(record)
        if held not in found:
            found.append(held)
    if not found:
        raise NotPossibleError("It takes a memory to do that to.")
    return found
