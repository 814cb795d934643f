"""The rows of what one chooses from: choices, and headings between them."""

from collections.abc import Hashable
from typing import Generic, TypeVar

from msgspec import Struct

from widgets.lines.pieces import Pieces

V = TypeVar("V", bound=Hashable)


class Heading(Struct, frozen=True):
    """What the choices below it are; it cannot be chosen."""

    title: str


class Choice(Struct, Generic[V], frozen=True):
    """Something that can be chosen."""

    value: V
    """What choosing it comes to; no two choices have the same."""
    title: str
    """What it is called."""
    aside: str = ""
    """What else is to be known of it."""
    before: Pieces = ()
    """What stands before its title; as wide in every row."""
    right: Pieces = ()
    """What stands at the right end."""
    detail: str = ""
    """A sentence about it, told while the cursor is on it."""
    why_not: str | None = None
    """Why it is not possible now; None where it is."""
