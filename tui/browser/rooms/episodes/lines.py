"""The memories of a day as lines, where a store keeps nothing but them."""

from collections.abc import Iterator, Sequence
from datetime import date

from store.records.memory import Memory
from widgets.calendar.counted import MEMORIES
from widgets.calendar.names import spelt
from widgets.columns.cells import told
from widgets.columns.types import code
from widgets.lines.pieces import Pieces


def memory_lines(
    day: date, number: int, memories: Sequence[Memory]
) -> Iterator[Pieces]:
    """The day, how many memories are of it, and a line for each of the first."""
    count = MEMORIES.counted(number) if number else "nothing"
    yield [(spelt(day), "heading"), (f"  {count}", "muted")]
    for memory in memories:
        yield [code(memory.type), (" ", ""), (told(memory.title), "title")]
