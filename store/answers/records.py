"""One record by name: found, opened in full, its bytes, its links."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from store.answers.stores import OpenStores
from store.catalogue.counts import measured, refs_elsewhere
from store.catalogue.provenance import (
    EVERY_MESSAGE,
    agents_of,
    answering,
    asking,
    conversation_called,
    conversations_named,
    episodes_about,
    facts_of,
    failed_in,
    messages_of,
    spot_of,
    way,
    writers_of,
    written_by,
    written_in,
)
from store.catalogue.reader import Around, Reader, Span
from store.clean import clean
from store.edits.draft import Changeable
from store.errors import (
    AmbiguousError,
    NothingFoundError,
    NotPossibleError,
    UnreadableError,
)
from store.files.beneath import Root
from store.findings import UNREADABLE, Findings, Side, Value
from store.formats.port import Format
from store.kinds import Record
from store.kinds.conversations import CONVERSATIONS, Conversation, ConversationInFull
from store.kinds.edges import EDGES, Edge, EdgeInFull
from store.kinds.journals import (
    AGENTS,
    EVENTS,
    MEASURES,
    Agent,
    Event,
    Measure,
    MeasureInFull,
)
from store.kinds.kind import Kind
from store.kinds.memories import MEMORIES, Memory, MemoryInFull, Relation, own_key
from store.kinds.messages import NOT_COPIED, Message, MessageInFull
from store.kinds.pages import DOCUMENTS, EPISODES, Document, DocumentInFull, Episode
from store.kinds.problems import Problem
from store.kinds.table import holdable
from store.machine import Places
from store.records.answers import Link
from store.records.intents import Transit
from store.state import former_refs

InFull = (
    Record
    | MemoryInFull
    | EdgeInFull
    | DocumentInFull
    | ConversationInFull
    | MessageInFull
    | MeasureInFull
)
"""Everything that `show` can return."""


class Records:
    """Answers about one record."""

    def __init__(self, stores: OpenStores) -> None:
        self._stores = stores

    def named(self, name: str) -> Record:
        """The record with a ref, or with a ref that starts like this, as in a list."""
        with self._stores.reader() as reader:
            return record_named(self._stores, reader, name)

    def show(self, name: str) -> InFull:
        """One record in full, with the content of its file."""
        formats = {found.path: found.format for found in self._stores.found}
        with self._stores.reader() as reader:
            record = record_named(self._stores, reader, name)
            return _in_full(reader, record, formats, self._stores.now)

    def raw(self, name: str) -> bytes | None:
        """The bytes of a record's file; None if they are not text."""
        return _raw_of(self._stores.mirrored(self.named(name)))

    def links(self, name: str) -> Iterator[Link]:
        """All links from a record and to it."""
        with self._stores.reader() as reader:
            record = record_named(self._stores, reader, name)
            yield from links_of(reader, record, self._stores.now)

    def doubt(self, name: str) -> str:
        """Why a record of the past may have been different; empty for the present."""
        lookback = self._stores.lookback
        return "" if lookback is None else lookback.doubt(self.named(name))

    def way(self, begin: str, end: str) -> list[Memory]:
        """The memories on the shortest path between two of them, ends included."""
        with self._stores.reader() as reader:
            ends = [reader.row_of(MEMORIES, ref) for ref in (begin, end)]
            rows = way(reader, *(row for row in ends if row is not None))
            found = reader.rows(MEMORIES, rows, self._stores.now)
            return [found[row] for row in rows]


# The record that a user or a change names: by its ref, or the beginning of it.

Name = str | Changeable
"""A record, or what names it."""

_Named = (
    Memory
    | Edge
    | Episode
    | Document
    | Conversation
    | Message
    | Event
    | Measure
    | Agent
)
"""The records that have a ref."""

