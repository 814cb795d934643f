"""The records of a day as lines, where a store keeps no entries."""

from collections.abc import Iterable, Iterator
from datetime import date

from store.library import Record
from store.records.conversation import Conversation
from store.records.memory import Memory
from store.times import parse
from widgets.calendar.counted import Counted
from widgets.calendar.names import spelt
from widgets.columns.cells import told
from widgets.columns.types import code
from widgets.lines.pieces import Piece, Pieces
from widgets.timeline.days import clock


def day_lines(
    day: date, counted: Counted, records: Iterable[Record]
) -> Iterator[Pieces]:
    """The day, how much is of it, and a line for each of the first."""
    number = counted.on(day.toordinal())
    count = counted.noun.counted(number) if number else "nothing"
    yield [(spelt(day), "heading"), (f"  {count}", "muted")]
    for record in records:
        if isinstance(record, Memory):
            yield [code(record.type), (" ", ""), (told(record.title), "title")]
        elif isinstance(record, Conversation):
            yield [_began(record), (told(record.title), "title")]


def _began(conversation: Conversation) -> Piece:
    """The time of day at which a conversation began."""
    micros = parse(conversation.first).micros if conversation.first else None
    return f"{clock(micros) if micros is not None else '':5} ", "muted"
