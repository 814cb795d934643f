"""Blame: which lines of a file were made by which call of an agent's tool."""

from msgspec import Struct


class Blamed(Struct, frozen=True, kw_only=True):
    """Lines next to one another that one change made."""

    first: int
    """The first of them, counted from 1."""
    last: int
    """The last of them."""
    by: str
    """What made them: `call`, `change`, `commit`, or `unknown` where nothing that is
    there did."""
    what: str | None
    """The tool, what was done, or what the commit says."""
    at: str | None
    """When."""
    ref: str | None
    """The ref of the message, or the name of the change or of the commit."""
    conversation: str | None
    """The ref of the conversation that they were made in."""
    session: str | None
    """The session that they were made in."""
    who: str | None
    """Who committed them."""
    text: str
    """The lines themselves."""


class Blame(Struct, frozen=True, kw_only=True):
    """The file of a record, line by line."""

    ref: str
    """The record."""
    store: str
    """The absolute path of the store's root."""
    path: str
    """The file, relative to the store."""
    lines: tuple[Blamed, ...]
    """Its lines, all of them, in order."""
    written: tuple[str, ...]
    """The refs of the messages whose calls wrote the file, the first one first, those
    included of which no line is left."""
    maybe: tuple[str, ...]
    """The refs of messages whose commands may have changed it."""