_KINDS: dict[str, Kind[_Named]] = {
    "memory": MEMORIES,
    "edge": EDGES,
    "episode": EPISODES,
    "document": DOCUMENTS,
    "conversation": replace(CONVERSATIONS, is_shown=NOT_COPIED),
    "message": EVERY_MESSAGE,
    "event": EVENTS,
    "measure": MEASURES,
    "agent": AGENTS,
}
"""The kinds of record that have a ref, by the prefix of the ref."""

_TITLE = 80
"""Characters of the text to use in place of a missing title."""

_SHOWN = 10
"""How many candidates are listed for an ambiguous name."""

_TITLED = ("memory", "conversation")
"""The kinds of record that a title names."""

_FILED = ("memory", "document")
"""The kinds of record that the path of their file names."""

_LEAST = 4
"""The fewest letters that find a record whose title begins with them."""

_SEARCHABLE = 60
"""The longest name that a message repeats as a search."""

_HEX = frozenset("0123456789abcdef")
"""The characters of refs."""


def record_named(
    stores: OpenStores, reader: Reader, name: str, *, is_changed: bool = False
) -> Record:
    """The record with a ref or an identifier, or an unambiguous beginning of one.

    Otherwise, the record that had it before it was renamed or moved, or the only one
    with this title or path, or with a title that begins like this. To change a record,
    the beginning of a title is not enough.
    """
    text, now = holdable(name.strip()), stores.now
    kind, colon, rest = text.partition(":")
    if not (colon and kind in _KINDS):
        kind, rest = "", text
    if not rest:
        raise NothingFoundError("The name is empty; give a ref.")
    kinds = [kind] if kind else list(_KINDS)
    for span in (Span.of, Span.beginning):
        candidates = _candidates(reader, kinds, rest, span, now)
        if candidates:
            return _only(name, candidates)
    refs = _present_refs(stores, reader, kinds, rest)
    renamed = (_with_ref(reader, ref, now) for ref in refs)
    found = {record.ref: record for record in renamed if record}
    found = found or _titled(reader, kinds, rest, now, begins=False)
    if not found and len(rest) >= _LEAST:
        found = _titled(reader, kinds, rest, now, begins=True)
        if found and is_changed:
            raise NothingFoundError(_incomplete(name, found))
    if not found:
        raise NothingFoundError(f"No record matches {name!r}.{_advice(text)}")
    return _only(name, found)


def memory_named(stores: OpenStores, reader: Reader, name: str) -> Memory:
    """The memory that a user names; any other record is an error."""
    found = record_named(stores, reader, name)
    if not isinstance(found, Memory):
        raise NothingFoundError(f"{name!r} isn't a memory; only those can be compared.")
    return found


def changeable(
    stores: OpenStores, name: Name, *, is_changed: bool = True
) -> Changeable:
    """The record of a name; raises NotPossibleError if its kind is never changed."""
    if not isinstance(name, str):
        return name
    with stores.reader() as reader:
        record = record_named(stores, reader, name, is_changed=is_changed)
    if isinstance(record, Event | Agent):
        raise NotPossibleError(f"{record.ref} is read-only.")
    return record


def acted_on(stores: OpenStores, word: str, record: Changeable) -> Changeable:
    """The record that an action changes; for a status, the copy that has one."""
    if word == Transit.word and isinstance(record, Conversation):
        for copy in reversed(record.copies):
            if copy.status:
                return changeable(stores, copy.ref)
    return record


def _only(name: str, candidates: Mapping[str, _Named]) -> _Named:
    """The only candidate; several are an error that lists them, one per line."""
    if len(candidates) == 1:
        return next(iter(candidates.values()))
    listed = [f"{name!r} matches several records:", *_listed(candidates)]
    raise AmbiguousError("\n".join(listed))


def _incomplete(name: str, found: Mapping[str, _Named]) -> str:
    """Why the beginning of a title doesn't name the record to change."""
    count = f"More than {_SHOWN}" if len(found) > _SHOWN else str(len(found))
    begin = "title begins" if len(found) == 1 else "titles begin"
    said = f"{count} {begin} with {name!r}; a change needs the whole title or a ref:"
    return "\n".join([said, *_listed(found)])


