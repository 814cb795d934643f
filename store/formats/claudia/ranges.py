"""Which conversation an entry belongs to: the one whose span of time it falls in."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate, islice
from typing import NamedTuple

from store.formats.claudia.cells import instant, text
from store.formats.claudia.layout import conversation_key
from store.formats.claudia.tables import NUMBER, Record
from store.times import Instant

COLUMNS = (NUMBER, "source_file", "first_message_at", "last_message_at", "summary")

_MERGED = "Duplicate conversation"
"""How the summary of a row begins that stands for another one."""
_NEIGHBOURS = 8
"""How many later spans are looked at for one that shares a boundary."""

Order = tuple[int, int, str]


class _Span(NamedTuple):
    first: Order
    merged: bool
    number: int
    last: Order


class _Spans(NamedTuple):
    """The spans of one file by their beginnings, and how far they reach so far."""

    spans: list[_Span]
    reach: list[Order]


class Belonging(NamedTuple):
    """What is known of an entry's place."""

    conversation: str | None
    """The key of the first conversation that it falls in; None outside of all."""
    is_shared: bool
    """Whether it falls in another one too."""


OUTSIDE = Belonging(None, is_shared=False)


class Ranges:
    """The spans of all conversations; both ends belong to a span."""

    def __init__(self, rows: Iterable[Record]) -> None:
        found = defaultdict[str, list[_Span]](list)
        for row in rows:
            first = instant(row.get("first_message_at"))
            last = instant(row.get("last_message_at"))
            number = row[NUMBER]
            if first and last and isinstance(number, int):
                merged = (text(row.get("summary")) or "").startswith(_MERGED)
                span = _Span(first.order, merged, number, last.order)
                found[text(row.get("source_file")) or ""].append(span)
        self._files = {file: _ordered(spans) for file, spans in found.items()}

    def at(self, file: str, moment: Instant | None) -> Belonging:
        """Where an entry of a file belongs."""
        known = self._files.get(file)
        if known is None or moment is None:
            return OUTSIDE
        when = moment.order
        place = bisect_left(known.reach, when)
        around = [
            span
            for span in islice(known.spans, place, place + _NEIGHBOURS)
            if span.first <= when <= span.last
        ]
        if not around or around[0] is not known.spans[place]:
            return OUTSIDE
        return Belonging(conversation_key(around[0].number), len(around) > 1)


def _ordered(spans: list[_Span]) -> _Spans:
    spans.sort()
    return _Spans(spans, list(accumulate((span.last for span in spans), max)))
