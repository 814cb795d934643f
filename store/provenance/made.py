"""A change of a file: who made it when, and what is told of its text."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from msgspec import Struct

from store.derive.whereabouts import Placed
from store.provenance.replay import Call, Edit


class Maker(Struct, frozen=True, kw_only=True):
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


class Told(Struct, frozen=True):
    """A change as somebody tells of it."""

    maker: Maker
    """What made it."""
    call: Call
    """What was written or edited, as far as it is told."""
    origin: Placed | None = None
    """The file that it was until then, where the change gave it another name."""


class Made(Struct, frozen=True):
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

    def files_of(self, store: str) -> Iterable[str]:
        """The files of a store that it tells of, be they there now or not."""
        ...


class Parting(NamedTuple):
    """A file went from its place."""

    moment: int
    """When, in microseconds since 1970."""
    to: Placed | None
    """Where it was moved to; None where it was removed, or out of all stores."""


class Leaving(Protocol):
    """Somebody who knows when files went."""

    def partings(self, place: Placed) -> Iterable[Parting]:
        """The times at which a file was moved away or removed, in order."""
        ...
