"""A problem: something in a store that is not as it should be."""

from msgspec import Struct


class Problem(Struct, frozen=True, kw_only=True):
    """Why a record is not whole, where that is, and what would mend it."""

    code: str
    """What is wrong, in a word that scripts can match."""
    severity: str
    """`error` (something is not shown), `warning` (something is off), `note`."""
    store: str
    """The absolute path of the store's root."""
    ref: str | None
    """The record that it concerns, where there is one."""
    path: str
    """The file that it is in, relative to the store."""
    line: int | None
    """The line, where one can be named."""
    message: str
    """The sentence that says what is wrong."""
    fix: str | None
    """The command that mends it, where there is one."""
