"""What was typed while the agent worked: a queue, told by operations on it."""

from typing import Any

from store.findings import MessageFound
from store.times import parse
from store.transcript import At, Record
from store.transcript.kinds import NOTIFICATIONS

_LONGEST = 100_000
_MOST = 100
_NOT_TYPED = ("{", "[", *NOTIFICATIONS)


def operate(queue: list[list[Any]], record: Record, place: At) -> MessageFound | None:
    """Follow one operation; the message that was handed to the agent, if one was.

    What is taken out to be sent stands in a line of its own; what is removed was handed
    over in the middle of the agent's work and may stand nowhere else.
    """
    text = record.get("content")
    text = text if isinstance(text, str) else ""
    match record.get("operation"):
        case "enqueue":
            if len(queue) < _MOST:
                queue.append(_waiting(record, place, text[:_LONGEST]))
        case "dequeue":
            del queue[:1]
        case "popAll":
            queue.clear()
        case "remove":
            return _removed(queue, text)
        case _:
            pass
    return None


def _waiting(record: Record, place: At, text: str) -> list[Any]:
    session, at = record.get("sessionId"), record.get("timestamp")
    return [
        text,
        place.line,
        place.offset,
        place.size,
        session if isinstance(session, str) else place.session,
        at if isinstance(at, str) else None,
    ]


def _removed(queue: list[list[Any]], text: str) -> MessageFound | None:
    """What was removed: the text that is named, else what waited longest."""
    number = next((n for n, one in enumerate(queue) if text and one[0] == text), 0)
    if number >= len(queue):
        return None
    words, line, offset, size, session, at = queue.pop(number)
    if not words.strip() or words.lstrip().startswith(_NOT_TYPED):
        return None
    return MessageFound(
        key=f"@{offset}",
        kind="prompt",
        line=line,
        text=words,
        role="user",
        at=parse(at) if at else None,
        offset=offset,
        extent=size,
        session=session,
        is_queued=True,
    )
