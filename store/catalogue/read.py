"""Read sources into rows."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.catalogue.conversations import (
    Made,
    Whole,
    conversations_of,
    envelopes_of,
    times_of,
    without_repeated,
)
from store.catalogue.schema import TABLES
from store.catalogue.sources import UNREAD
from store.clean import clean, given_away, hides_text, order_in
from store.derive.conversations import USUAL
from store.errors import UnreadableError
from store.findings import (
    START,
    UNREADABLE,
    DocumentFound,
    EventFound,
    Findings,
    Flaw,
    Mark,
    MemoryFound,
    Replaced,
    Severity,
    not_read,
)
from store.formats.port import Format, OpenStore, Source
from store.kinds.journals import EVENTS
from store.kinds.memories import texts_of_documents, texts_of_memories
from store.kinds.messages import MESSAGES, envelopes, writes
from store.kinds.problems import TAIL, problem
from store.kinds.table import Origin, Row

# The findings of one source as rows; no side effects, as this runs in readers.

_ALONE = ("memories", "episodes", "documents")
"""The kinds of which a source often has a single record, which its flaws concern."""

_ALIKE = {
    name: table
    for name, table in TABLES.items()
    if table.found and name not in {"messages", "events"}
}
"""The tables that have a row for each finding, in the order of these."""


class SourceRows(Struct, frozen=True):
    """The rows of a source, or of one piece of it, by table."""

    tables: Mapping[str, list[Row]]
    """The tables with rows."""
    goes_on: bool
    """Whether they are appended to the rows from earlier pieces."""
    mark: Mark
    """Where to continue reading a growing source."""
    more: bool
    """Whether there is more to read now."""
    conversations: list[Made] | None
    """The conversations of a transcript read in one piece; None if built later."""
    replaced: Replaced | None = None
    """Which of the earlier rows they replace, if they were compared with them."""


def rows_of(
    store: bytes, source: Source, findings: Findings, since: Mark, gap: int
) -> SourceRows:
    """Turn the findings of a source, from a mark on, into rows."""
    origin = Origin(store, source.path, source.stamp.mtime_ns // 1000)
    tables = {
        name: table.rows(found, origin)
        for name, table in _ALIKE.items()
        if (found := getattr(findings, table.found))
    }
    goes_on = since != START and not findings.anew
    alone = [row for name in _ALONE for row in tables.get(name, ())]
    if "memories" in tables and "documents" in tables:
        alone = tables["documents"]
    messages, memories = findings.messages, findings.memories
    documents = findings.documents
    grows = goes_on or findings.more or findings.mark.offset
    subject = None if grows or messages else _only(alone)
    place = os.fsencode(source.path)
    problems = [problem(place, subject, flaw) for flaw in findings.flaws]
    if memories:
        tables["bodies"] = list(texts_of_memories(memories))
        problems += _suspicious(place, tables["memories"], memories)
    if documents:
        tables.setdefault("bodies", []).extend(texts_of_documents(documents))
        problems += _suspicious_pages(place, tables["documents"], documents)
        mentions = [one for document in documents for one in document.mentions]
        tables["mentions"] = TABLES["mentions"].rows(mentions, origin)
    tables["problems"] = problems
    if messages:
        said = sorted(messages, key=attrgetter("line"))
        tables["messages"] = MESSAGES.table.rows(said, origin)
        tables |= {"envelopes": envelopes(said), "writes": list(writes(said))}
    if findings.events:
        tables["events"] = list(_events(origin, findings.events))
    if findings.tail:
        tables["problems"].append(problem(place, None, findings.tail, TAIL))
    unread = any(flaw.code == UNREADABLE for flaw in findings.flaws)
    mark = Mark(UNREAD) if unread and not findings.more else findings.mark
    made = None
    if messages and not (goes_on or findings.more or findings.conversations):
        made = _talks(store, source.path, tables, gap)
    filled = {name: rows for name, rows in tables.items() if rows}
    return SourceRows(filled, goes_on, mark, findings.more, made, findings.replaced)


def _talks(
    store: bytes, path: str, tables: dict[str, list[Row]], gap: int
) -> list[Made]:
    """The conversations of a transcript that was read in one piece."""
    tables["messages"] = without_repeated(tables["messages"])
    messages = tables["messages"]
    whole = Whole(
        times_of(messages),
        messages,
        tables.get("sessions", ()),
        [row for row in tables["writes"] if not row[-1]],
        envelopes_of(tables["envelopes"]),
    )
    return conversations_of(store, path, whole, gap)


def _events(origin: Origin, events: tuple[EventFound, ...]) -> Iterator[Row]:
    """The rows of events; those on the same line are numbered."""
    of_lines = groupby(events, attrgetter("line"))
    numbered = [pair for _, events in of_lines for pair in enumerate(events)]
    for number, pairs in groupby(numbered, itemgetter(0)):
        found = [event for _, event in pairs]
        yield from EVENTS.table.rows(found, replace(origin, number=number))


def _only(rows: list[Row]) -> str | None:
    """The ref of the only record in a source, which then has the source's flaws."""
    return str(rows[0][0]) if len(rows) == 1 else None