def _listed(candidates: Mapping[str, _Named]) -> list[str]:
    """The first candidates, one a line, those of one title with their file."""
    titles = [title_of(record) for record in candidates.values()]
    lines = [f"  {ref}  {title}" for ref, title in zip(candidates, titles, strict=True)]
    for number, record in enumerate(candidates.values()):
        lines[number] += _file(record) if titles.count(titles[number]) > 1 else ""
    return [*lines[:_SHOWN], *(["  …"] if len(lines) > _SHOWN else [])]


def title_of(record: _Named | Problem) -> str:
    """The title of a record, or the beginning of its text."""
    if isinstance(record, Edge):
        return f"{record.from_title} {record.type} {record.to_title}"
    for name in ("title", "text", "message", "name"):
        if text := getattr(record, name, None):
            return clean(str(text))[:_TITLE]
    return ""


def _file(record: _Named) -> str:
    """The file of a record, if it names one."""
    path = getattr(record, "path", None) or getattr(record, "source", None)
    return clean(f"  {record.store}/{path}") if path else ""


def _advice(text: str) -> str:
    """How to find the record that words may mean; nothing if they are a ref."""
    is_ref = text.partition(":")[0] in _KINDS or _HEX.issuperset(text.lower())
    if is_ref or len(text) > _SEARCHABLE or "'" in text or not text.isprintable():
        return ""
    return f" To find its ref: recollect search '{text}'"


def _candidates(
    reader: Reader, kinds: list[str], name: str, span: Callable[[str], Span], now: int
) -> dict[str, _Named]:
    """The records that a name may refer to, by ref."""
    limit = _SHOWN + 1
    found: list[_Named] = []
    for kind in kinds:
        ref = f"{kind}:{name.lower()}"
        found += reader.called(_KINDS[kind], span(ref), now, limit)
    if "memory" in kinds and not (found and span == Span.of):
        found += reader.identified(span(name), now, limit)
    if "conversation" in kinds and not found:
        found += reader.of_session(span(name), now, limit)
    return {record.ref: record for record in found}


def _titled(
    reader: Reader, kinds: Iterable[str], title: str, now: int, *, begins: bool
) -> dict[str, _Named]:
    """The memories, or else the conversations, with a title, or its start, by ref.

    Else the memories and documents whose file has that path.
    """
    for kind in (_KINDS[one] for one in _TITLED if one in kinds):
        records = reader.titled(kind, title, now, _SHOWN + 1, begins=begins)
        if records:
            return {record.ref: record for record in records}
    views = () if begins else (_KINDS[one] for one in _FILED if one in kinds)
    filed = (reader.at_path(view, title, now, _SHOWN + 1) for view in views)
    return {record.ref: record for records in filed for record in records}


def _with_ref(reader: Reader, ref: str, now: int) -> _Named | None:
    """The record with exactly this ref."""
    view = _KINDS[ref.partition(":")[0]]
    return next(iter(reader.called(view, Span.of(ref), now, 1)), None)


def _present_refs(
    stores: OpenStores, reader: Reader, kinds: Collection[str], name: str
) -> Iterator[str]:
    """The refs now of records that once had a ref, or one that starts like this."""
    for kind in kinds:
        yield from reader.containing(kind, Span.beginning(f"{kind}:{name.lower()}"))
    if stores.writing is None:
        return
    places = stores.writing.places
    yield from _successors(former_refs(places), reader, kinds, name)
    if places.vault.is_dir() and _HEX.issuperset(name.lower()):
        yield from _saved_refs(places, reader, kinds, name)


def _successors(
    known: Mapping[str, str], reader: Reader, kinds: Collection[str], name: str
) -> set[str]:
    """The refs that took the place of this one, or of one that starts like this.

    `known` has the next ref of each ref that was given up.
    """
    begin = [kind + ":" + name.lower() for kind in kinds]
    olds = [old for old in known if old in begin]
    olds = olds or [old for old in known if old.startswith(tuple(begin))]
    return {_last(known, reader, old) for old in olds}


