"""Days: parsed, counted, chosen in a popup."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from msgspec import Struct, field

from store.library import Library, Page, Record
from store.search import tree as dates
from store.search.parse import parse
from store.search.tree import All, Days, Named, Node
from store.text import regex
from tui.browser.popups.popup import Choice, Popup
from tui.browser.worker import Found, Wish
from widgets.agenda import Outline
from widgets.calendar import (
    ENTRIES,
    MEMORIES,
    MONTHS,
    TALKS,
    WEEKDAYS,
    Counted,
    relative,
    spelt,
)
from widgets.styles import Palette

# Days as typed: `2026-02-14`, `2026-02`, `yesterday`, `fri`, `14 feb`.

_WORDS = {"today": 0, "now": 0, "yesterday": -1, "tomorrow": 1}
_LENGTHS = {"h": 0, "d": 1, "w": 7, "m": 30, "y": 365}
"""Days per unit of an age."""

_LETTERS = 3
"""Letters of a name that are enough."""

_AGO = regex(r"\s+ago$")
_LAST = regex(r"^(?:last|on)\s+")
_PARTS = regex(r"[\s,./]+")

UNDERSTOOD = "2026-02-14 · 2026-02 · 14 feb · feb 2026 · yesterday · friday · 3d · 2w"
"""Examples of what can be typed."""


def meant(typed: str, today: date) -> Days | None:
    """The days of a typed text; None if it is not understood."""
    said = _AGO.sub("", _LAST.sub("", typed.strip().casefold()))
    if said in _WORDS:
        return _day(today, _WORDS[said])
    return dates.days(said) or _ago(said, today) or _named(said, today)


def _day(today: date, ahead: float) -> Days | None:
    """The day some days after today."""
    try:
        day = today + timedelta(days=int(ahead))
    except OverflowError:
        return None
    return Days(day, day)


def _ago(said: str, today: date) -> Days | None:
    age = dates.age(said)
    return _day(today, -age.amount * _LENGTHS[age.unit]) if age else None


def _named(said: str, today: date) -> Days | None:
    """The last day or month with this name that is not after today."""
    parts = [part for part in _PARTS.split(said) if part]
    weekday = _among(WEEKDAYS, parts[0]) if len(parts) == 1 else None
    if weekday is not None:
        return _day(today, -((today.weekday() - weekday) % len(WEEKDAYS)))
    months = [month for part in parts if (month := _among(MONTHS, part)) is not None]
    numbers = [int(part) for part in parts if part.isdecimal() and part.isascii()]
    if len(months) != 1 or len(numbers) != len(parts) - 1:
        return None
    return _of_month(months[0] + 1, numbers, today)


def _of_month(month: int, numbers: list[int], today: date) -> Days | None:
    """A month or a day of it; without a year, the last one not in the future."""
    day = [number for number in numbers if number <= 31]  # noqa: PLR2004  # the longest month
    year = [number for number in numbers if number > 31]  # noqa: PLR2004  # anything more is a year
    if len(day) > 1 or len(year) > 1:
        return None
    told = year[0] if year else today.year
    text = f"{told:04}-{month:02}" + "".join(f"-{one:02}" for one in day)
    found = dates.days(text)
    if found and not year and found.first > today:
        return _of_month(month, [*day, today.year - 1], today)
    return found


def _among(names: tuple[str, ...], said: str) -> int | None:
    """The index of the name that starts like this."""
    if len(said) < _LETTERS or not said.isalpha():
        return None
    short = said[:_LETTERS].title()
    return names.index(short) if short in names else None


# The data of the episodes room: the entries by day, and counts for the calendar.

_SECOND = 1_000_000

_MOST = 100
"""Maximum records shown of a day."""

EPISODES = "episodes"
_COUNTED = {EPISODES: ENTRIES, "memories": MEMORIES, "conversations": TALKS}
"""What the calendar can count, by kind; the first with any records is the default."""

_NEWEST = {"memories": "updated", "conversations": "last"}
"""The sort fields of a day's records."""


class Diary(Struct, frozen=True):
    """The records of each day."""

    outline: Outline = field(default_factory=Outline)
    """The entries found."""
    counted: Mapping[str, Counted] = field(default_factory=dict[str, Counted])
    """The number of matching records per day, by kind."""
    keeps_episodes: bool = True
    """Whether any of the stores has episodes."""

    @property
    def kinds(self) -> list[str]:
        """The kinds that can be counted: non-empty ones, and episodes."""
        keeps = EPISODES if self.keeps_episodes else None
        return [kind for kind, of in self.counted.items() if of.counts or kind == keeps]


