"""What the room of episodes asks the library: outlines, and what a calendar counts."""

from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime

from msgspec import Struct, field

from store.library import Library, Page, Record
from store.search.language.parsing import parse
from store.search.language.tree import All, Days, Named, Node
from tui.browser.data.found import Found, Wish
from widgets.agenda.outline import Outline
from widgets.calendar.counted import ENTRIES, MEMORIES, TALKS, Counted

_SECOND = 1_000_000

_MOST = 100
"""So many records of a day are told at most."""

EPISODES = "episodes"
_COUNTED = {EPISODES: ENTRIES, "memories": MEMORIES, "conversations": TALKS}
"""What a calendar counts, by the kind of record; the first that there is any of."""

_NEWEST = {"memories": "updated", "conversations": "last"}
"""What the records of a day are ordered by."""


class Diary(Struct, frozen=True):
    """What there is of each day."""

    outline: Outline = field(default_factory=Outline)
    """The entries that were found."""
    counted: Mapping[str, Counted] = field(default_factory=dict[str, Counted])
    """How many records of a kind each day has that the query finds in the stores."""
    keeps_episodes: bool = True
    """Whether any of the stores keeps episodes."""

    @property
    def kinds(self) -> list[str]:
        """What can be counted: entries where any are kept, and whatever there is."""
        keeps = EPISODES if self.keeps_episodes else None
        return [kind for kind, of in self.counted.items() if of.counts or kind == keeps]


def diary_of(library: Library, found: Found) -> Diary:
    """What there is of each day of what was found."""
    outline = Outline.of(library.timing(found.rows))
    days: dict[str, Mapping[str, int]] = {
        kind: library.days(kind, _about(kind, found.wish))
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
    """The records of a day that the query finds, the latest first."""
    tree = All((_about(kind, wish), Named("on", (Days(day, day),))))
    rows = library.order(kind, Page(sort=_NEWEST[kind]), tree)[:_MOST]
    found = library.numbered(kind, rows)
    return [record for row in rows if (record := found.get(row))]


def day_of(now: int) -> date:
    """The day that an instant lies in, here."""
    return datetime.fromtimestamp(now / _SECOND).astimezone().date()


def _keeps_episodes(library: Library, wish: Wish) -> bool:
    return library.count(EPISODES, All(tuple(_of_stores(wish)))) > 0


def _about(kind: str, wish: Wish) -> Node:
    """What the query asks for, where it is asked of another kind of record."""
    return All((parse(wish.text, [kind]).tree, *_of_stores(wish)))


def _of_stores(wish: Wish) -> list[Node]:
    return [Named("store", tuple(sorted(wish.stores)))] if wish.stores else []
