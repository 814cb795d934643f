"""Looking back: the browser shows the stores as they were, until one comes back."""

import asyncio
from collections.abc import Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from store.errors import RecollectError
from store.library import Library
from tui.browser.choosing import Choosing
from tui.browser.data.desk import Desk
from tui.browser.telling import Happening
from tui.browser.views import VIEWS
from tui.commands.situation import Situation
from widgets.columns.memories import MemoryTable
from widgets.lines.rows import Held

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from store.past.library import PastLibrary
    from store.past.lookback import Difference, Lookback
    from tui.browser.popups.command_palette import Wanted

_PREFIX = "recollect-past-"


class _Back(Struct, frozen=True):
    """What is looked back at, and how all was shown before."""

    present: Library
    past: "PastLibrary"
    folder: "TemporaryDirectory[str]"
    """Where the past is laid; it goes with it."""
    access: str
    reads: bool


class LookingBack(Choosing):
    """Turns from now to another time, and back."""

    _back: _Back | None = None

    @property
    def is_past(self) -> bool:
        """Whether one looks back at another time."""
        return self._back is not None

    @property
    def looked_back_at(self) -> "Lookback | None":
        """What one looks back at."""
        return self._back.past.lookback if self._back else None

    @property
    def situation(self) -> Situation:
        """How things stand."""
        return replace(super().situation, is_past=self.is_past)

    @property
    def happening(self) -> Happening:
        """What goes on; of another time, how what is listed differs from now."""
        now = super().happening
        if self._back is None:
            return now
        lookback = self._back.past.lookback
        told = since_told(lookback.differences, self.kind)
        return now._replace(job=told, fresh="")

    async def on_unmount(self) -> None:
        """What was laid for looking back goes."""
        back, self._back = self._back, None
        if back is not None:
            _let_go(back)

    async def action_as_of(self) -> None:
        """Choose the day that is looked back at."""
        days = await self.ask(lambda library: library.days("memories"))
        popup = self.popups.as_of_popup(days, self.now, self.palette)
        self.push_screen(popup, self._choose_day)

    def action_back_to_now(self) -> None:
        """Look at the stores as they are again."""
        self.run_worker(self._come_back, group="past", exclusive=True)

    def action_since_then(self) -> None:
        """Tell how another time differs from now, and how well it is known."""
        if self._back is not None:
            lookback = self._back.past.lookback
            self.push_screen(self.popups.since_then_question(lookback, self.palette))

    async def _want(self, wanted: "Wanted | None") -> None:
        """Do what the palette was left with; that may be a day."""
        if isinstance(wanted, self.popups.LookBack):
            self._choose_day(wanted.day)
        else:
            await super()._want(wanted)

    def _choose_day(self, day: int | None) -> None:
        if day is not None:
            self.run_worker(partial(self._look_back, day), group="past", exclusive=True)

    async def _look_back(self, day: int) -> None:
        """Make the stores as they were at the end of a day, and show them."""
        from tempfile import TemporaryDirectory

        from store.past.library import PastLibrary
        from store.past.moment import end_of_day

        at = end_of_day(date.fromordinal(day))
        self.message = f"Looking back at {date.fromordinal(day)}…"
        self.tell()
        present = self._back.present if self._back else self.library
        folder = TemporaryDirectory(prefix=_PREFIX)
        try:
            lookback = await asyncio.to_thread(_made, present, at, folder.name)
            past = PastLibrary(lookback)
        except RecollectError as error:
            folder.cleanup()
            self.message = str(error)
            self.tell()
            return
        await self._come_back(shows=False)
        self._back = _Back(present, past, folder, self._access, self._reads)
        self._reads, self.is_reading = False, False
        self._access = f"as of {past.lookback.when} · read-only"
        self.message = ""
        await self._turn_to(past)
        self.action_since_then()

    async def _come_back(self, *, shows: bool = True) -> None:
        """Come back to now; `shows` tells whether that is shown at once."""
        back, self._back = self._back, None
        if back is None:
            return
        self._access, self._reads = back.access, back.reads
        await self._turn_to(back.present, shows=shows)
        _let_go(back)
        if shows:
            await self.read_again()

    async def _turn_to(self, library: Library, *, shows: bool = True) -> None:
        """Let another library answer everything that is asked from now on."""
        spot = self.spot
        await self.stop_reading()
        await Desk.turn_all(self.library, library)
        self.library = library
        for listing in self._listings.values():
            listing.table.set_rows(Held(()), keeps=False)
            if isinstance(listing.table, MemoryTable):
                listing.table.now = library.now
        if shows:
            self._counts = await self._finding.ask(_counts)
            await self.show(self.kind, spot.ref)
            self.tell()


def since_told(differences: "Mapping[str, Difference]", kind: str) -> str:
    """How a kind differs now from then, in a few words."""
    new, changed, gone = differences[kind]
    told = [f"{new} new", f"{changed} changed", f"{gone} gone"]
    counts = zip(told, (new, changed, gone), strict=True)
    several = " · ".join(words for words, count in counts if count)
    return f"since then {several}" if several else "nothing is other since then"


def _counts(library: Library) -> dict[str, int]:
    """How many records of each kind there are."""
    return {view.kind: library.count(view.kind) for view in VIEWS}


def _made(present: Library, at: int, folder: str) -> "Lookback":
    """The stores as they were; made away from the screen."""
    with present.beside() as library:
        return library.look_back(at, Path(folder))


def _let_go(back: _Back) -> None:
    back.past.close()
    back.folder.cleanup()
