"""An operation: a change, or the undoing or redoing of one, as the journal tells it."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from store.edits.draft import Marking
from store.edits.kept.deeds import Deed


class Kind(StrEnum):
    """What is done."""

    CHANGE = "change"
    UNDO = "undo"
    REDO = "redo"


class State(StrEnum):
    """How far it got."""

    BEGUN = "begun"
    """It was not finished: the program ended, or is at it right now."""
    BACKWARDS = "backwards"
    """It failed, and is being taken back."""
    DONE = "done"
    ABORTED = "aborted"
    """Nothing of it is left."""
    UNSETTLED = "unsettled"
    """It broke off and another program wrote meanwhile: a person has to look."""


class Operation(Struct, frozen=True, kw_only=True):
    """All that is known of one."""

    id: str
    time: int
    """When it began, in microseconds since 1970."""
    kind: Kind
    change: str
    """The change that it is about: its own id for a change."""
    action: str
    refs: tuple[str, ...]
    root: Path
    deeds: tuple[Deed, ...]
    locks: tuple[tuple[Path, str], ...] = ()
    """The lock files that are held meanwhile: of which store, and what it is called."""
    shuns: tuple[tuple[str, float], ...] = ()
    """The locks of others in whose presence nothing is written, and for how many
    seconds they count."""
    marks: tuple[Marking, ...] = ()
    """What the program itself is to remember once it is done."""
    pid: int = 0
    """The process that began it."""
    state: State = State.BEGUN
    notes: tuple[str, ...] = ()
    settled: Mapping[int, tuple[str | None, str | None] | None] = field(
        default_factory=dict[int, tuple[str | None, str | None] | None]
    )
    """For derived files, by their number, between which bytes it really went; None
    where it was given up."""
    overwritten: frozenset[int] = frozenset()
    """The files that had to be overwritten in place."""

    @property
    def is_open(self) -> bool:
        """Whether it has to be finished or taken back."""
        return self.state in {State.BEGUN, State.BACKWARDS}
