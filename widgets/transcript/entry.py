"""What a transcript is given: messages in parts, each of which can be pointed at."""

from collections.abc import Callable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from widgets.reader.bodies import Body
from widgets.reader.look import Look
from widgets.reader.runs import Target, TextLine

Head = Callable[[Look, bool], TextLine]
"""Draws the one line that always stands; told whether what lies beneath is open."""

SAID, THOUGHT, CALL, FAILED, NOTE, MARK = (
    "said",
    "thought",
    "call",
    "failed",
    "note",
    "mark",
)
"""What parts are: words, thoughts, calls, those that failed, asides, what leads on."""


class Part(Struct, frozen=True):
    """A stretch of a message that is pointed at, folded and copied as one."""

    key: str
    """What tells it from the other parts of its message."""
    kind: str
    """What it is."""
    head: Head | None = None
    """Its one line where it can be folded; None where it is always there in full."""
    body: Body | None = None
    """What it says; beneath the head where it is open."""
    is_whole: bool = True
    """Whether that is all; otherwise the rest is wanted once it is open."""
    target: Target | None = None
    """Where it leads."""
    text: str = ""
    """What is copied of it, and searched where it is folded."""

    @property
    def can_fold(self) -> bool:
        """Whether there is something that can be folded away."""
        return self.head is not None and self.body is not None


class Entry(Struct, frozen=True):
    """One message."""

    key: int
    """What tells it from all others."""
    parts: tuple[Part, ...] = ()
    """What it consists of; nothing where it is told elsewhere."""
    before: tuple[Body, ...] = ()
    """What stands before it: a silence, a division, who speaks."""
    note: str = ""
    """What the head of the pane tells of it: when it was."""
    name: str = ""
    """What names it to others."""

    def with_parts(self, parts: Mapping[str, Part]) -> "Entry":
        """The same with other parts in the places of those that are called so."""
        known = tuple(parts.get(part.key, part) for part in self.parts)
        return replace(self, parts=known)


class Folds(Struct):
    """What is open: all or nothing, but for what somebody wanted otherwise."""

    all_open: bool = False
    others: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])
    """The parts that are the other way round."""

    def is_open(self, entry: Entry, part: Part) -> bool:
        """Whether a part is open; one without head always is."""
        return part.head is None or self.all_open != (
            (entry.key, part.key) in self.others
        )

    def toggle(self, entry: Entry, part: Part) -> None:
        """Open what is closed, and the other way round."""
        self.others ^= {(entry.key, part.key)}

    def set_all(self, *, are_open: bool) -> None:
        """Open everything, or close it."""
        self.all_open = are_open
        self.others.clear()
