"""A change of a file: who made it when, and what is told of its text."""

from dataclasses import dataclass
from typing import Protocol

from store.derive.whereabouts import Placed
from store.provenance.replay import Call, Edit


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """What made a change."""

    by: str
    """`call`, `command`, `change`, `commit` or `unknown`."""
    what: str
    """The tool, the command, what was done, or what the commit says."""
    at: str | None = None
    """When, as it was written."""
    moment: int | None = None
    """The same in microseconds since 1970."""
    who: str | None = None
    """Who committed it."""
    ref: str | None = None
    """The message, or the name of the change or of the commit."""
    conversation: str | None = None
    """The conversation that it was made in."""
    session: str | None = None
    """The session that it was made in."""


@dataclass(frozen=True, slots=True)
class Told:
    """A change as somebody tells of it."""

    maker: Maker
    """What made it."""
    call: Call
    """What was written or edited, as far as it is told."""


@dataclass(frozen=True, slots=True)
class Made:
    """A change in its place among others, with as much of its texts as is known."""

    maker: Maker
    """What made it."""
    before: str | None
    """The text before; None where it is not known."""
    after: str | None
    """The text after; None where it is not known."""
    edits: tuple[Edit, ...] = ()
    """How the one became the other; nothing where it was written anew."""


class Past(Protocol):
    """Somebody who knows how files came to be what they are."""

    @property
    def notice(self) -> str:
        """What was in the way of knowing more, where something was."""
        ...

    def changes_of(self, place: Placed) -> list[Told]:
        """The changes of a file that are known, in order of time; never raises."""
        ...
