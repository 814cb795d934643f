"""What was looked for stands out in the titles of a list."""

from collections.abc import Callable, Sequence
from typing import Any

from store.records.edge import Edge
from store.records.memory import Memory
from widgets.columns.cells import Spans
from widgets.columns.edges import EdgeTable
from widgets.columns.memories import MemoryTable
from widgets.columns.table import Table
from widgets.reader.hits import found


def let_stand_out(table: Table[Any], sought: Callable[[], Sequence[str]]) -> None:
    """Let a list ask for each row, as it comes into view, what was looked for."""

    def in_memory(memory: Memory) -> Spans:
        return found(memory.title, sought())

    def in_edge(edge: Edge) -> tuple[Spans, Spans]:
        words = sought()
        return found(edge.from_title or "", words), found(edge.to_title or "", words)

    if isinstance(table, MemoryTable):
        table.hits = in_memory
    elif isinstance(table, EdgeTable):
        table.hits = in_edge
