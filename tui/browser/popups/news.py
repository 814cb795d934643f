"""A popup that tells what is new in the stores since somebody last looked."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from store.records.news import News
from store.search.language.printing import written
from store.search.language.tree import All, Last, Named
from tui.browser.first.counting import counted
from tui.browser.popups.popup import Popup, Row
from tui.browser.popups.rows import Choice, Heading
from tui.browser.views import VIEWS
from tui.faces.instants import to_the_minute
from widgets.styles.palette import Palette

_EVERYWHERE = "all stores"


class Fresh(NamedTuple):
    """What is new of a kind, in one store or in all of them."""

    kind: str
    store: str | None

    @property
    def query(self) -> str:
        """What finds it."""
        since = Named("since", (Last(),))
        if self.store is None:
            return written(since)
        return written(All((since, Named("store", (self.store,)))))


class NewsPopup(Popup[Fresh]):
    """Closes with what shall be listed."""

    def __init__(self, news: Sequence[News], palette: Palette) -> None:
        super().__init__("what is new", "a store", palette)
        self._news = news

    @property
    def nothing(self) -> str:
        """Why there is nothing to choose from."""
        return "Nothing has come since you last looked."

    def rows(self, typed: str) -> Sequence[Row]:
        """The kinds in which anything is new, of all stores and of each."""
        words = typed.casefold().split()
        named = [
            one
            for one in self._news
            if all(word in f"{one.name} {one.store}".casefold() for word in words)
        ]
        return [*self._everywhere(words), *(row for one in named for row in _of(one))]

    def _everywhere(self, words: Sequence[str]) -> Iterator[Row]:
        """The same over all stores, where there are several that have any."""
        if words or sum(bool(any(_counts(one))) for one in self._news) < 2:  # noqa: PLR2004  # of one store the store tells it
            return
        yield Heading(_EVERYWHERE)
        sums = (sum(column) for column in zip(*map(_counts, self._news), strict=True))
        yield from _choices(None, list(sums), "")


_KINDS = tuple(view for view in VIEWS if hasattr(News, view.kind))


def _of(news: News) -> Iterator[Row]:
    """What is new in a store, if anything is."""
    counts = _counts(news)
    if not any(counts):
        return
    when = to_the_minute(news.looked) if news.looked else ""
    yield Heading(f"{news.name} · since {when}" if when else f"{news.name} · all of it")
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
