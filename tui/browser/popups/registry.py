"""All popups in one place, and those about news and time travel."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from store.records.answers import News
from store.search.edit import written
from store.search.tree import All, Last, Named
from tui.browser.bars import VIEWS, counted
from tui.browser.popups import changes as changing
from tui.browser.popups.changes import MergeChoices
from tui.browser.popups.menus import (
    ALL_STORES,
    NO_QUERIES,
    alike_menu,
    context_menu,
    doubles_menu,
    naming_query,
    origins_menu,
    recall_menu,
    recall_prompt,
    review_menu,
    saved_menu,
    sort_menu,
    stores_menu,
    themes_menu,
    version_question,
    way_menu,
)
from tui.browser.popups.palette import (
    CommandPalette,
    GoToMemory,
    GoToStore,
    KeysPage,
    LookBack,
    MemoryPicker,
    RunCommand,
)
from tui.browser.popups.popup import Choice, Heading, Picker, Popup, Row
from tui.browser.popups.question import Answer, Prompt, Question, Writing, is_editable
from tui.browser.rooms.days import DatePopup, day_of
from tui.commands.registry import Listing
from tui.output.text import to_the_minute
from widgets.calendar import MEMORIES, Counted
from widgets.page import Facts, Joined, Plain
from widgets.styles import Palette

if TYPE_CHECKING:
    from store.past.lookback import Lookback


# Time travel: the choice of a day, and the differences to the present.

_LOOK = Answer("close", "↵", "OK")


class AsOfPopup(DatePopup):
    """Returns the day to travel to."""

    def __init__(self, days: Mapping[str, int], now: int, palette: Palette) -> None:
        super().__init__(Counted.of(days, MEMORIES), day_of(now), palette)
        self._title = "as of"


def as_of_popup(days: Mapping[str, int], now: int, palette: Palette) -> AsOfPopup:
    """The popup for a day, with the number of memories per day."""
    return AsOfPopup(days, now, palette)


def since_then_question(lookback: "Lookback", palette: Palette) -> Question:
    """Show how an earlier state differs from the present, and how exact it is."""
    facts = [
        (view.label, _told(*lookback.differences[view.kind]))
        for view in VIEWS
        if any(lookback.differences[view.kind])
    ]
    differing = Facts(facts) if facts else Plain("No changes since.")
    notes: Sequence[str] = lookback.notes()
    title = f"as of {lookback.when} · read-only"
    body = Joined(differing, Plain("\n\n".join(notes)))
    return Question(title, body, (_LOOK,), palette)


def _told(new: int, changed: int, gone: int) -> str:
    counts = ((new, "new"), (changed, "changed"), (gone, "gone"))
    return " · ".join(f"{count} {word}" for count, word in counts if count)


# What is new in the stores since the user's last session.

_EVERYWHERE = "all stores"


class Fresh(NamedTuple):
    """The new records of a kind, in one store or in all."""

    kind: str
    store: str | None

    @property
    def query(self) -> str:
        """The query that finds them."""
        since = Named("since", (Last(),))
        if self.store is None:
            return written(since)
        return written(All((since, Named("store", (self.store,)))))


class NewsPopup(Popup[Fresh]):
    """Returns what to list."""

    def __init__(self, news: Sequence[News], palette: Palette) -> None:
        super().__init__("what's new", "type to search", palette)
        self._news = news

    @property
    def nothing(self) -> str:
        """The message if nothing is new."""
        return "Nothing new since your last visit."

    def rows(self, typed: str) -> Sequence[Row]:
        """The counts of new records by kind, in all stores and in each."""
        words = typed.casefold().split()
        named = [
            one
            for one in self._news
            if all(word in f"{one.name} {one.store}".casefold() for word in words)
        ]
        return [*self._everywhere(words), *(row for one in named for row in _of(one))]

    def _everywhere(self, words: Sequence[str]) -> Iterator[Row]:
        """The counts over all stores, if several have new records."""
        if words or sum(bool(any(_counts(one))) for one in self._news) < 2:  # noqa: PLR2004  # one store alone is listed below
            return
        yield Heading(_EVERYWHERE)
        sums = (sum(column) for column in zip(*map(_counts, self._news), strict=True))
        yield from _choices(None, list(sums), "")


_KINDS = tuple(view for view in VIEWS if hasattr(News, view.kind))


def _of(news: News) -> Iterator[Row]:
    """The counts of new records in a store, if there are any."""
    counts = _counts(news)
    if not any(counts):
        return
    when = to_the_minute(news.looked) if news.looked else ""
    yield Heading(
        f"{news.name} · since {when}" if when else f"{news.name} · first visit"
    )
    yield from _choices(news.store, counts, news.store)


def _counts(news: News) -> list[int]:
    return [getattr(news, view.kind) for view in _KINDS]


def _choices(
    store: str | None, counts: Sequence[int], detail: str
) -> Iterator[Choice[Fresh]]:
    for view, count in zip(_KINDS, counts, strict=True):
        if count:
            yield Choice(
                Fresh(view.kind, store),
                counted(count, view.kind),
                before=[("  ", "")],
                detail=detail,
            )


# All popups in one place, imported when one is opened.


class Popups:
    """The popups of the browser."""

    ALL_STORES: ClassVar = ALL_STORES
    CommandPalette: ClassVar = CommandPalette
    GoToMemory: ClassVar = GoToMemory
    GoToStore: ClassVar = GoToStore
    KeysPage: ClassVar = KeysPage
    Listing: ClassVar = Listing
    LookBack: ClassVar = LookBack
    MemoryPicker: ClassVar = MemoryPicker
    MergeChoices: ClassVar = MergeChoices
    NewsPopup: ClassVar = NewsPopup
    Picker: ClassVar = Picker
    Prompt: ClassVar = Prompt
    RunCommand: ClassVar = RunCommand

    NO_QUERIES: ClassVar = NO_QUERIES

    changing: ClassVar = changing

    Writing: ClassVar = Writing

    alike_menu = staticmethod(alike_menu)
    as_of_popup = staticmethod(as_of_popup)
    day_of = staticmethod(day_of)
    context_menu = staticmethod(context_menu)
    recall_menu = staticmethod(recall_menu)
    recall_prompt = staticmethod(recall_prompt)
    doubles_menu = staticmethod(doubles_menu)
    origins_menu = staticmethod(origins_menu)
    is_editable = staticmethod(is_editable)
    review_menu = staticmethod(review_menu)
    naming_query = staticmethod(naming_query)
    saved_menu = staticmethod(saved_menu)
    sort_menu = staticmethod(sort_menu)
    stores_menu = staticmethod(stores_menu)
    themes_menu = staticmethod(themes_menu)
    since_then_question = staticmethod(since_then_question)
    version_question = staticmethod(version_question)
    way_menu = staticmethod(way_menu)
