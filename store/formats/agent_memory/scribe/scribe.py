"""Says what a change would write into a store of this format."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from store.clean import clean
from store.edits.draft import Draft, Marking
from store.edits.port import Changeable, Form, Known
from store.edits.refusals import NotPossibleError
from store.files.markdown.saying import counted
from store.files.rooted import Rooted
from store.formats.agent_memory.scribe.acts import PINNED, act, held_of
from store.formats.agent_memory.scribe.draft import USUAL, drafted
from store.formats.agent_memory.scribe.moving import move
from store.formats.agent_memory.scribe.possible import possible
from store.formats.agent_memory.scribe.rewriting import form_of, form_of_line
from store.formats.agent_memory.scribe.work import Work
from store.records.document import Document
from store.records.intents import (
    Archive,
    Create,
    Intent,
    Merge,
    Move,
    Pin,
    Rebuild,
    Set,
)
from store.records.memory import Memory
from store.records.problem import Problem

_LONGEST = 60


class AgentMemoryScribe(Rooted):
    """Reads the files of one store, and writes nothing."""

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """What can be done with a record, or with the store itself."""
        return possible(record)

    def form(self, record: Changeable) -> Form:
        """A memory as readable JSON, a damaged line as it stands."""
        work = Work(self._root, 0)
        if isinstance(record, Memory):
            return form_of(work, work.find(record))
        if isinstance(record, Problem) and record.line is not None:
            return form_of_line(work, record.path, record.line)
        raise NotPossibleError("There is nothing about it that could be edited.")

    def draft(
        self, intent: Intent, records: Sequence[Changeable], known: Known, now: int
    ) -> Draft:
        """What the change would do to the store's files, read from them this moment."""
        del known
        work = Work(self._root, now)
        action = _action(intent, records)
        if not isinstance(intent, Move):
            return drafted(action, work, act(intent, work, records))
        there = move(work, intent, held_of(work, records))
        here = drafted(action, work, USUAL)
        marks = tuple(_marks(intent, records))
        return replace(here, steps=(*there, *here.steps), marks=marks)


def _marks(intent: Move, records: Sequence[Changeable]) -> Iterator[Marking]:
    """What is pinned stays so where it goes."""
    for record in records:
        if isinstance(record, Memory) and record.pinned:
            mark = Marking(path=record.path, id=record.id, name=PINNED, is_set=True)
            yield replace(mark, root=Path(intent.to))
            if not intent.keeps:
                yield mark.reversed


def _action(intent: Intent, records: Sequence[Changeable]) -> str:
    """What a change is, as a person says it."""
    word = _word(intent)
    match intent:
        case Rebuild():
            return f"{word} {intent.name}"
        case Create():
            return f"{word} “{_short(intent.title)}”"
        case Set():
            return f"{word} {_named(records)}: {intent.names}"
        case Move():
            return f"{word} {_named(records)} to {clean(intent.to)}"
        case Merge() if len(records) > 1:
            others = counted(len(records) - 1, "other memory", "other memories")
            return f"{word} {others} into {_named(records[:1])}"
        case _:
            return f"{word} {_named(records)}" if records else word


def _word(intent: Intent) -> str:
    """The command that a person gives for it."""
    if isinstance(intent, Pin) and not intent.pins:
        return "unpin"
    if isinstance(intent, Archive) and not intent.archives:
        return "restore"
    if isinstance(intent, Move) and intent.keeps:
        return "copy"
    return intent.word


def _named(records: Sequence[Changeable]) -> str:
    """What it is about: one by its title, more by their number."""
    if len(records) == 1:
        return f"“{_short(_title(records[0]))}”"
    return f"{len(records)} records"


def _title(record: Changeable) -> str:
    if isinstance(record, Memory | Document):
        return record.title
    return record.code if isinstance(record, Problem) else record.ref


def _short(text: str) -> str:
    line = clean(text).partition("\n")[0]
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
