"""Where a line lies, and what a message takes from its line whatever it is."""

from typing import NamedTuple

from store.findings import Json
from store.times import Instant, parse
from store.transcript.record import LONGEST_ID, Record

_LONGEST_PATH = 4096


class At(NamedTuple):
    """Where a line lies, and what holds for it where it does not say."""

    line: int
    """Its number."""
    offset: int
    """The byte that it begins at."""
    size: int
    """How many bytes it takes."""
    session: str | None = None
    """The session that the file is named after."""
    ordinal: int = 0
    """Which of the values on the line it is."""

    @property
    def key(self) -> str:
        """The key of a record that has no identifier of its own."""
        return f"@{self.offset}.{self.ordinal}" if self.ordinal else f"@{self.offset}"


Envelope = tuple[str | None, str | None, str | None, str | None, str | None]
"""What a line says beside its message: uuid, parent, session, folder, branch."""


def envelope(record: Record) -> Envelope:
    """What a line says beside its message; None for what is missing or odd.

    Asked of every message, so that each value is looked at in place.
    """
    get = record.get
    uuid, parent, session = get("uuid"), get("parentUuid"), get("sessionId")
    cwd, branch = get("cwd"), get("gitBranch")
    return (
        uuid if isinstance(uuid, str) and 0 < len(uuid) <= LONGEST_ID else None,
        parent if isinstance(parent, str) and 0 < len(parent) <= LONGEST_ID else None,
        session if isinstance(session, str) and len(session) <= LONGEST_ID else None,
        cwd if isinstance(cwd, str) and 0 < len(cwd) <= _LONGEST_PATH else None,
        branch if isinstance(branch, str) and 0 < len(branch) <= LONGEST_ID else None,
    )


def instant(value: Json) -> Instant | None:
    """When a line was written; None where it does not tell."""
    if isinstance(value, str):
        return parse(value) if 0 < len(value) <= LONGEST_ID else None
    if type(value) is int or type(value) is float:
        return parse(value)
    return None
