"""Rows of problems: what is wrong with a source, and what no memory should hold."""

from collections.abc import Iterable, Iterator

from store.catalogue.rows.cells import Row
from store.clean import hides_text
from store.derive.given_away import given_away
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


def suspicious(
    place: bytes, rows: list[Row], memories: Iterable[MemoryFound]
) -> Iterator[Row]:
    """Problems of memories with text that people do not see, or had better not see.

    What is hidden from people in an agent's memory is a finding in itself; so is what
    every agent that is given the memory may sign in with.
    """
    for row, found in zip(rows, memories, strict=True):
        texts = (found.title, found.description or "", found.body)
        if any(map(hides_text, texts)):
            yield problem(place, str(row[0]), _HIDDEN)
        for kind in sorted({kind for text in texts if (kind := given_away(text))}):
            yield problem(place, str(row[0]), _secret(kind))


def _secret(kind: str) -> Flaw:
    """It never says the secret itself."""
    return Flaw(
        code="secret",
        message=f"It seems to hold {kind}, for every agent that reads it.",
        severity=Severity.WARNING,
    )
