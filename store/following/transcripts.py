"""What makes links in transcripts and journals: who wrote, told, started, answered."""

from collections.abc import Iterator

from store.catalogue.provenance import told_by, written_by, written_in
from store.catalogue.reader import Reader, Span
from store.catalogue.spoken import agents_of, answering, asking, conversation_called
from store.catalogue.views import MEASURES
from store.records.conversation import Conversation, Message
from store.records.episode import Episode
from store.records.link import Link
from store.records.measure import Measure
from store.records.memory import Memory

_TITLE = 80
"""Characters of a message that tell which one it is."""

_MANY = 100
"""How many conversations of one session are linked at most."""

Spoken = Conversation | Message | Measure
"""What transcripts and journals hold."""


def links_of_spoken(reader: Reader, record: Spoken, now: int) -> Iterator[Link]:
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
    """What a conversation wrote, what tells of it, who started it, whom it started."""
    for memory in written_by(reader, conversation, now):
        yield spoken("out", "wrote", memory, conversation)
    for episode in told_by(reader, conversation, now):
        yield spoken("in", "tells of", episode, conversation)
    if conversation.parent:
        for parent in conversation_called(reader, conversation.parent, now):
            yield spoken("in", "started", parent, conversation)
    for agent in agents_of(reader, conversation.ref, now):
        yield spoken("out", "started", agent, conversation)


def _of_message(reader: Reader, message: Message, now: int) -> Iterator[Link]:
    """What a message wrote, what holds it, and what is paired with it."""
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
    """What a claim names as its proof, and the conversations of its session."""
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
    """A link that a transcript or a journal makes."""
    return Link(
        direction=direction,
        by="transcript",
        type=kind,
        ref=other.ref,
        title=_title(other),
        strength=None,
        context=None,
        edge=None,
        store=here.store,
        path=here.source if isinstance(here, Conversation | Message) else here.path,
    )


def _title(record: Memory | Episode | Conversation | Message | Measure) -> str:
    """What to call a record."""
    match record:
        case Message():
            return f"{record.kind}: {record.text[:_TITLE]}"
        case Measure():
            return record.name or record.kind
        case _:
            return record.title
