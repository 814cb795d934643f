"""How much of the past a chart looks at, and what there was in each part of it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from math import ceil

from msgspec import Struct

from store.records.tally import NOTHING, Slot, Step, Tally

_SECOND = 1_000_000
_HOUR, _DAY = len("2026-02-14T09"), len("2026-02-14")
_MOST = 366
"""Parts that all of the past is told in at most."""


class Window(StrEnum):
    """How much of the past."""

    DAY = "24 h"
    WEEK = "7 d"
    MONTH = "30 d"
    QUARTER = "90 d"
    ALL = "all"

    @property
    def step(self) -> Step:
        """How long each part of it is."""
        return Step.HOUR if self is Window.DAY else Step.DAY

    @property
    def next(self) -> "Window":
        """The one that comes after, round and round."""
        windows = list(Window)
        return windows[(windows.index(self) + 1) % len(windows)]


_LENGTHS = {Window.DAY: 24, Window.WEEK: 7, Window.MONTH: 30, Window.QUARTER: 90}


class Chart(Struct, frozen=True):
    """The parts of a window, the oldest first."""

    window: Window = Window.QUARTER
    begins: Sequence[str] = ()
    """When each begins: `2026-02-14`, `2026-02-14T09`."""
    slots: Sequence[Slot] = ()
    days: int = 1
    """How many days each is, if it is days at all."""
    is_now: bool = True
    """Whether it ends now, and not where the newest entry is."""
    undated: int = 0
    """How many entries tell no time, and are nowhere in it."""

    @property
    def count(self) -> int:
        """How many entries it shows."""
        return sum(slot.number for slot in self.slots)

    def narrowed(self, parts: int) -> "Chart":
        """So many parts at most: the newest of them, of all the past wider ones."""
        if len(self.slots) <= parts:
            return self
        if self.window is not Window.ALL:
            begins, slots = self.begins[-parts:], self.slots[-parts:]
            return Chart(
                self.window, begins, slots, self.days, self.is_now, self.undated
            )
        wide = ceil(len(self.slots) / parts)
        firsts = range(0, len(self.slots), wide)
        slots = tuple(_together(self.slots[at : at + wide]) for at in firsts)
        begins = self.begins[::wide]
        days = self.days * wide
        return Chart(self.window, begins, slots, days, self.is_now, self.undated)


def chart_of(tally: Tally, window: Window, now: int) -> Chart:
    """What a window shows that ends now; at the newest, where it were empty else."""
    known = {begin: slot for begin, slot in tally.slots.items() if _day(begin)}
    if window is Window.ALL:
        return _all(known, tally.undated)
    end = _label(_here(now), window.step)
    begins = _before(end, window)
    is_now = any(begin in known for begin in begins) or not known
    if not is_now:
        begins = _before(max(known), window)
    slots = tuple(known.get(begin, NOTHING) for begin in begins)
    return Chart(window, begins, slots, is_now=is_now, undated=tally.undated)


def since(chart: Chart) -> datetime | None:
    """When what a chart shows begins, here; None where it begins with everything."""
    if chart.window is Window.ALL or not chart.begins:
        return None
    return _moment(chart.begins[0])


def until(chart: Chart) -> datetime | None:
    """When what a chart shows has ended, here; None where nothing ends it."""
    if chart.window is Window.ALL or not chart.begins:
        return None
    step = timedelta(hours=1) if chart.window.step is Step.HOUR else timedelta(days=1)
    try:
        return _moment(chart.begins[-1]) + step
    except OverflowError:
        return None


def _all(known: Mapping[str, Slot], undated: int) -> Chart:
    """All days from the first to the last, several together where they are many."""
    if not known:
        return Chart(Window.ALL, undated=undated)
    ordinals = {date.fromisoformat(day).toordinal(): day for day in known}
    first, last = min(ordinals), max(ordinals)
    days = ceil((last - first + 1) / _MOST)
    slots = [NOTHING] * ((last - first) // days + 1)
    for ordinal, day in ordinals.items():
        at = (ordinal - first) // days
        slots[at] = _together((slots[at], known[day]))
    begins = [
        date.fromordinal(first + at * days).isoformat() for at in range(len(slots))
    ]
    return Chart(Window.ALL, begins, slots, days, is_now=False, undated=undated)


def _before(end: str, window: Window) -> tuple[str, ...]:
    """The beginnings of the parts of a window that ends with one of them."""
    moments = _back(_moment(end), window)
    labels = [_label(moment, window.step) for moment in moments]
    return tuple(dict.fromkeys(reversed(labels)))


def _back(moment: datetime, window: Window) -> Iterator[datetime]:
    step = timedelta(hours=1) if window.step is Step.HOUR else timedelta(days=1)
    for _ in range(_LENGTHS[window]):
        yield moment
        try:
            moment -= step
        except OverflowError:
            return


def _label(moment: datetime, step: Step) -> str:
    """How a part that begins then is told."""
    return moment.isoformat()[: _HOUR if step is Step.HOUR else _DAY]


def _moment(begin: str) -> datetime:
    """When a part begins."""
    return datetime.fromisoformat(begin)


def _here(now: int) -> datetime:
    """An instant, here."""
    return datetime.fromtimestamp(now // _SECOND)  # noqa: DTZ006  # by the clock of whoever looks


def _day(begin: str) -> bool:
    """Whether a beginning is one that a calendar knows."""
    try:
        _moment(begin)
    except ValueError:
        return False
    return True


def _together(slots: Sequence[Slot]) -> Slot:
    """What there was in several stretches."""
    count = sum(slot.number for slot in slots)
    return Slot(count, sum(slot.seconds for slot in slots))