def _last(known: Mapping[str, str], reader: Reader, ref: str) -> str:
    """Follow a chain of refs to the first one that a record has."""
    seen: set[str] = set()
    while ref in known and ref not in seen and not _with_ref(reader, ref, 0):
        seen.add(ref)
        ref = known[ref]
    return ref


def _saved_refs(
    places: Places, reader: Reader, kinds: Collection[str], name: str
) -> Iterator[str]:
    """The refs of saved conversations in the place where they are now.

    Once its original is gone, a saved conversation is in the vault's own store.
    """
    from store.vault.vault import Vault  # noqa: PLC0415  # only with a vault

    for kind in {"conversation", "message"}.intersection(kinds):
        begin = f"{kind}:{name.lower()}"
        with suppress(UnreadableError):
            for origin, shelf in Vault(places).homes():
                for here, there in ((origin, shelf), (shelf, origin)):
                    refs = refs_elsewhere(reader, kind, here, there)
                    yield from (now for then, now in refs if then.startswith(begin))


# A record in full: read from its file what the catalogue does not have.

_Formats = Mapping[Path, Format]
"""The format of each chosen store."""


def _in_full(reader: Reader, record: Record, formats: _Formats, now: int) -> InFull:
    """The record with its text, for the kinds that have more than a list shows."""
    full: InFull = record
    match record:
        case Memory():
            full = _memory(record, _reread(reader, record, formats))
        case Document():
            full = _document(record, _reread(reader, record, formats))
        case Edge() if Side.FILE in record.sides:
            full = _edge(record, _reread(reader, record, formats))
        case Conversation():
            messages = tuple(messages_of(reader, record.ref, now))
            full = replace(open_conversation(reader, record, now), transcript=messages)
        case Message():
            full = _message(reader, record, formats, now)
        case Measure():
            full = MeasureInFull(measure=record, fields=measured(reader, record.ref))
        case _:
            pass
    return full


def open_conversation(
    reader: Reader, conversation: Conversation, now: int
) -> ConversationInFull:
    """A conversation in full, but without its messages."""
    ref = conversation.ref
    facts = facts_of(reader, ref)
    return ConversationInFull(
        conversation=conversation,
        agent=facts.agent,
        agents=tuple(a.ref for a in agents_of(reader, ref, now)),
        unanswered=facts.unanswered,
        summary=facts.summary,
        lines=facts.lines,
        fields=facts.fields,
        failed=tuple(failed_in(reader, ref)),
        transcript=(),
    )


def _message(
    reader: Reader, message: Message, formats: _Formats, now: int
) -> MessageInFull:
    """A message with all its blocks, as read from its source."""
    spot, store = spot_of(reader, message.ref), Path(message.store)
    with formats[store].open(store) as opened:
        source = reader.source(message.store, spot.path)
        passage = opened.passage(source, spot.place)
    return MessageInFull(
        message=message,
        answers=tuple(m.ref for m in asking(reader, message.ref, now)),
        answered_by=tuple(m.ref for m in answering(reader, message.ref, now)),
        parts=passage.parts,
        fields=passage.fields,
    )


def _reread(
    reader: Reader, record: Memory | Edge | Document, formats: _Formats
) -> Findings:
    """The findings of a record's file; of a long one, the first part with records."""
    store = Path(record.store)
    source = reader.source(record.store, record.path)
    with formats[store].open(store) as opened:
        findings = opened.read(source)
        while findings.more and not (findings.memories or findings.documents):
            findings = opened.read(source, findings.mark)
        return findings


def _memory(memory: Memory, findings: Findings) -> MemoryInFull:
    """The memory in full, from the findings of its file."""
    key = own_key(memory.path, memory.id)
    for found in findings.memories:
        if own_key(memory.path, found.id) == key and found.line == memory.line:
            return MemoryInFull(
                memory=memory,
                body=found.body,
                fields=found.fields,
                relations=tuple(map(_relation, found.relations)),
                steps=found.steps,
                preconditions=found.preconditions,
                postconditions=found.postconditions,
            )
    raise _gone(memory.path, findings)


