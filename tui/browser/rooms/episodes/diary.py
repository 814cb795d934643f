"""What the room of episodes asks the library: outlines, and what a calendar counts."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime

from store.library import Library, Page
from store.records.memory import Memory
from store.search.language.parsing import parse
from store.search.language.tree import All, Days, Named, Node
from tui.browser.data.found import Found, Wish
from widgets.agenda.outline import Outline
from widgets.calendar.counted import MEMORIES, Counted

_SECOND = 1_000_000

_MOST = 100
"""So many memories of a day are told at most."""


@dataclass(frozen=True, slots=True)
class Diary:
    """What there is of each day."""

    outline: Outline = field(default_factory=Outline)
    """The entries that were found."""
    entries: Counted = field(default_factory=Counted)
    """How many entries each day has."""
    memories: Counted = field(default_factory=Counted)
    """How many memories are of each day, that the query finds in the same stores."""
    keeps_episodes: bool = True
    """Whether any of the stores keeps episodes."""


def diary_of(library: Library, found: Found) -> Diary:
    """What there is of each day of what was found."""
    outline = Outline.of(library.timing(found.rows))
    written = library.days("memories", _about_memories(found.wish))
    return Diary(
        outline,
        Counted.of(Counter(outline.timing.days)),
        Counted.of(written, MEMORIES),
        keeps_episodes=bool(found.rows) or _keeps_episodes(library, found.wish),
    )


def memories_of(library: Library, wish: Wish, day: date) -> list[Memory]:
    """The memories of a day that the query finds, those changed last first."""
    tree = All((_about_memories(wish), Named("on", (Days(day, day),))))
    rows = library.order("memories", Page(sort="updated"), tree)[:_MOST]
    found = library.numbered("memories", rows)
    records = (found.get(row) for row in rows)
    return [record for record in records if isinstance(record, Memory)]


def day_of(now: int) -> date:
    """The day that an instant lies in, here."""
    return datetime.fromtimestamp(now / _SECOND).astimezone().date()


def _keeps_episodes(library: Library, wish: Wish) -> bool:
    return library.count("episodes", All(tuple(_of_stores(wish)))) > 0


def _about_memories(wish: Wish) -> Node:
    """What the query asks for, where it is asked of memories."""
    return All((parse(wish.text, ["memories"]).tree, *_of_stores(wish)))


def _of_stores(wish: Wish) -> list[Node]:
    return [Named("store", tuple(sorted(wish.stores)))] if wish.stores else []
