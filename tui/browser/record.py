"""An open record: its text, links, history, mentions."""

import shlex
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath

from msgspec import Struct, field

from store.answers.records import InFull
from store.errors import GivenUpError, RecollectError
from store.kinds.conversations import Conversation
from store.kinds.edges import Edge
from store.kinds.memories import Memory, MemoryInFull
from store.kinds.messages import Message
from store.kinds.pages import Document, DocumentInFull, Episode
from store.library import Library, Page, Record
from store.machine import Machine
from store.records.answers import Blame, Hit, Link, Version
from store.search.parse import parse
from store.search.tree import All, Named, Start
from store.settings import Semantic
from store.text import regex
from tui.output.record import text_of
from tui.output.reports import title
from tui.output.text import to_the_minute
from widgets.graph import Arrow, Graph, Node, Sighting, of_link
from widgets.text import Target

# The history of a record's file: versions, and the author of each line.

_WRITTEN = (Memory, Document, Episode, Edge)
"""Kinds of records in files that are written line by line."""


class History(Struct, frozen=True):
    """The known history of a file."""

    versions: Sequence[Version] = ()
    """Its changes, newest first."""
    blame: Blame | None = None
    """Its lines with authors; None if they are not known."""
    notices: Sequence[str] = ()
    """Why more is not known."""


def has_history(record: Record) -> bool:
    """Whether a record's file can have a history."""
    return isinstance(record, _WRITTEN) and bool(record.path)


def history(library: Library, record: Record) -> History:
    """The versions and authors from the library; the reason if that fails."""
    notices: list[str] = []
    try:
        return History(
            *library.history.traced(record.ref or "", notices.append), notices
        )
    except GivenUpError:
        raise
    except RecollectError as error:
        return History(notices=[*notices, str(error)])


# An open record: its text, links and raw bytes.

READ, LINKS, SEEN = "read", Graph.TAB, "related"
FACTS, RAW = "facts", "raw"
HISTORY, BLAME = "history", "blame"
"""The tabs of a record."""

VERSION = "version"
"""The kind of target for a version, given by its number."""


class Ends(Struct, frozen=True):
    """Details of links."""

    types: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    """The types of linked memories, by ref."""
    edges: Mapping[str, Edge] = field(default_factory=dict[str, Edge])
    """The edges, by ref."""


class Opened(Struct, frozen=True):
    """Everything that the reader shows of a record."""

    record: Record
    """The record as listed."""
    full: InFull | None = None
    """The record with its text; None if it cannot be opened by itself."""
    links: Sequence[Link] = ()
    """Links from and to it."""
    ends: Ends = Ends()
    """Details of the links."""
    raw: bytes | None = None
    """Its raw bytes."""
    history: History | None = None
    """The history of its file, once loaded."""
    seen: Sequence[Sighting] | None = None
    """Mentions and similar memories, once loaded."""
    possible: Mapping[str, str] = field(default_factory=dict[str, str])
    """The actions that it supports, each with the reason why it is not possible now."""
    tells: MemoryInFull | None = None
    """The whole memory that a log entry is about."""
    doubt: str = ""
    """Why it may have been different at the time that is shown."""
    failure: str = ""
    """The error of opening it."""

    @property
    def key(self) -> Hashable:
        """Identifies the record."""
        return self.record.ref or (self.record.store, str(self.record))


def open_record(library: Library, record: Record) -> Opened:
    """Open a record; on failure, the result holds the error."""
    if not record.ref:
        return Opened(record)
    try:
        full = _whole(library, record)
        links = tuple(library.records.links(record.ref))
        return Opened(
            record,
            full,
            links,
            ends_of(library, links),
            library.records.raw(record.ref),
            possible=library.plans.possible(record.ref),
            tells=_told_of(library, record),
            doubt=library.records.doubt(record.ref),
        )
    except GivenUpError:
        raise
    except RecollectError as error:
        return Opened(record, failure=str(error))


def ends_of(library: Library, links: Sequence[Link]) -> Ends:
    """The details of links."""
    return Ends(
        library.lists.types([link.ref for link in links if link.ref]),
        library.lists.edges([link.edge for link in links if link.edge]),
    )


def _told_of(library: Library, record: Record) -> MemoryInFull | None:
    """The memory that a log entry is about; None if it cannot be read."""
    if not isinstance(record, Episode) or record.memory is None:
        return None
    try:
        memory = library.records.show(record.memory)
    except GivenUpError:
        raise
    except RecollectError:
        return None
    return memory if isinstance(memory, MemoryInFull) else None


def _whole(library: Library, record: Record) -> InFull:
    """The whole record, but without messages of a conversation, which load later."""
    if isinstance(record, Conversation):
        return library.conversations.about(record)
    return library.records.show(record.ref or "")


