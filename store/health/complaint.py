"""What a check says about a store."""

from msgspec import Struct

from store.findings import Severity

_LONGEST = 80


class Complaint(Struct, frozen=True, kw_only=True):
    """Something that only shows when the files of a store are held together."""

    code: str
    """What is wrong, in a word that scripts can match."""
    message: str
    """The sentence that says what is wrong."""
    path: bytes
    """The file to look at, as the catalogue keeps it."""
    severity: Severity = Severity.WARNING
    """How bad it is."""
    ref: str | None = None
    """The record that it concerns."""
    line: int | None = None
    """The line, where one can be named."""


def quoted(text: str) -> str:
    """A piece of a store's text, short enough to stand in a sentence."""
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return f"“{short}”"