def _document(document: Document, findings: Findings) -> DocumentInFull:
    """The document in full, from the findings of its file."""
    for found in findings.documents:
        return DocumentInFull(document=document, text=found.text, facts=found.facts)
    raise _gone(document.path, findings)


def _edge(edge: Edge, findings: Findings) -> EdgeInFull:
    """The edge in full, from the findings of its own file."""
    for claim in findings.claims:
        if claim.side is Side.FILE and claim.edge_id == edge.id:
            return EdgeInFull(edge=edge, body=claim.body, fields=claim.fields)
    raise _gone(edge.path, findings)


def _gone(path: str, findings: Findings) -> UnreadableError:
    """The error for a record that is no longer in its file."""
    for flaw in findings.flaws:
        if flaw.code == UNREADABLE:
            return UnreadableError(flaw.message)
    return UnreadableError(f"{path} has changed and no longer contains this record.")


def _relation(entry: Mapping[str, Value]) -> Relation:
    """A relation from its file; unknown fields are kept unchanged."""
    names = ("target", "type", "direction", "context", "edge_id")
    told = {name: _text(entry.get(name)) for name in names}
    strength = _number(entry.get("strength"))
    known = {name for name, value in told.items() if value is not None}
    known |= set() if strength is None else {"strength"}
    fields = {name: value for name, value in entry.items() if name not in known}
    return Relation(**told, strength=strength, fields=fields)


def _text(value: Value | None) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Value | None) -> float | None:
    try:
        return float(value) if isinstance(value, str) else None
    except ValueError:
        return None


# The raw bytes of a record.

_LIMIT = 8 * 1024 * 1024
"""Larger files are not shown as raw bytes."""

_BINARY = b"\0"
_OF_MANY = ".jsonl"


def _raw_of(record: Record) -> bytes | None:
    """The bytes of a record's file, or of its line if the file has one per record.

    None if the file is too large or is not text.
    """
    path, line = _place(record)
    if path is None:
        return None
    with Root(Path(record.store)) as root:
        try:
            blob = root.read(path, limit=_LIMIT)
        except UnreadableError:
            return None
    if _BINARY in blob.raw or not blob.whole:
        return None
    if not (line and path.endswith(_OF_MANY)):
        return blob.raw
    return b"".join(blob.raw.splitlines(keepends=True)[line - 1 : line])


def _place(record: Record) -> tuple[str | None, int | None]:
    """The file of a record, and its line there."""
    match record:
        case Message(source=path, line=line):
            return path, line
        case Memory() | Episode() | Event() | Measure() | Problem():
            return record.path, record.line
        case Edge() | Document():
            return record.path, None
        case _:
            return None, None


# The links from and to a record, whatever its kind.

_MANY = 100
"""The most conversations of one session to link."""

_Linked = Memory | Episode | Conversation | Message | Measure
"""The records that transcripts and journals link."""


def links_of(reader: Reader, record: Record, now: int) -> Iterator[Link]:
    """The links of a record: outgoing edges, incoming edges, then mentions."""
    links: Iterator[Link] = iter(())
    match record:
        case Memory():
            links = _of_memory(reader, record, now)
        case Edge():
            links = iter((_along(record, "in"), _along(record, "out")))
        case Episode():
            links = _of_episode(reader, record, now)
        case Document():
            named = Around(reader, now).memories_named_in(record.ref)
            links = (_mention("out", record, memory) for memory in named)
        case Conversation():
            links = _of_conversation(reader, record, now)
        case Message():
            links = _of_message(reader, record, now)
        case Measure():
            links = _of_measure(reader, record, now)
        case _:
            pass
    return links


