"""Small stores on disk, and a catalogue to read them into."""

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import TypeVar

from store.answers.records import InFull
from store.catalogue import schema
from store.catalogue.reader import Page
from store.derive.conversations import USUAL
from store.discover import Found, beneath
from store.formats.register import FORMATS
from store.kinds import KINDS, Record
from store.kinds.conversations import Conversation
from store.kinds.edges import Edge, EdgeInFull
from store.kinds.memories import Memory, MemoryInFull
from store.kinds.messages import Message
from store.kinds.pages import Document, Episode
from store.kinds.problems import Problem
from store.library import Library
from store.records.answers import Link
from store.records.reports import Progress, StoreReport, SyncReport
from store.times import parse
from tests.store.formats.sample import SampleFormat

RecordT = TypeVar(
    "RecordT", Memory, Edge, Episode, Document, Problem, Conversation, Message
)

NOON = "2026-03-01T12:00:00+00:00"
"""When the stores were written, and the time that answers are about."""

_SECOND = 1_000_000_000
_CLOCK = count(1_772_366_400 * _SECOND, _SECOND)
"""Every file is a second younger than the one before."""


def micros(instant: str) -> int:
    """An instant in microseconds."""
    found = parse(instant).micros
    assert found is not None
    return found


def write(root: Path, path: str, text: str | bytes) -> Path:
    """Write a file, younger than every file before it."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    now = next(_CLOCK)
    os.utime(file, ns=(now, now))
    return file


def own_id(number: int) -> str:
    """The id of the memory with a number."""
    return f"{number:08x}-0000-4000-8000-000000000000"


def relation(
    target: int, direction: str, kind: str = "SOLVES", edge: str | None = None
) -> str:
    """One entry of a memory's relations."""
    more = f"    edge_id: {edge}\n" if edge else ""
    return (
        f"  - target: {own_id(target)}\n    type: {kind}\n"
        f"    direction: {direction}\n{more}"
    )


def memory(
    number: int, *relations: str, title: str = "", body: str = "", **fields: str
) -> str:
    """A memory of a cognitive store, whole and healthy."""
    head = {
        "id": own_id(number),
        "type": "fix",
        "title": f'"{title or f"Memory {number}"}"',
        "importance": "0.5",
        "created": NOON,
        "updated": NOON,
    } | fields
    lines = "".join(f"{key}: {value}\n" for key, value in head.items())
    listed = f"relations:\n{''.join(relations)}" if relations else ""
    return f"---\n{lines}{listed}---\n\n{body or f'Body {number}.'}\n"


def edge(number: int, start: int, end: int, kind: str = "SOLVES", **fields: str) -> str:
    """An edge file."""
    head = {
        "id": own_id(number),
        "type": kind,
        "from_id": own_id(start),
        "to_id": own_id(end),
        "created": NOON,
    } | fields
    lines = "".join(f"{key}: {value}\n" for key, value in head.items())
    return f"---\n{lines}---\n\nEdge {number}.\n"


def note(name: str, body: str = "A note.", kind: str = "project") -> str:
    """A memory of a notes store."""
    return f"---\nname: {name}\ndescription: About it\ntype: {kind}\n---\n\n{body}\n"


def cognitive(root: Path, memories: int = 3) -> Path:
    """A cognitive store of some memories without links."""
    (root / "episodes").mkdir(parents=True)
    for number in range(1, memories + 1):
        write(root, f"graph/fixes/memory-{number}.md", memory(number))
    return root


def linked(root: Path) -> Path:
    """A healthy cognitive store: memory 1 solves memory 2, on all three sides."""
    (root / "episodes").mkdir(parents=True)
    name = own_id(9)
    write(root, "graph/fixes/one.md", memory(1, relation(2, "outgoing", edge=name)))
    write(root, "graph/fixes/two.md", memory(2, relation(1, "incoming", edge=name)))
    write(root, "graph/edges/one--SOLVES--two-000009.md", edge(9, 1, 2))
    return root