# Targets of links in a text: records and addresses.

_KINDS = {
    "memory": "memories",
    "edge": "edges",
    "episode": "episodes",
    "conversation": "conversations",
    "message": "messages",
    "event": "events",
    "measure": "measures",
    "agent": "agents",
    "document": "documents",
}
"""The kind of record for each prefix of a ref."""


_ADDRESS = regex(r"(?i:[a-z][a-z0-9+.-]*://|mailto:)[!-~\u00a1-\uffff]+")


def kind_of(ref: str) -> str:
    """The kind of record for a ref."""
    return _KINDS.get(ref.partition(":")[0], "memories")


def is_address(target: Target) -> bool:
    """Whether a link is a web or mail address, which is copied and never opened."""
    return bool(_ADDRESS.fullmatch(target.text)) and target.text.isprintable()


def leads_to(library: Library, opened: Opened | None, target: Target) -> str | None:
    """The ref of the record that a link points to, if any."""
    if target.kind == "ref":
        return target.text
    name = target.text.strip().casefold()
    for link in opened.links if opened else ():
        if link.ref and (link.title or "").casefold() == name:
            return link.ref
    return _by_title(library, target.text) or _by_file(library, opened, target.text)


def _by_title(library: Library, text: str) -> str | None:
    found = library.lists.order("memories", Page(), Start(text))
    records = library.lists.numbered("memories", found[:50]).values()
    same = (one.ref for one in records if _title(one) == text.casefold())
    return next(same, None)


def _title(record: object) -> str:
    title: str = getattr(record, "title", "")
    return title.casefold()


def _by_file(library: Library, opened: Opened | None, text: str) -> str | None:
    """The record of a file with this name, in the same store."""
    name = PurePosixPath(text.partition("#")[0]).name
    if not name or opened is None:
        return None
    tree = All((Named("path", (name,)), Named("store", (opened.record.store,))))
    for kind in ("memories", "documents"):
        found = library.lists.order(kind, Page(), tree)
        records = library.lists.numbered(kind, found[:1])
        if records:
            return next(iter(records.values())).ref
    return None


# The parts of a record that can be copied.


def said(what: str, record: Record, opened: Opened | None) -> str:
    """The text to copy, as in the record's file."""
    match what:
        case "ref":
            return record.ref or ""
        case "path":
            return shlex.quote(str(Path(record.store) / file_of(record)))
        case "title":
            return title(record)
        case "link":
            return f"[[{title(record)}]]"
        case "body":
            return _body(opened)
        case _:
            return f"# {title(record)}\n\n{_body(opened)}"


def file_of(record: Record) -> str:
    """The path of a record's file relative to its store; empty if it has none."""
    if isinstance(record, Conversation | Message):
        return record.source
    path: str | None = getattr(record, "path", None)
    return path or ""


def _body(opened: Opened | None) -> str:
    full = opened.full if opened else None
    match full:
        case None:
            return ""
        case MemoryInFull():
            return full.body
        case DocumentInFull():
            return full.text
        case _:
            return text_of(full)


# Mentions of a memory, and similar memories without a link.

_MOST = 12
"""Maximum mentions, and maximum similar memories."""

_EDGE = "edge"
_DAY = len("2026-02-14")


def seen(library: Library, opened: Opened) -> Sequence[Sighting]:
    """Mentions of a memory, then similar ones; empty for other records."""
    if not isinstance(opened.record, Memory):
        return ()
    places = [link for link in opened.links if link.by != _EDGE and link.ref]
    return [*_places(library, places[:_MOST]), *_alike(library, opened.record)]


def _places(library: Library, links: Sequence[Link]) -> Iterator[Sighting]:
    """The episodes, conversations and pages that mention the memory."""
    for link in links:
        ref = link.ref or ""
        kind = kind_of(ref)
        record = _record(library, kind, ref)
        name = (title(record) if record else link.title) or link.title
        type_ = record.type if isinstance(record, Memory) else None
        node = Node(ref=ref, title=name, type=type_)
        yield Sighting(node, kind, _day(record))


def _alike(library: Library, memory: Memory) -> Iterator[Sighting]:
    try:
        found = library.search.similar(memory.ref, _MOST, _say_nothing, unlinked=True)
    except GivenUpError:
        raise
    except RecollectError:
        return
    for one in found:
        node = Node(ref=one.memory.ref, title=one.memory.title, type=one.memory.type)
        yield Sighting(node, "memories", likeness=one.score)


def _record(library: Library, kind: str, ref: str) -> Record | None:
    row = library.lists.number(kind, ref)
    if row is None:
        return None
    return library.lists.numbered(kind, [row]).get(row)


