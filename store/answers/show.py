"""One record: find it by name, open it in full, list its links."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

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
    writers_of,
    written_by,
    written_in,
)
from store.catalogue.reader import Around, Page, Reader, Span
from store.clean import clean
from store.errors import AmbiguousError, NothingFoundError, UnreadableError
from store.files.beneath import Root
from store.findings import UNREADABLE, Findings, Side, Value, name_key
from store.formats.port import Format, Passage
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

# Find the record with a name: its ref, or the beginning of it.

Named = (
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

_KINDS: dict[str, Kind[Named]] = {
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

_SEARCHABLE = 60
"""The longest name that a message repeats as a search."""
_HEX = frozenset("0123456789abcdef")
"""The characters of refs."""

Former = Callable[[Reader, Collection[str], str], Iterable[str]]
"""The current refs of records that once had a ref, or one that starts like this."""


def _none(_reader: Reader, _kinds: Collection[str], _name: str) -> Iterable[str]:
    return ()


def find(reader: Reader, name: str, now: int, former: Former = _none) -> Record:
    """The record with a ref or an identifier, or an unambiguous beginning of one.

    Otherwise, the record that had it before it was renamed or moved, or the only one
    with this title.
    """
    text = holdable(name.strip())
    kind, colon, rest = text.partition(":")
    if not (colon and kind in _KINDS):
        kind, rest = "", text
    if not rest:
        raise NothingFoundError("The name is empty; give a ref.")
    kinds = [kind] if kind else list(_KINDS)
    for span in (Span.of, Span.beginning):
        candidates = _candidates(reader, kinds, rest, span, now)
        if len(candidates) == 1:
            return next(iter(candidates.values()))
        if candidates:
            raise AmbiguousError(_sentence(name, candidates))
    renamed = (_with_ref(reader, ref, now) for ref in former(reader, kinds, rest))
    found = {record.ref: record for record in renamed if record}
    found = found or _titled(reader, kinds, rest, now)
    if len(found) > 1:
        raise AmbiguousError(_sentence(name, found))
    for record in found.values():
        return record
    raise NothingFoundError(f"No record matches {name!r}.{_advice(text)}")


def _advice(text: str) -> str:
    """How to find the record that words may mean; nothing if they are a ref."""
    is_ref = text.partition(":")[0] in _KINDS or _HEX.issuperset(text.lower())
    if is_ref or len(text) > _SEARCHABLE or "'" in text or not text.isprintable():
        return ""
    return f" To find its ref: recollect search '{text}'"


def successors(
    known: Mapping[str, str], reader: Reader, kinds: Collection[str], name: str
) -> set[str]:
    """The current refs of records that once had this ref, or one starting like this.

    `known` has the next ref of each ref that was given up.
    """
    begin = [kind + ":" + name.lower() for kind in kinds]
    olds = [old for old in known if old in begin]
    olds = olds or [old for old in known if old.startswith(tuple(begin))]
    return {_last(known, reader, old) for old in olds}


def kept_refs(
    places: Places, reader: Reader, kinds: Collection[str], name: str
) -> Iterator[str]:
    """The refs of saved conversations in the place where they are now.

    Once its original is gone, a saved conversation is in the vault's own store.
    """
    if not _HEX.issuperset(name.lower()):
        return
    from store.vault.vault import Vault  # noqa: PLC0415  # only with a vault

    for kind in {"conversation", "message"}.intersection(kinds):
        begin = f"{kind}:{name.lower()}"
        with suppress(UnreadableError):
            for origin, shelf in Vault(places).homes():
                for here, there in ((origin, shelf), (shelf, origin)):
                    refs = refs_elsewhere(reader, kind, here, there)
                    yield from (now for then, now in refs if then.startswith(begin))


def _last(known: Mapping[str, str], reader: Reader, ref: str) -> str:
    """Follow a chain of refs to the first one that a record has."""
    seen: set[str] = set()
    while ref in known and ref not in seen and not _with_ref(reader, ref, 0):
        seen.add(ref)
        ref = known[ref]
    return ref


def _with_ref(reader: Reader, ref: str, now: int) -> Named | None:
    """The record with exactly this ref."""
    view = _KINDS[ref.partition(":")[0]]
    return next(iter(reader.called(view, Span.of(ref), now, 1)), None)


def find_memory(reader: Reader, name: str, now: int, former: Former) -> Memory:
    """The memory with a name; any other record is an error."""
    found = find(reader, name, now, former)
    if not isinstance(found, Memory):
        raise NothingFoundError(f"{name!r} isn't a memory; only those can be compared.")
    return found


def _titled(
    reader: Reader, kinds: Iterable[str], title: str, now: int
) -> dict[str, Named]:
    """The memories, or else the conversations, with a title, by ref."""
    for kind in (one for one in _TITLED if one in kinds):
        records = reader.titled(_KINDS[kind], title, now, _SHOWN + 1)
        if records:
            return {record.ref: record for record in records}
    return {}


def _candidates(
    reader: Reader, kinds: list[str], name: str, span: Callable[[str], Span], now: int
) -> dict[str, Named]:
    """The records that a name may refer to, by ref."""
    limit = _SHOWN + 1
    found: list[Named] = []
    for kind in kinds:
        ref = f"{kind}:{name.lower()}"
        found += reader.called(_KINDS[kind], span(ref), now, limit)
    if "memory" in kinds and not (found and span == Span.of):
        found += reader.identified(span(name), now, limit)
    if "conversation" in kinds and not found:
        found += reader.of_session(span(name), now, limit)
    return {record.ref: record for record in found}


def _sentence(name: str, candidates: dict[str, Named]) -> str:
    """The message that lists the candidates of an ambiguous name, one per line."""
    lines = [f"  {ref}  {_title(record)}" for ref, record in candidates.items()]
    more = ["  …"] if len(lines) > _SHOWN else []
    return "\n".join([f"{name!r} matches several records:", *lines[:_SHOWN], *more])


def _title(record: Named) -> str:
    """The title of a record, or the beginning of its text."""
    if isinstance(record, Edge):
        return f"{record.from_title} {record.type} {record.to_title}"
    for name in ("title", "text", "message", "name"):
        if text := getattr(record, name, None):
            return clean(str(text))[:_TITLE]
    return ""


# Open records from transcripts and journals.


def open_conversation(
    reader: Reader,
    conversation: Conversation,
    now: int,
    *,
    tells_messages: bool = True,
) -> ConversationInFull:
    """A conversation in full, with or without its messages."""
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
        transcript=tuple(messages_of(reader, ref, now)) if tells_messages else (),
    )


def open_message(
    reader: Reader, message: Message, passage: Passage, now: int
) -> MessageInFull:
    """A message with all its blocks, as read from its source."""
    return MessageInFull(
        message=message,
        answers=tuple(m.ref for m in asking(reader, message.ref, now)),
        answered_by=tuple(m.ref for m in answering(reader, message.ref, now)),
        parts=passage.parts,
        fields=passage.fields,
    )


def open_measure(reader: Reader, measure: Measure) -> MeasureInFull:
    """A measure with all other fields of its line."""
    return MeasureInFull(measure=measure, fields=measured(reader, measure.ref))


# Open a record: read from its file what the catalogue does not have.

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

Spoken = Conversation | Message | Measure
"""The records of transcripts and journals."""

Formats = Mapping[Path, Format]
"""The format of each chosen store."""


def open_in_full(reader: Reader, record: Record, formats: Formats, now: int) -> InFull:
    """The record with its text, for the kinds that have more than a list shows."""
    match record:
        case Memory():
            return _memory(record, _reread(reader, record, formats))
        case Document():
            return _document(record, _reread(reader, record, formats))
        case Edge() if Side.FILE in record.sides:
            return _edge(record, _reread(reader, record, formats))
        case Conversation() | Message() | Measure():
            return _spoken(reader, record, formats, now)
        case _:
            return record


def _reread(
    reader: Reader, record: Memory | Edge | Document, formats: Formats
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
                relations=tuple(_relation(relation) for relation in found.relations),
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


def _spoken(
    reader: Reader, record: Spoken, formats: Formats, now: int
) -> ConversationInFull | MessageInFull | MeasureInFull:
    """A record of a transcript or a journal in full."""
    match record:
        case Conversation():
            return open_conversation(reader, record, now)
        case Measure():
            return open_measure(reader, record)
        case Message():
            return open_message(reader, record, _passage(reader, record, formats), now)


def _passage(reader: Reader, message: Message, formats: Formats) -> Passage:
    """A message as its source has it."""
    spot, store = spot_of(reader, message.ref), Path(message.store)
    with formats[store].open(store) as opened:
        return opened.passage(reader.source(message.store, spot.path), spot.place)


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


_TEXTS = ("target", "type", "direction", "context", "edge_id")
"""The text fields of a relation."""


def _relation(entry: Mapping[str, Value]) -> Relation:
    """A relation from its file; unknown fields are kept unchanged."""
    texts = {key: value for key in _TEXTS if isinstance(value := entry.get(key), str)}
    strength = _number(entry.get("strength"))
    known = {*texts, *(["strength"] if strength is not None else [])}
    return Relation(
        target=texts.get("target"),
        type=texts.get("type"),
        direction=texts.get("direction"),
        strength=strength,
        context=texts.get("context"),
        edge_id=texts.get("edge_id"),
        fields={key: value for key, value in entry.items() if key not in known},
    )


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


def raw_of(record: Record) -> bytes | None:
    """The bytes of a record's file, or of its line if the file has one per record.

    None if the file is too large or is not text.
    """
    path, line = _place(record)
    if path is None:
        return None
    root = Root(Path(record.store))
    try:
        blob = root.read(path, limit=_LIMIT)
    except UnreadableError:
        return None
    finally:
        root.close()
    if _BINARY in blob.raw or not blob.whole:
        return None
    return _line(blob.raw, line) if line and path.endswith(_OF_MANY) else blob.raw


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


def _line(data: bytes, number: int) -> bytes:
    """A line of a file, by number."""
    lines = data.splitlines(keepends=True)
    return next(islice(lines, number - 1, number), b"")


# Links of transcripts and journals: what they wrote, started, answered.

_MANY = 100
"""The most conversations of one session to link."""

SpokenRecord = Conversation | Message | Measure
"""The records of transcripts and journals."""


def links_of_spoken(reader: Reader, record: SpokenRecord, now: int) -> Iterator[Link]:
    """The links of a conversation, a message or a measure."""
    match record:
        case Conversation():
            return _of_conversation(reader, record, now)
        case Message():
            return _of_message(reader, record, now)
        case Measure():
            return _of_measure(reader, record, now)


def _of_conversation(
    reader: Reader, conversation: Conversation, now: int
) -> Iterator[Link]:
    """What a conversation wrote, its episodes, its parent, and its sub-agents."""
    for memory in written_by(reader, conversation, now):
        yield spoken("out", "wrote", memory, conversation)
    for episode in episodes_about(reader, conversation, now):
        yield spoken("in", "tells of", episode, conversation)
    if conversation.parent:
        for parent in conversation_called(reader, conversation.parent, now):
            yield spoken("in", "started", parent, conversation)
    for agent in agents_of(reader, conversation.ref, now):
        yield spoken("out", "started", agent, conversation)


def _of_message(reader: Reader, message: Message, now: int) -> Iterator[Link]:
    """What a message wrote, its conversation, and the other halves of its calls."""
    for memory in written_in(reader, message, now):
        yield spoken("out", "wrote", memory, message)
    if message.conversation:
        for conversation in conversation_called(reader, message.conversation, now):
            yield spoken("in", "holds", conversation, message)
    for other in asking(reader, message.ref, now):
        yield spoken("in", "asked for", other, message)
    for other in answering(reader, message.ref, now):
        yield spoken("out", "answered by", other, message)


def _of_measure(reader: Reader, measure: Measure, now: int) -> Iterator[Link]:
    """The evidence for a claim, and the conversations of its session."""
    if measure.points_to:
        for proof in reader.called(MEASURES, Span.of(measure.points_to), now, 1):
            yield spoken("out", "proved by", proof, measure)
    if measure.session:
        for conversation in reader.of_session(Span.of(measure.session), now, _MANY):
            yield spoken("in", "measured in", conversation, measure)


def spoken(
    direction: str,
    kind: str,
    other: Memory | Episode | Conversation | Message | Measure,
    here: Memory | Episode | Conversation | Message | Measure,
) -> Link:
    """A link from a transcript or a journal."""
    return Link(
        direction=direction,
        by="transcript",
        type=kind,
        ref=other.ref,
        title=_title_transcripts(other),
        strength=None,
        context=None,
        edge=None,
        store=here.store,
        path=here.source if isinstance(here, Conversation | Message) else here.path,
    )


def _title_transcripts(
    record: Memory | Episode | Conversation | Message | Measure,
) -> str:
    """The title of a record, or what serves as one."""
    match record:
        case Message():
            return f"{record.kind}: {record.text[:_TITLE]}"
        case Measure():
            return record.name or record.kind
        case _:
            return record.title


# Links from and to a record, of every kind.


def links_of(reader: Reader, record: Record, now: int) -> Iterator[Link]:
    """The links of a record: outgoing edges, incoming edges, then mentions."""
    match record:
        case Memory():
            return _of_memory(reader, record, now)
        case Edge():
            return iter((_along(record, "in"), _along(record, "out")))
        case Episode() | Document():
            return _of_teller(reader, record, now)
        case Conversation() | Message() | Measure():
            return links_of_spoken(reader, record, now)
        case _:
            return iter(())


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
        yield spoken("in", "wrote", conversation, memory)


def _of_teller(reader: Reader, teller: Episode | Document, now: int) -> Iterator[Link]:
    """The memories that an episode or a document mentions."""
    if isinstance(teller, Document):
        memories = Around(reader, now).memories_named_in(teller.ref)
    else:
        memories = (
            reader.called(MEMORIES, Span.of(teller.memory), now, 1)
            if teller.memory
            else []
        )
    for memory in memories:
        yield _mention("out", teller, memory)
    if isinstance(teller, Episode):
        for conversation in conversations_named(reader, teller, now):
            yield spoken("out", "tells of", conversation, teller)


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


# What the catalogue knows about a store, for its scribe.


class CatalogueKnown:
    """Answers from the catalogue; the reader is limited to the one store."""

    def __init__(self, reader: Reader, now: int) -> None:
        self._reader = reader
        self._now = now

    def memories(self) -> Iterator[Memory]:
        """Every memory of the store."""
        return self._reader.page(MEMORIES, Page(), self._now)

    def edges(self) -> Iterator[Edge]:
        """Every edge of the store."""
        return self._reader.page(EDGES, Page(), self._now)

    def memory(self, ref: str) -> Memory | None:
        """The memory with a ref."""
        found = self._reader.called(MEMORIES, Span.of(ref), self._now, 1)
        return found[0] if found else None

    def namesakes(self, title: str) -> Sequence[Memory]:
        """The memories whose titles give the same name."""
        key = name_key(title)
        found = self._reader.namesakes(key, self._now)
        return [memory for memory in found if name_key(memory.title) == key]

    def described(self, text: str) -> Sequence[Memory]:
        """The memories with a description, ignoring case and white space."""
        refs = self._reader.described(text)
        return self._reader.named(MEMORIES, refs, self._now)

    def types(self, paths: Sequence[str]) -> Mapping[str, str]:
        """The types of the memories in some files, by path."""
        return self._reader.types_at(paths)

    def projects(self) -> Collection[str]:
        """The names of the folders in which agents worked, as any store tells."""
        return self._reader.every_project()

    def indexes(self) -> Sequence[str]:
        """The paths of the documents that list the memories."""
        return self._reader.memory_indexes()

    def edges_of(self, ref: str) -> Sequence[Edge]:
        """The edges that start or end at a memory, each once."""
        around = Around(self._reader, self._now)
        found = [*around.edges_from(ref), *around.edges_to(ref)]
        return list({edge.ref: edge for edge in found}.values())

    def links_of(self, ref: str) -> Sequence[Link]:
        """All links from a memory and to it."""
        memory = self.memory(ref)
        if memory is None:
            return []
        return list(links_of(self._reader, memory, self._now))