def notes(root: Path, *names: str) -> Path:
    """A notes store whose index names every note."""
    for name in names:
        write(root, f"{name}.md", note(name))
    lines = "".join(f"- [{name}]({name}.md) — About it\n" for name in names)
    write(root, "MEMORY.md", lines)
    return root


def silent(_progress: Progress) -> None:
    """Report nothing."""


class Shelf:
    """Stores and their catalogue, which is reopened for every step."""

    def __init__(self, catalogue: Path, *places: Path) -> None:
        self.catalogue = catalogue
        self.places = list(places)
        self.given: list[Found] = []
        """Stores that their content does not show to be stores."""
        self.now = NOON
        self.gap = USUAL.gap

    def found(self) -> Sequence[Found]:
        """The stores at the places, by their content."""
        return [*beneath(self.places, FORMATS).stores, *self.given]

    def opened(self) -> Library:
        """The library; the caller closes it."""
        library = Library(self.catalogue, micros(self.now), self.gap)
        library.stores.choose(self.found())
        return library

    def sync(
        self,
        report: Callable[[Progress], None] = silent,
        again: Sequence[Path] = (),
    ) -> SyncReport:
        """Read changed files, and some paths even if unchanged."""
        with self.opened() as library:
            return library.sync(report, again=again)

    def page(self, kind: str, page: Page | None = None) -> list[Record]:
        """A page of a list."""
        with self.opened() as library:
            return list(library.lists.page(kind, page or Page()))

    def memories(self, page: Page | None = None) -> list[Memory]:
        return _all(Memory, self.page("memories", page))

    def edges(self, page: Page | None = None) -> list[Edge]:
        return _all(Edge, self.page("edges", page))

    def episodes(self) -> list[Episode]:
        return _all(Episode, self.page("episodes"))

    def documents(self) -> list[Document]:
        return _all(Document, self.page("documents"))

    def conversations(self) -> list[Conversation]:
        return _all(
            Conversation, self.page("conversations", Page(sort="first", reverse=True))
        )

    def messages(self) -> list[Message]:
        return _all(Message, self.page("messages", Page(sort="at", reverse=True)))

    def problems(self) -> list[Problem]:
        return _all(Problem, self.page("problems"))

    def stores(self) -> list[StoreReport]:
        with self.opened() as library:
            return list(library.lists.stores())

    def show(self, name: str) -> InFull:
        with self.opened() as library:
            return library.records.show(name)

    def row(self, name: str) -> InFull:
        """The list row of a record, by its name."""
        shown = self.show(name)
        return shown.edge if isinstance(shown, EdgeInFull) else shown

    def show_memory(self, name: str) -> MemoryInFull:
        shown = self.show(name)
        assert isinstance(shown, MemoryInFull)
        return shown

    def links(self, name: str) -> list[Link]:
        with self.opened() as library:
            return list(library.records.links(name))

    def memory(self, title: str) -> Memory:
        """The one memory that is called so."""
        (found,) = (one for one in self.memories() if one.title == title)
        return found

    def codes(self) -> list[str]:
        """The codes of all problems, sorted."""
        return sorted(problem.code for problem in self.problems())

    def everything(self) -> dict[str, list[str]]:
        """Everything in the catalogue, in a fixed order."""
        with self.opened() as library:
            return {
                kind: sorted(map(repr, library.lists.page(kind, Page())))
                for kind in KINDS
            }

    def rows(self) -> dict[str, int]:
        """How many rows each table has."""
        tables = (*schema.OF_STORE, "sources", "stores")
        address = f"{self.catalogue.as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            return {
                table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in tables
            }


class SampleShelf(Shelf):
    """A catalogue of one store in memory."""

    def __init__(self, catalogue: Path, place: Path) -> None:
        super().__init__(catalogue, place)
        self.pages: dict[str, bytes] = {}

    def found(self) -> Sequence[Found]:
        (place,) = self.places
        return [Found(place, SampleFormat({place: self.pages}))]


def _all(kind: type[RecordT], records: list[Record]) -> list[RecordT]:
    found = [record for record in records if isinstance(record, kind)]
    assert len(found) == len(records)
    return found
