"""What findings are made of: values, flaws, sides, marks and keys."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from store.errors import RefusedError, UnreadableError

Value = str | list["Value"] | Mapping[str, "Value"]
"""A value of a header: scalars stay the strings that the file holds."""


Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""A value of a JSON document, as it stands there."""


UNREADABLE = "unreadable"
"""The code of the flaw that a source has when it could not be read at all."""


class Severity(StrEnum):
    """How bad a problem is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Side(StrEnum):
    """Where an edge is written."""

    FILE = "file"
    OUTGOING = "outgoing"
    INCOMING = "incoming"
    WIKILINK = "wikilink"
    INDEX = "index"


class Flaw(Struct, frozen=True, kw_only=True):
    """Something wrong in the source that is being read."""

    code: str
    """What is wrong, in a word that scripts can match."""
    message: str
    """The sentence that says what is wrong."""
    severity: Severity = Severity.WARNING
    """How bad it is."""
    line: int | None = None
    """The line, where one can be named."""


def not_read(error: UnreadableError) -> Flaw:
    """Why nothing could be read, as a flaw."""
    code = "refused" if isinstance(error, RefusedError) else UNREADABLE
    return Flaw(code=code, message=str(error), severity=Severity.ERROR)


class Mark(NamedTuple):
    """Where reading stopped, and what the reader has to know to go on from there."""

    offset: int = 0
    """The byte that comes next."""
    memory: bytes = b""
    """What the format noted about what came before; nobody else reads it."""


START = Mark()
"""The mark of a source of which nothing was read yet."""


def name_key(name: str) -> str:
    """The key that a wikilink, a stem and a title share: case, `-`, `_` aside."""
    words = name.casefold().replace("_", " ").replace("-", " ").split()
    return f"name:{'-'.join(words)}"
