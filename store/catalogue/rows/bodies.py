"""Rows of the texts that memories and documents hold, to be searched."""

from collections.abc import Iterable, Iterator, Mapping

from store.catalogue.rows.cells import Row, json_text
from store.findings import DocumentFound, MemoryFound, Value

COLUMNS = {"bodies": "line text"}


def of_memories(found: Iterable[MemoryFound]) -> Iterator[Row]:
    """What memories hold beside what a list shows of them."""
    for memory in found:
        text = "\n".join(_texts(memory))
        if text:
            yield (memory.line or 0, text)


def of_documents(found: Iterable[DocumentFound]) -> Iterator[Row]:
    """What documents hold."""
    return ((0, document.text) for document in found if document.text)


def _texts(memory: MemoryFound) -> Iterator[str]:
    """All that a memory's file says, part by part."""
    if memory.body:
        yield memory.body
    yield from memory.steps
    yield from memory.preconditions
    yield from memory.postconditions
    if memory.fields:
        yield _told(memory.fields)


def _told(fields: Mapping[str, Value]) -> str:
    """Header fields as lines."""
    return "\n".join(
        f"{name}: {value if isinstance(value, str) else json_text(value)}"
        for name, value in fields.items()
    )
