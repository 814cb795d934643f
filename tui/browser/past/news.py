"""What came since somebody last looked: marked in lists, told in a popup."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from store.library import Library, Page
from store.search.language.tree import Last, Named
from tui.browser.choosing import Choosing
from tui.browser.data.found import Found

if TYPE_CHECKING:
    from tui.browser.popups.news import Fresh

_SINCE_LAST = Named("since", (Last(),))

_MOST = 50_000
"""Where more than so many rows are new, none is marked: that tells nothing."""


class Newsworthy(Choosing):
    """Tells what is new."""

    def result_shown(self, found: Found) -> None:
        """Mark what is new among it."""
        super().result_shown(found)
        self.run_worker(partial(self._mark_new, found), group="new", exclusive=True)

    async def action_what_is_new(self) -> None:
        """Tell what is new, kind by kind and store by store."""
        news = await self.ask(Library.news)
        popup = self.popups.NewsPopup(news, self.palette)
        self.push_screen(popup, self._list_fresh)

    async def _list_fresh(self, fresh: "Fresh | None") -> None:
        """List what is new of a kind."""
        if fresh is not None:
            self.stores = frozenset()
            await self.go(fresh.kind, None, fresh.query)

    async def _mark_new(self, found: Found) -> None:
        kind = found.wish.kind
        rows = await self.counting.ask(lambda library: _new(library, kind))
        if self.listing.found is found:
            self.table.set_new(rows)


def _new(library: Library, kind: str) -> Sequence[int]:
    """The rows that are new, unless all of them are, or too many to tell anything."""
    count = library.count(kind, _SINCE_LAST)
    if not 0 < count <= _MOST or count == library.count(kind):
        return ()
    return library.order(kind, Page(), _SINCE_LAST)
