"""What a record points to and what points to it, whatever makes the link."""

from collections.abc import Iterator

from store.catalogue.provenance import tells_of, writers_of
from store.catalogue.reader import Reader, Span
from store.catalogue.views import MEMORIES, Record
from store.following.transcripts import links_of_spoken, spoken
from store.records.conversation import Conversation, Message
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.link import Link
from store.records.measure import Measure
from store.records.memory import Memory


def links_of(reader: Reader, record: Record, now: int) -> Iterator[Link]:
    """The links of a record: edges that leave it, edges that meet it, then tellings."""
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
    """The edges that meet a memory, then what tells of it."""
    for edge in reader.edges_from(memory.ref, now):
        yield _along(edge, "out")
    for edge in reader.edges_to(memory.ref, now):
        yield _along(edge, "in")
    for episode in reader.episodes_of(memory.ref, now):
        yield _told("in", episode, episode)
    for document in reader.documents_naming(memory.ref, now):
        yield _told("in", document, document)
    for conversation in writers_of(reader, memory, now):
        yield spoken("in", "wrote", conversation, memory)


def _of_teller(reader: Reader, teller: Episode | Document, now: int) -> Iterator[Link]:
    """The memories that an episode or a document tells of."""
    if isinstance(teller, Document):
        memories = reader.memories_named_in(teller.ref, now)
    else:
        memories = (
            reader.called(MEMORIES, Span.of(teller.memory), now, 1)
            if teller.memory
            else []
        )
    for memory in memories:
        yield _told("out", teller, memory)
    if isinstance(teller, Episode):
        for conversation in tells_of(reader, teller, now):
            yield spoken("out", "tells of", conversation, teller)


def _along(edge: Edge, direction: str) -> Link:
    """An edge as seen from its start (`out`) or from its end (`in`)."""
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


def _told(
    direction: str, teller: Episode | Document, other: Episode | Document | Memory
) -> Link:
    """A telling as seen from what tells (`out`) or from the memory (`in`)."""
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