def diary_of(library: Library, found: Found) -> Diary:
    """The records of each day, for a result."""
    outline = Outline.of(library.counts.timing(found.rows))
    days: dict[str, Mapping[str, int]] = {
        kind: library.counts.days(kind, _about(kind, found.wish))
        for kind in _COUNTED
        if kind != EPISODES
    }
    days[EPISODES] = Counter(outline.timing.days)
    return Diary(
        outline,
        {kind: Counted.of(days[kind], noun) for kind, noun in _COUNTED.items()},
        keeps_episodes=bool(found.rows) or _keeps_episodes(library, found.wish),
    )


def records_of(library: Library, kind: str, wish: Wish, day: date) -> list[Record]:
    """The matching records of a day, latest first."""
    tree = All((_about(kind, wish), Named("on", (Days(day, day),))))
    rows = library.lists.order(kind, Page(sort=_NEWEST[kind]), tree)[:_MOST]
    found = library.lists.numbered(kind, rows)
    return [record for row in rows if (record := found.get(row))]


def day_of(now: int) -> date:
    """The local day of a time."""
    return datetime.fromtimestamp(now / _SECOND).astimezone().date()


def _keeps_episodes(library: Library, wish: Wish) -> bool:
    return library.lists.count(EPISODES, All(tuple(_of_stores(wish)))) > 0


def _about(kind: str, wish: Wish) -> Node:
    """The query as applied to another kind of record."""
    return All((parse(wish.text, [kind]).tree, *_of_stores(wish)))


def _of_stores(wish: Wish) -> list[Node]:
    return [Named("store", tuple(sorted(wish.stores)))] if wish.stores else []


# A popup for choosing a day, with its number of records.

FUTURE = "That day is in the future; choose today or earlier."

_DATE_POPUP_MOST = 400
"""Maximum days offered of a month or a year."""


class DatePopup(Popup[int]):
    """Returns the ordinal of a day."""

    is_fitting = True

    @property
    def most_rows(self) -> int:
        """Enough for a week."""
        return 8

    def __init__(
        self,
        counted: Counted,
        today: date,
        palette: Palette,
        title: str = "go to date",
        *,
        is_past: bool = False,
    ) -> None:
        """`is_past` is for a view of the past, which no future day has."""
        super().__init__(title, "day, month, or how long ago", palette)
        self._counted = counted
        self._today = today
        self._is_past = is_past

    @property
    def nothing(self) -> str:
        """What can be typed, as this is no date."""
        return f"No such date. Try {' · '.join(UNDERSTOOD.split(' · ')[:4])}"

    def rows(self, typed: str) -> Sequence[Choice[int]]:
        """The days of the typed text."""
        if not typed.strip():
            return list(self._offered())
        days = meant(typed, self._today)
        return list(self._within(days)) if days else []

    def _offered(self) -> Iterator[Choice[int]]:
        """Common days, offered while nothing is typed."""
        today, counts = self._today.toordinal(), self._counted.counts
        wanted = {today: "today", today - 1: "yesterday"}
        if counts:
            fullest = max(counts, key=lambda day: (counts[day], day))
            wanted.setdefault(max(counts), "latest")
            wanted.setdefault(fullest, "most entries")
            wanted.setdefault(min(counts), "first")
        for day, name in wanted.items():
            if day >= 1:
                yield self._choice(day, name)

    def _within(self, days: Days) -> Iterator[Choice[int]]:
        """A single day in any case; of several days, those with records."""
        first, last = days.first.toordinal(), days.last.toordinal()
        if first == last:
            near = relative(days.first, self._today)
            yield self._choice(first, near)
            return
        found = sorted(day for day in self._counted.counts if first <= day <= last)
        for day in reversed(found[-_DATE_POPUP_MOST:] or [first]):
            yield self._choice(day, "")

    def _choice(self, day: int, name: str) -> Choice[int]:
        number = self._counted.on(day)
        told = self._counted.noun.counted(number) if number else "none"
        detail = "" if number else "No entries that day; showing the nearest one."
        if self._is_past:
            detail = "View the stores as of the end of that day (read-only)."
        return Choice(
            day,
            spelt(date.fromordinal(day)),
            name,
            before=[("  ", "")],
            right=[(told, "muted" if number else "faint")],
            detail=detail,
            why_not=self._why_not(day),
        )

    def _why_not(self, day: int) -> str | None:
        return FUTURE if self._is_past and day > self._today.toordinal() else None
