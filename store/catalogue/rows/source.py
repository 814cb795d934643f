"""Findings of one source as rows, ready to be written; pure, to be run apart."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from store.catalogue.conversations.gather import times_of
from store.catalogue.conversations.made import (
    Made,
    Whole,
    conversations_of,
    without_repeated,
)
from store.catalogue.rows import bodies, flaws, journals, memories, pages, transcripts
from store.catalogue.rows.cells import Row, path_bytes
from store.findings import START, UNREADABLE, EventFound, Findings, Mark
from store.formats.port import Source

COLUMNS = {
    **memories.COLUMNS,
    **bodies.COLUMNS,
    **pages.COLUMNS,
    **transcripts.COLUMNS,
    **journals.COLUMNS,
    **flaws.COLUMNS,
}
"""The columns of each table that a source fills, beside its store and itself."""

UNREAD = -1
"""In place of an offset: the source could not be read, and is tried again as soon as
anything about its store changes, be it only a permission."""


class SourceRows(Struct, frozen=True):
    """The rows of one source, or of one piece of it, by table."""

    tables: Mapping[str, list[Row]]
    """Those that hold something."""
    goes_on: bool
    """Whether these come after what was read before, which stays."""
    mark: Mark
    """Where reading may go on, in a source that grows."""
    more: bool
    """Whether there is more to be read right now."""
    conversations: list[Made] | None
    """Those of a transcript that was read whole; None where they are made later."""


def rows_of(
    store: bytes, source: Source, findings: Findings, since: Mark, gap: int
) -> SourceRows:
    """Turn what was found in a source, from a mark on, into rows."""
    path = source.path
    found_memories = [memories.memory(store, source, m) for m in findings.memories]
    episodes = [pages.episode(store, path, found) for found in findings.episodes]
    documents = [pages.document(store, path, found) for found in findings.documents]
    messages = transcripts.messages(store, path, findings)
    goes_on = since != START and not findings.anew
    alone = [*found_memories, *episodes, *documents]
    grows = goes_on or findings.more or findings.mark.offset
    subject = None if grows or messages else _only(alone)
    place = path_bytes(path)
    tables: dict[str, list[Row]] = {
        "memories": found_memories,
        "bodies": [
            *bodies.of_memories(findings.memories),
            *bodies.of_documents(findings.documents),
        ],
        "claims": [memories.claim(claim) for claim in findings.claims],
        "episodes": episodes,
        "documents": documents,
        "mentions": pages.mentions(findings.documents),
        "accesses": [memories.access(found) for found in findings.accesses],
        "index_entries": [memories.index_entry(entry) for entry in findings.index],
        "messages": messages,
        "writes": list(transcripts.writes(findings.messages)),
        "sessions": [transcripts.session(found) for found in findings.sessions],
        "listed": [
            transcripts.conversation(store, path, found)
            for found in findings.conversations
        ],
        "events": list(_events(store, path, findings.events)),
        "measures": [journals.measure(store, path, m) for m in findings.measures],
        "agents": [journals.agent(store, path, found) for found in findings.agents],
        "problems": [
            *(flaws.problem(place, subject, flaw) for flaw in findings.flaws),
            *flaws.suspicious(place, found_memories, findings.memories),
        ],
    }
    if findings.tail:
        tables["problems"].append(flaws.problem(place, None, findings.tail, flaws.TAIL))
    unread = any(flaw.code == UNREADABLE for flaw in findings.flaws)
    mark = Mark(UNREAD) if unread else findings.mark
    made = None
    if messages and not (goes_on or findings.more or findings.conversations):
        made = _talks(store, path, tables, gap)
    filled = {name: rows for name, rows in tables.items() if rows}
    return SourceRows(filled, goes_on, mark, findings.more, made)


def _talks(
    store: bytes, path: str, tables: dict[str, list[Row]], gap: int
) -> list[Made]:
    """The conversations of a transcript that was read whole."""
    tables["messages"] = without_repeated(tables["messages"])
    messages = tables["messages"]
    whole = Whole(times_of(messages), messages, tables["sessions"], tables["writes"])
    return conversations_of(store, path, whole, gap)


def _events(store: bytes, path: str, events: tuple[EventFound, ...]) -> Iterator[Row]:
    """Events, those of one line told apart by their number."""
    line, number = -1, 0
    for found in events:
        number = number + 1 if found.line == line else 0
        line = found.line
        yield journals.event(store, path, number, found)


def _only(rows: list[Row]) -> str | None:
    """The ref of the one record that a source holds; flaws of the source concern it."""
    return str(rows[0][0]) if len(rows) == 1 else None