def _of_memory(reader: Reader, memory: Memory, now: int) -> Iterator[Link]:
    """The edges of a memory, then episodes, documents and conversations about it."""
    around = Around(reader, now)
    for edge in around.edges_from(memory.ref):
        yield _along(edge, "out")
    for edge in around.edges_to(memory.ref):
        yield _along(edge, "in")
    for episode in around.episodes_of(memory.ref):
        yield _mention("in", episode, episode)
    for document in around.documents_naming(memory.ref):
        yield _mention("in", document, document)
    for conversation in writers_of(reader, memory, now):
        yield _told("in", "wrote", conversation, memory)


def _of_episode(reader: Reader, episode: Episode, now: int) -> Iterator[Link]:
    """The memory and the conversations of an episode."""
    if episode.memory:
        for memory in reader.called(MEMORIES, Span.of(episode.memory), now, 1):
            yield _mention("out", episode, memory)
    for conversation in conversations_named(reader, episode, now):
        yield _told("out", "tells of", conversation, episode)


def _of_conversation(
    reader: Reader, conversation: Conversation, now: int
) -> Iterator[Link]:
    """What a conversation wrote, its episodes, its parent, and its sub-agents."""
    for memory in written_by(reader, conversation, now):
        yield _told("out", "wrote", memory, conversation)
    for episode in episodes_about(reader, conversation, now):
        yield _told("in", "tells of", episode, conversation)
    if conversation.parent:
        for parent in conversation_called(reader, conversation.parent, now):
            yield _told("in", "started", parent, conversation)
    for agent in agents_of(reader, conversation.ref, now):
        yield _told("out", "started", agent, conversation)


def _of_message(reader: Reader, message: Message, now: int) -> Iterator[Link]:
    """What a message wrote, its conversation, and the other halves of its calls."""
    for memory in written_in(reader, message, now):
        yield _told("out", "wrote", memory, message)
    if message.conversation:
        for conversation in conversation_called(reader, message.conversation, now):
            yield _told("in", "holds", conversation, message)
    for other in asking(reader, message.ref, now):
        yield _told("in", "asked for", other, message)
    for other in answering(reader, message.ref, now):
        yield _told("out", "answered by", other, message)


def _of_measure(reader: Reader, measure: Measure, now: int) -> Iterator[Link]:
    """The evidence for a claim, and the conversations of its session."""
    if measure.points_to:
        for proof in reader.called(MEASURES, Span.of(measure.points_to), now, 1):
            yield _told("out", "proved by", proof, measure)
    if measure.session:
        for conversation in reader.of_session(Span.of(measure.session), now, _MANY):
            yield _told("in", "measured in", conversation, measure)


def _told(direction: str, kind: str, other: _Linked, here: _Linked) -> Link:
    """A link from a transcript or a journal."""
    return Link(
        direction=direction,
        by="transcript",
        type=kind,
        ref=other.ref,
        title=_title_of(other),
        strength=None,
        context=None,
        edge=None,
        store=here.store,
        path=here.source if isinstance(here, Conversation | Message) else here.path,
    )


def _title_of(record: _Linked) -> str:
    """The title of a record, or what serves as one."""
    match record:
        case Message():
            return f"{record.kind}: {record.text[:_TITLE]}"
        case Measure():
            return record.name or record.kind
        case _:
            return record.title


def _along(edge: Edge, direction: str) -> Link:
    """An edge as seen from its start (`out`) or its end (`in`)."""
    outward = direction == "out"
    return Link(
        direction=direction,
        by="edge",
        type=edge.type,
        ref=edge.to if outward else edge.from_,
        title=edge.to_title if outward else edge.from_title,
        strength=edge.strength,
        context=edge.context,
        edge=edge.ref,
        store=edge.store,
        path=edge.path,
    )


def _mention(
    direction: str, teller: Episode | Document, other: Episode | Document | Memory
) -> Link:
    """A mention as seen from the text (`out`) or from the memory (`in`)."""
    is_episode = isinstance(teller, Episode)
    return Link(
        direction=direction,
        by="episode" if is_episode else "document",
        type="tells of" if is_episode else "names",
        ref=other.ref,
        title=other.title,
        strength=None,
        context=teller.summary if is_episode else None,
        edge=None,
        store=teller.store,
        path=teller.path,
    )
