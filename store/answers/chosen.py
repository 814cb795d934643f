"""The catalogue, opened, and the stores in it that are looked at."""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from store.catalogue.conditions.circumstances import Circumstances
from store.catalogue.database import Catalogue
from store.catalogue.reader import Reader, known_stores
from store.closing import Closing
from store.derive.segments import USUAL
from store.discover import Found
from store.places import Places

if TYPE_CHECKING:
    from store.catalogue.finding.finder import Finder


_LITTLE = 2048
"""Kibibytes of pages that are kept where few are enough."""


def _present() -> int:
    return time.time_ns() // 1000


class Writing(Struct, frozen=True):
    """Where the journal of changes is kept, and whether any may be made."""

    places: Places
    is_forbidden: bool = False
    clock: Callable[[], int] = _present
    """Tells the time of a change, in microseconds since 1970."""


class Chosen(Closing):
    """What every answer hangs on: the catalogue, the stores, the time."""

    def __init__(
        self,
        catalogue: Path,
        now: int,
        gap: int = USUAL.gap,
        writing: Writing | None = None,
    ) -> None:
        """Open the catalogue.

        `now` is in microseconds since 1970; `gap` is how many of them of silence
        divide two conversations. Without `writing` the stores are only looked at.
        """
        self._catalogue = Catalogue(catalogue)
        self._lock = catalogue.with_name(f"{catalogue.name}.lock")
        self._now = now
        self._gap = gap
        self._writing = writing
        self._stores: tuple[Found, ...] = ()
        self._circumstances = Circumstances(now)
        self._loaded: Finder | None = None

    @property
    def path(self) -> Path:
        """The catalogue's file, for whoever reads in another process."""
        return self._catalogue.path

    @property
    def now(self) -> int:
        """The time that answers are about, in microseconds since 1970."""
        return self._now

    @property
    def present(self) -> int:
        """What time it is by now, as changes are dated; answers are about theirs."""
        return self._now if self._writing is None else self._writing.clock()

    @property
    def notice(self) -> str | None:
        """What the user ought to be told of the catalogue."""
        return self._catalogue.notice

    def remembered(self) -> list[tuple[Path, str]]:
        """The stores that were read before, and their formats, from memory alone."""
        with self._catalogue.in_use() as connection:
            return [(known.path, known.format) for known in known_stores(connection)]

    @property
    def chosen(self) -> tuple[Path, ...]:
        """The stores that are looked at."""
        return tuple(found.path for found in self._stores)

    @property
    def formats(self) -> list[str]:
        """The formats of those stores, one for each."""
        return [found.format.name for found in self._stores]

    def choose(self, stores: Sequence[Found]) -> None:
        """Look at these stores from now on."""
        self._stores = tuple(stores)

    def choose_also(self, store: Found) -> None:
        """Look at this store as well from now on."""
        if store.path not in self.chosen:
            self._stores = (*self._stores, store)

    def look_since(
        self, looked: Mapping[str, int], marked: frozenset[str] = frozenset()
    ) -> None:
        """What `is:new`, `since:last` and `is:marked` mean from now on.

        `looked` tells when somebody last looked at each store, by its path.
        """
        self._circumstances = Circumstances(self._now, looked, marked)

    def as_of(self, now: int) -> None:
        """Answer as of another time from now on."""
        self._now = now
        self._circumstances = replace(self._circumstances, now=now)

    def keep_little(self) -> None:
        """Keep few pages at hand: for what answers short questions for hours."""
        self._catalogue.connection.execute(f"PRAGMA cache_size = -{_LITTLE}")

    def give_up(self) -> None:
        """Give up what is being answered; for another thread to call."""
        self._catalogue.connection.interrupt()

    def close(self) -> None:
        """Let go of the catalogue."""
        self._catalogue.close()

    @contextmanager
    def _reader(self) -> Generator[Reader]:
        """A reader that keeps to the stores that were found."""
        wanted = {found.path for found in self._stores}
        with self._catalogue.in_use() as connection:
            rows = [s.row for s in known_stores(connection) if s.path in wanted]
            yield Reader(connection, rows)
