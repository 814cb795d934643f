"""How conversations spread over days and months, by the day that they began, in UTC."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from store.errors import WrongUseError
from store.formats.claudia.asking.asked import Answer, Asked, Row, no_word, one_word
from store.formats.claudia.asking.lists import conversation_row
from store.formats.claudia.cells import instant, whole
from store.formats.claudia.tables import CONVERSATIONS, NUMBER, Record, records

_EPOCH = datetime.fromtimestamp(0, UTC)
_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def month(words: Sequence[str]) -> Answer:
    """Each day of a month that something happened on."""
    wanted = one_word(words, "calendar", "a month as YYYY-MM")
    if not _MONTH.fullmatch(wanted):
        raise WrongUseError(f"{wanted!r} is no month; write it as YYYY-MM.")
    return lambda asked: _counted(asked, "day", 10, wanted)


def months(words: Sequence[str]) -> Answer:
    """Each month that something happened in."""
    no_word(words, "months")
    return lambda asked: _counted(asked, "month", 7, "")


def day(words: Sequence[str]) -> Answer:
    """The conversations that began on a day."""
    wanted = one_word(words, "day", "a date as YYYY-MM-DD")
    try:
        datetime.fromisoformat(wanted if _DAY.fullmatch(wanted) else "")
    except ValueError:
        sentence = f"{wanted!r} is no date; write it as YYYY-MM-DD."
        raise WrongUseError(sentence) from None
    return lambda asked: _day(asked, wanted)


def _day(asked: Asked, wanted: str) -> Iterator[Row]:
    has = asked.database.tables.get(CONVERSATIONS, ())
    rows = records(asked.database, CONVERSATIONS, (NUMBER, *has))
    held = [
        (row, date) for row in rows if (date := _began(row)) and date[:10] == wanted
    ]
    for row, _ in sorted(held, key=lambda pair: pair[1]):
        yield conversation_row(row)


def _counted(asked: Asked, what: str, length: int, within: str) -> Iterator[Row]:
    """How many conversations and entries there are under each beginning of a date."""
    held, entries = Counter[str](), Counter[str]()
    columns = ("first_message_at", "status", "entry_count")
    for row in records(asked.database, CONVERSATIONS, columns):
        date = _began(row)
        if date and date.startswith(within):
            held[date[:length]] += 1
            entries[date[:length]] += whole(row.get("entry_count"))
    for date in sorted(held):
        yield {what: date, "conversations": held[date], "entries": entries[date]}


def _began(row: Record) -> str | None:
    """When a conversation began, in UTC; None for one that counts for nothing."""
    first = instant(row.get("first_message_at"))
    if first is None or first.micros is None or row.get("status") == "skipped":
        return None
    return (_EPOCH + timedelta(microseconds=first.micros)).isoformat()
