"""What questions are answered from: findings, piece by piece, never a store at once."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Protocol

from store.errors import UnreadableError
from store.files.sqlite import Database, open_database
from store.findings import START, EventFound, Findings, Json, Mark, MeasureFound
from store.formats.kei.analyzer import event_of, event_rows
from store.formats.kei.layout import COPY, Role
from store.formats.kei.reach import Reach
from store.formats.kei.traces import session_of
from store.formats.port import Refused, Source

Row = dict[str, Json]
Rows = Iterator[Row]

_FIGURES = frozenset({Role.FIGURES, Role.TASKS, Role.MARKER})


class Asked(Protocol):
    """The store that is asked."""

    reach: Reach

    def scan(self) -> Iterator[Source | Refused]:
        """What there is."""
        ...

    def read(self, source: Source, since: Mark = START) -> Findings:
        """What one source says."""
        ...


def sources(store: Asked, *roles: str) -> list[Source]:
    """The sources with these roles, copies of theirs too."""
    found = (one for one in store.scan() if isinstance(one, Source))
    return [one for one in found if one.role.removesuffix(COPY) in roles]


def pieces(store: Asked, source: Source) -> Iterator[Findings]:
    """All that a source says, piece by piece."""
    piece = store.read(source)
    yield piece
    while piece.more:
        piece = store.read(source, piece.mark)
        yield piece


def traces(store: Asked) -> list[Source]:
    """The traces, in order of their sessions, copies behind their originals."""
    found = sources(store, Role.TRACE)
    return sorted(found, key=lambda one: (session_of(one.path), len(one.path)))


def events(store: Asked) -> Iterator[tuple[str, EventFound]]:
    """Every event and the path of its source.

    Traces tell them; the analyzer's database those of sessions that have no trace.
    """
    known: set[str] = set()
    for trace in traces(store):
        known.add(session_of(trace.path))
        for piece in pieces(store, trace):
            for event in piece.events:
                yield trace.path, event
    for path, event in stored_events(store):
        if event.session not in known:
            yield path, event


def measures(store: Asked, *kinds: str) -> Iterator[tuple[str, MeasureFound]]:
    """Every figure of these kinds, and the path of its source."""
    for source in sources(store, *_FIGURES):
        for piece in pieces(store, source):
            for measure in piece.measures:
                if measure.kind in kinds:
                    yield source.path, measure


def databases(store: Asked, role: Role) -> Iterator[tuple[str, Database]]:
    """The databases of a role that can be read, each closed before the next."""
    for source in sources(store, role):
        with suppress(UnreadableError):
            root, path = store.reach.of(source.path)
            with open_database(root, path) as database:
                yield source.path, database


def stored_events(store: Asked) -> Iterator[tuple[str, EventFound]]:
    """Events of the analyzer’s database, each once, and its path."""
    for path, database in databases(store, Role.DATABASE):
        seen: set[bytes] = set()
        for number, row in event_rows(database, 0, seen):
            yield path, event_of(number, row)
