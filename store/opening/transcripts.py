"""Open what transcripts and journals hold."""

from store.catalogue.journals import measured
from store.catalogue.reader import Reader
from store.catalogue.spoken import (
    agents_of,
    answering,
    asking,
    facts_of,
    failed_in,
    messages_of,
)
from store.formats.port import Passage
from store.records.conversation import (
    Conversation,
    ConversationInFull,
    Message,
    MessageInFull,
)
from store.records.measure import Measure, MeasureInFull


def open_conversation(
    reader: Reader,
    conversation: Conversation,
    now: int,
    *,
    tells_messages: bool = True,
) -> ConversationInFull:
    """A conversation with all that was said in it, or without."""
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
    """A message with all its blocks, as they were read from where it lies."""
    return MessageInFull(
        message=message,
        answers=tuple(m.ref for m in asking(reader, message.ref, now)),
        answered_by=tuple(m.ref for m in answering(reader, message.ref, now)),
        parts=passage.parts,
        fields=passage.fields,
    )


def open_measure(reader: Reader, measure: Measure) -> MeasureInFull:
    """A measure with what else its line says."""
    return MeasureInFull(measure=measure, fields=measured(reader, measure.ref))
