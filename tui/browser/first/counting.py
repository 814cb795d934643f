"""Counts and kinds as sentences say them."""

from collections.abc import Iterable

_THIN = " "
"""What parts thousands: a space, which no language takes for a decimal point."""


def grouped(count: int) -> str:
    """A number that is read at a glance: 9 800."""
    return f"{count:,}".replace(",", _THIN)


def counted(count: int, kind: str) -> str:
    """So many of a kind: 1 memory, 313 memories."""
    return f"{grouped(count)} {singular(kind) if count == 1 else kind}"


def singular(kind: str) -> str:
    """One of a kind."""
    return f"{kind[:-3]}y" if kind.endswith("ies") else kind.removesuffix("s")


def listed(names: Iterable[str]) -> str:
    """Names one after the other, the last after an «and»."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
