"""A query that is kept."""

from msgspec import Struct


class KeptQuery(Struct, frozen=True, kw_only=True):
    """A query that was saved, or asked lately."""

    query: str
    """Its text."""
    name: str | None
    """What it is saved as; null where it was only asked."""
