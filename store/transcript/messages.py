"""A line on its own as the message that it makes, or a part of one."""

from store.findings import MessageFound
from store.transcript.kinds import COUNTED
from store.transcript.place import At
from store.transcript.record import Record, inner, word
from store.transcript.reply import Reply
from store.transcript.single import (
    attachment_message,
    other_message,
    system_message,
    user_message,
)

_MAKERS = {
    "user": user_message,
    "system": system_message,
    "pr-link": system_message,
    "frame-link": system_message,
    "attachment": attachment_message,
}


def message_of(record: Record, place: At) -> MessageFound | None:
    """The message of a line; None where it makes none.

    Of a message that several lines make, this is the part that the line tells: parts
    with the same key are to be joined.
    """
    kind = record.get("type")
    if not isinstance(kind, str) or kind in COUNTED:
        return None
    if kind == "assistant":
        part = Reply(reply_key(record, place), record, place)
        part.add(record, place)
        return part.found()
    return _MAKERS.get(kind, other_message)(record, place)


def reply_key(record: Record, place: At) -> str:
    """What all lines of one message of the assistant have in common."""
    return word(inner(record, "message"), "id") or word(record, "uuid") or place.key
