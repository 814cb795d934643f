"""What is judged: a record that a query found, and what the query wanted."""

from msgspec import Struct


class Candidate(Struct, frozen=True):
    """A record with the texts in which a query may have found something."""

    kind: str
    """Which kind of record it is: `memory`, `message`, …"""
    title: str
    """What it is called."""
    names: str
    """What else names it: identifiers, the stem of its file."""
    tags: tuple[str, ...]
    """Its tags."""
    description: str
    """One line about it."""
    body: str
    """Its text."""
    at: int | None
    """When it changed last, in microseconds since 1970."""
    strength: float | None
    """Its decay score, where it fades."""
    pinned: bool
    """Whether it lies in the vault."""
    archived: bool
    """Whether it was put away."""


class Wanted(Struct, frozen=True):
    """A text that a query wants to be there."""

    text: str
    """The word or phrase, as typed."""
    rarity: float
    """How rare it is: 1 where no other record has it, towards 0 where most do."""