# Content that no memory should have.

_HIDDEN = Flaw(
    code="hidden-text",
    message="Contains invisible characters; they are marked here.",
    severity=Severity.NOTE,
)


def _suspicious(
    place: bytes, rows: list[Row], memories: Iterable[MemoryFound]
) -> Iterator[Row]:
    """The problems of memories with hidden text, orders or secrets.

    Text in an agent's memory that people do not see is suspicious, and so is text that
    tells the agent to disobey them. A secret is available to every agent that reads the
    memory.
    """
    for row, found in zip(rows, memories, strict=True):
        texts = (found.title, found.description or "", found.body)
        whole = "\n".join(texts)
        if hides_text(whole):
            yield problem(place, str(row[0]), _HIDDEN)
        if any(order_in(whole)) and (flaw := _order(texts)):
            yield problem(place, str(row[0]), flaw)
        if given_away(whole):
            for kind in sorted({kind for text in texts if (kind := given_away(text))}):
                yield problem(place, str(row[0]), _secret(kind))


def _suspicious_pages(
    place: bytes, rows: list[Row], pages: Iterable[DocumentFound]
) -> Iterator[Row]:
    """The problems of summaries and indexes that give orders; agents load them."""
    for row, found in zip(rows, pages, strict=True):
        if flaw := _order((found.text,)):
            yield problem(place, str(row[0]), flaw)


_SHOWN = 60
"""The most characters of an order in a message."""


def _order(texts: Iterable[str]) -> Flaw | None:
    """The flaw of texts that give orders to the agent."""
    does, words = next(filter(any, map(order_in, texts)), ("", ""))
    if not does:
        return None
    said = clean(words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1]}…")
    message = f"Text that {does}: “{said}”; an agent may obey it."
    return Flaw(code="instruction-text", message=message)


def _secret(kind: str) -> Flaw:
    """The flaw for a secret; its message does not contain the secret."""
    return Flaw(
        code="secret",
        message=f"May contain {kind}, which every agent can read.",
        severity=Severity.WARNING,
    )


# Read sources into rows; uses no database, so that it can run in other processes.


class Batch(Struct, frozen=True):
    """Sources of one store that are read together."""

    store: int
    path: Path
    format: Format
    sources: tuple[tuple[Source, Mark], ...]
    """Each source, with the mark from which to read."""
    gap: int = USUAL.gap
    """The gap between conversations in microseconds."""

    @property
    def size(self) -> int:
        """The most bytes that it can take to read."""
        return sum(source.stamp.size - mark.offset for source, mark in self.sources)


ReadBatch = list[tuple[Source, SourceRows]]


def read_batch(batch: Batch, opened: OpenStore | None = None) -> ReadBatch:
    """Read the sources of a batch, of a store that may be open already."""
    place = os.fsencode(batch.path)
    try:
        with nullcontext(opened) if opened else batch.format.open(batch.path) as store:
            return [
                (source, rows_of(place, source, found, since, batch.gap))
                for source, since in batch.sources
                for found in [_read(store, source, since)]
            ]
    except UnreadableError as error:
        return unread(batch, error)


def unread(batch: Batch, error: UnreadableError) -> ReadBatch:
    """The result for a batch of which nothing could be read."""
    place, found = os.fsencode(batch.path), Findings(flaws=(not_read(error),))
    return [
        (source, rows_of(place, source, found, START, batch.gap))
        for source, _ in batch.sources
    ]


class Queue:
    """Batches to read; the rest of a source read in part comes next."""

    def __init__(self, batches: Iterable[Batch]) -> None:
        self._first: deque[Batch] = deque()
        self._batches = iter(batches)

    def take(self) -> Batch | None:
        """The next batch, if there is one."""
        return self._first.popleft() if self._first else next(self._batches, None)

    def put_first(self, batch: Batch) -> None:
        """Add a batch to be read before all others."""
        self._first.appendleft(batch)

    def rest(self) -> Iterator[Batch]:
        """The remaining batches, including those added meanwhile."""
        while batch := self.take():
            yield batch


def read_here(queue: Queue) -> Iterator[tuple[Batch, ReadBatch]]:
    """Read batches in order, in this process."""
    return ((batch, read_batch(batch)) for batch in queue.rest())


def _read(store: OpenStore, source: Source, since: Mark) -> Findings:
    """Read one source; if it vanished or is unreadable, that is reported as a flaw."""
    try:
        return store.read(source, since)
    except UnreadableError as error:
        return Findings(flaws=(not_read(error),))