def _day(record: Record | None) -> str:
    match record:
        case Episode():
            return record.date
        case Conversation():
            return (record.last or "")[:_DAY]
        case Message():
            return (record.at or "")[:_DAY]
        case _:
            return ""


def _say_nothing(_sentence: str) -> None:
    """Ignore notices about embeddings, which “more like this” shows."""


# Memories near in meaning.


def near_in_meaning(
    library: Library, words: str, semantic: Semantic, stores: frozenset[str]
) -> tuple[list[Hit], Sequence[str]]:
    """The best memories in words and in meaning, and what could not be compared."""
    tree = parse(words, ["memories"]).tree
    if stores:
        terms = tree.terms if isinstance(tree, All) else (tree,)
        tree = All((*terms, Named("store", tuple(sorted(stores)))))
    meant = library.search.meant(tree, semantic, Machine.this().environment)
    page = Page(limit=_MOST_NEAR)
    return library.search.best(tree, page, ["memories"], meant.near).hits, meant.notes


_MOST_NEAR = 30
"""Maximum number of memories near in meaning."""


# The shortest path between two memories.

_ENDS = 2

_BY = "edge"


class Step(Struct, frozen=True):
    """A memory on the path."""

    memory: Memory
    link: Link | None = None
    """The link from the previous memory; None at the start."""


def way_between(library: Library, rows: Sequence[int]) -> Sequence[Step]:
    """The path between two rows of memories; empty if there is none."""
    found = library.lists.numbered("memories", rows)
    refs = [record.ref for record in found.values() if record.ref]
    way = library.records.way(*refs) if len(refs) == _ENDS else []
    return [*map(Step, way[:1]), *_steps(library, way)]


def _steps(library: Library, way: Sequence[Memory]) -> Iterator[Step]:
    """Every memory but the first, with the strongest edge from the previous one."""
    for before, memory in pairwise(way):
        links = [
            link
            for link in library.records.links(before.ref)
            if link.ref == memory.ref and link.by == _BY
        ]
        best = max(links, key=lambda link: link.strength or 0.0, default=None)
        yield Step(memory, best)


# The links of a record, as the graph draws them.


def around(opened: Opened) -> tuple[Node, list[Arrow]]:
    """The record as a node, and its links."""
    record = opened.record
    kind = record.type if isinstance(record, Memory) else None
    node = Node(ref=record.ref, title=title(record), type=kind)
    return node, arrows(opened.links, opened.ends)


def beyond(library: Library, ref: str) -> list[Arrow]:
    """The links of another record."""
    links = list(library.records.links(ref))
    return arrows(links, ends_of(library, links))


def arrows(links: Sequence[Link], ends: Ends) -> list[Arrow]:
    """Links as arrows, each with the type of the linked memory."""
    return [
        of_link(link, ends.types.get(link.ref or ""), ends.edges.get(link.edge or ""))
        for link in links
    ]


# Provenance and results of a record: messages, episodes, memories.

_TITLE = 80
"""Characters of a message used as its title."""


class Origin(Struct, frozen=True):
    """A related record to go to."""

    ref: str
    title: str
    """Its title."""
    when: str = ""
    """Its time, if known."""
    within: str | None = None
    """Its conversation, if any."""


def writers(library: Library, record: Record) -> Sequence[Origin]:
    """The messages that wrote a record, first one first; else its conversations."""
    if isinstance(record, Memory | Document | Episode | Edge) and record.path:
        messages = library.history.written_by(record.ref)
        if messages:
            return [_of_message(one) for one in messages]
    return _linked(library, record.ref, "conversations")


def tellers(library: Library, record: Record) -> Sequence[Origin]:
    """The episodes about a record, or about one of its conversations."""
    told = _linked(library, record.ref, "episodes")
    if told:
        return told
    talks = _linked(library, record.ref, "conversations")
    found = (one for talk in talks for one in _linked(library, talk.ref, "episodes"))
    return list(dict.fromkeys(found))


def memories(library: Library, record: Record) -> Sequence[Origin]:
    """The memories that a record wrote, mentions or links to."""
    return _linked(library, record.ref, "memories")


def memories_told(ref: str, library: Library, record: Record) -> Sequence[Origin]:
    """The memories that a message wrote; if none, those of the record."""
    return _linked(library, ref, "memories") or memories(library, record)


def _linked(library: Library, ref: str | None, kind: str) -> list[Origin]:
    """The linked records of a kind, without duplicates."""
    links = library.records.links(ref) if ref else ()
    found = (
        Origin(link.ref, link.title or link.ref)
        for link in links
        if link.ref and kind_of(link.ref) == kind
    )
    return list(dict.fromkeys(found))


def _of_message(message: Message) -> Origin:
    title = message.text[:_TITLE].partition("\n")[0]
    when = to_the_minute(message.at or "")
    return Origin(message.ref, title, when, message.conversation)
