"""A query that is kept."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptQuery:
    """A query that was saved, or asked lately."""

    query: str
    """Its text."""
    name: str | None
    """What it is saved as; null where it was only asked."""
