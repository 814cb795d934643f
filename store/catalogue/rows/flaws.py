"""Rows of problems: what is wrong with a source, and what is hidden in it."""

from collections.abc import Iterable, Iterator

from store.catalogue.rows.cells import Row
from store.clean import hides_text
from store.findings import Flaw, MemoryFound, Severity

COLUMNS = {"problems": "origin path ref code severity line message"}

_HIDDEN = Flaw(
    code="hidden-text",
    message="It holds characters that a reader does not see; here they are marked.",
    severity=Severity.NOTE,
)

SOURCE = "source"
"""The origin of what a source says by itself."""

TAIL = "tail"
"""The origin of what is wrong with its end for now."""


def problem(path: bytes, subject: str | None, flaw: Flaw, origin: str = SOURCE) -> Row:
    """The problem that a flaw is."""
    return (
        origin,
        path,
        subject,
        flaw.code,
        flaw.severity.value,
        flaw.line,
        flaw.message,
    )


def hidden(
    place: bytes, rows: list[Row], memories: Iterable[MemoryFound]
) -> Iterator[Row]:
    """A problem for each memory with text that its reader does not see.

    What is hidden from people in an agent's memory is a finding in itself.
    """
    for row, found in zip(rows, memories, strict=True):
        if any(map(hides_text, (found.title, found.description or "", found.body))):
            yield problem(place, str(row[0]), _HIDDEN)
