"""What was said in a conversation, as people would read it."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from store.errors import WrongUseError
from store.formats.claudia.asking.asked import Answer, Asked, Row, one_word
from store.formats.claudia.cells import instant, text, whole
from store.formats.claudia.entries import entry_key, tools_of
from store.formats.claudia.layout import conversation_key
from store.formats.claudia.tables import (
    CONVERSATIONS,
    ENTRIES,
    NUMBER,
    Record,
    records,
)
from store.times import Instant

_EPOCH = datetime.fromtimestamp(0, UTC)
_NOON = 12
_ALL = ("source_file", "first_message_at", "last_message_at")


def transcript(words: Sequence[str]) -> Answer:
    """The messages of one conversation, those on its boundaries included."""
    word = one_word(words, "transcript", "a conversation's number")
    number = word.removeprefix(conversation_key(""))
    if not number.isascii() or not number.isdigit():
        raise WrongUseError(f"{word!r} is no number of a conversation.")
    return lambda asked: _transcript(asked, int(number))


def _transcript(asked: Asked, number: int) -> Iterator[Row]:
    for row in records(asked.database, CONVERSATIONS, (NUMBER, *_ALL)):
        if row[NUMBER] == number:
            yield from _messages(asked, row)
            return


def _messages(asked: Asked, conversation: Record) -> Iterator[Row]:
    first = instant(conversation.get("first_message_at"))
    last = instant(conversation.get("last_message_at"))
    source = conversation.get("source_file")
    if first is None or last is None:
        return
    has = asked.database.tables.get(ENTRIES, ())
    rows = records(asked.database, ENTRIES, (NUMBER, "source_file", "timestamp"))
    told = [
        (at, whole(row[NUMBER]))
        for row in rows
        if row.get("source_file") == source
        and (at := instant(row.get("timestamp")))
        and first <= at <= last
    ]
    columns = (NUMBER, *has)
    for at, number in sorted(told, key=lambda pair: (pair[0].order, pair[1])):
        found = asked.database.rows(ENTRIES, columns, after=number - 1, limit=1)
        for row in found:
            yield _message(asked, dict(zip(columns, row, strict=True)), at)


def _message(asked: Asked, row: Record, at: Instant) -> Row:
    local = _local(asked, at)
    return {
        "message": entry_key(whole(row[NUMBER])),
        "date": local.strftime("%Y-%m-%d") if local else None,
        "time": _clock(local) if local else at.text,
        "role": text(row.get("role")),
        "text": text(row.get("content")),
        "tools": list(tools_of(row)),
    }


def _local(asked: Asked, at: Instant) -> datetime | None:
    if at.micros is None:
        return None
    moment = _EPOCH + timedelta(microseconds=at.micros)
    try:
        return moment.astimezone(asked.settings.zone)
    except OverflowError:
        return moment


def _clock(moment: datetime) -> str:
    """The time of day as `8:02 PM EST`, whatever language the machine speaks."""
    hour = moment.hour % 12 or 12
    half = "AM" if moment.hour < _NOON else "PM"
    return f"{hour}:{moment.minute:02} {half} {moment.tzname()}"
