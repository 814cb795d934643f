"""A draft: exactly which bytes a change would put in the place of which."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from store.findings import Json

Remake = Callable[[bytes | None], bytes | None]
"""Makes a derived file from whatever it is by now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStep:
    """One file made, changed or removed."""

    path: str
    """The file, relative to its store."""
    before: bytes | None
    """All its bytes, as the draft was made from them; None where there is no file."""
    after: bytes | None
    """All its bytes then; None where it goes."""
    remake: Remake | None = None
    """For derived files: where another wrote meanwhile, it is made from that instead,
    and if it cannot be, the change stands without it."""
    root: Path | None = None
    """The store that it lies in, where that is another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowStep:
    """One row of a database made, changed or removed, within a transaction."""

    path: str
    """The database, relative to its store."""
    table: str
    key: Mapping[str, Json]
    """The columns that name the row, with their values."""
    before: Mapping[str, Json] | None
    """Every column that the change is about, as it is; None where there is no row."""
    after: Mapping[str, Json] | None


Step = FileStep | RowStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Shunned:
    """A lock of somebody else's, in whose presence nothing is written."""

    path: str
    """The lock's file, relative to the store."""
    age: float
    """Seconds after which it counts no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a change would do; nothing has been done yet."""

    action: str
    """What it is, as a person says it after `recollect`: `pin “Redis timeouts”`."""
    steps: tuple[Step, ...]
    """In an order in which a crash leaves too much and never too little: what is made,
    what is changed, what goes."""
    warnings: tuple[str, ...] = ()
    """What the format makes happen besides, a sentence each."""
    is_grave: bool = False
    """Whether the plan is shown before it is carried out: it merges, deletes for good,
    or breaks links."""
    lock: str | None = None
    """The store's own lock file, taken while it is carried out."""
    shuns: tuple[Shunned, ...] = ()
    """The locks that forbid it."""
