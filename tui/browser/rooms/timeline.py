"""The room of conversations."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from datetime import date
from functools import partial

from msgspec import Struct
from msgspec.structs import replace
from textual import on
from textual.widget import Widget

from store.derive.conversations import cost
from store.derive.statistics import Closeup, Keeping
from store.errors import GivenUpError
from store.kinds.conversations import Conversation
from store.library import Library
from store.search.tree import texts
from store.settings import Pricing
from tui.browser.rooms.days import DatePopup, day_of
from tui.browser.rooms.room import Given, Room
from tui.browser.worker import RELEVANCE, Found, Worker, is_processed
from tui.commands.command import Scope
from widgets.bars import Bar
from widgets.calendar import TALKS, Counted
from widgets.charts import REMOVAL, WINDOW, Activity, ActivityBar, Recent, activity
from widgets.sheet import Sheet, following
from widgets.styles import Palette
from widgets.table import Spans as Hits
from widgets.table import told
from widgets.text import found as hits_in
from widgets.timeline import Shown, Timeline
from widgets.timeline_lines import (
    Layout,
    Scale,
    date_told,
    in_rows,
    in_time,
    leaving_soon,
)

# Going to a day, with the same popup as episodes.


def popup_of(shown: Shown, now: int, palette: Palette) -> DatePopup:
    """The popup for a day, with its number of conversations."""
    days = {
        date_told(day.begin): shown.talks_on(number)
        for number, day in enumerate(shown.laid.items.days)
    }
    return DatePopup(Counted.of(days, TALKS), day_of(now), palette)


def nearest_day(shown: Shown, ordinal: int) -> int | None:
    """The number of the nearest day; None if there are no days."""
    distances = {
        number: abs(date.fromisoformat(told).toordinal() - ordinal)
        for number, day in enumerate(shown.laid.items.days)
        if (told := date_told(day.begin))
    }
    return min(distances, key=distances.__getitem__, default=None)


# The cost of a conversation, shown only if the settings have prices.

_LEAST = 0.01
"""The smallest amount shown."""


def pricing(prices: Pricing) -> Callable[[Closeup], str]:
    """A function that returns the cost; a plus means that some models have no price."""
    currency = told(prices.currency)

    def price(closeup: Closeup) -> str:
        found = cost(closeup.spent, prices.models) if closeup.spent else None
        if found is None:
            return ""
        more = "" if found.is_all else "+"
        if found.amount < _LEAST:
            return f"<{currency}{_LEAST}{more}"
        return f"{currency}{found.amount:,.2f}{more}"

    return price


# The timeline of a result, computed in a worker.

_TIMES = frozenset({"last", "first", RELEVANCE, None})
"""Sort orders that are shown chronologically. For relevance, the cursor starts at the
best hit."""


class Looks(Struct, frozen=True):
    """The user's display options."""

    window: Recent = Recent.WEEK
    scale: Scale = Scale.BRIEF


class Survey(Struct, frozen=True):
    """A result for the timeline."""

    shown: Shown
    activity: Activity
    leaving: int
    """Number of conversations that expire within a week and are not saved."""


def survey(
    library: Library, found: Found, looks: Looks, unfolded: Collection[int] = ()
) -> Survey:
    """The times of a result and the lines of the timeline.

    `unfolded` are the rows whose sub-agents are shown.
    """
    spans = library.counts.spans(found.rows)
    wish = found.wish
    order = None if wish.sort in _TIMES else wish.sort
    if order is None:
        newest_first = wish.is_reversed and wish.sort != RELEVANCE
        items = in_time(spans, newest_first=newest_first)
    else:
        items = in_rows(len(spans))
    opened = [at for at, row in enumerate(found.rows) if row in unfolded]
    return Survey(
        Shown(Layout(items, looks.scale, opened), spans, order),
        activity(spans, looks.window, library.stores.now),
        leaving_soon(spans, library.stores.now),
    )


# The room of conversations: the timeline, with recent activity above it.

_REST = 0.06
"""Seconds that the view must rest before details of its rows are loaded."""


class TimelineRoom(Room):
    """Conversations by date."""

    holding = Scope.TIMELINE

    face: Timeline
    """How the list looks."""

    def __init__(self, kind: str, given: Given) -> None:
        super().__init__(kind, given)
        self._looks = Looks()
        self._worker: Worker | None = None

    def listed(self) -> Timeline:
        """The list, by date."""
        return Timeline(Sheet(id=f"list-{self.kind}"))

    def above(self) -> Iterable[Widget]:
        """The activity bar."""
        self._bar = ActivityBar(classes="activity")
        return (self._bar,)

    def on_mount(self) -> None:
        """Create a worker, and find out whether there are prices."""
        self._worker = Worker(self._session.library)
        prices = self._session.kept.settings.prices
        self.face.known.price = pricing(prices) if prices.models else None

    async def on_unmount(self) -> None:
        """Close the worker."""
        if self._worker is not None:
            await self._worker.close()

    def divide(self, found: Found) -> None:
        """Compute the timeline of a new result."""
        if self._worker is not None:
            self._worker.give_up()
            self.run_worker(
                partial(self._survey, self._worker, found),
                group="survey",
                exclusive=True,
            )

    @property
    def pinned(self) -> bool:
        """Whether all of the conversation at the cursor is in the vault."""
        kept, at = self.face.shown.spans.kept, self.table.cursor
        return at < len(kept) and kept[at] == Keeping.WHOLE

    def other_day(self, step: int) -> None:
        """Go to the start of another day."""
        self.face.to_day(step)

    def now(self) -> None:
        """Go to the latest conversation."""
        newest = self.face.shown.newest()
        if newest is not None:
            self.table.to(newest)

    def fold_agents(self, folded: bool) -> None:  # noqa: FBT001  # as in the command's action
        """Show or hide the sub-agents of a conversation."""
        if not self.face.fold(self.table.cursor, folded=folded):
            self._status.message = (
                "No sub-agents to hide." if folded else "No hidden sub-agents."
            )

    def next_removal(self) -> None:
        """Go to the conversation that expires next."""
        position = self.face.shown.removed_after(self.table.cursor)
        if position is None:
            self._status.message = "Nothing here is due to be deleted."
        else:
            self.table.to(position)

    async def activity_window(self) -> None:
        """Change the time range of the activity bar."""
        self._looks = replace(self._looks, window=following(self._looks.window))
        window, spans = self._looks.window, self.face.shown.spans
        now = self._session.now
        if self._worker is not None:
            self._bar.activity = await self._worker.ask(
                lambda _: activity(spans, window, now)
            )

    async def quiet_scale(self) -> None:
        """Change how much room quiet periods get."""
        self._looks = replace(self._looks, scale=following(self._looks.scale))
        laid, scale = self.face.laid, self._looks.scale
        self._status.message = f"Gaps: {scale}."
        if self._worker is not None:
            self.face.scale(
                laid,
                await self._worker.ask(
                    lambda _: Layout(laid.items, scale, laid.unfolded)
                ),
            )

    def go_to_day(self) -> None:
        """Ask for a day and go to it."""
        popup = popup_of(self.face.shown, self._session.now, self._layout.palette)
        self._display.open(popup, self._take_day)

    def _take_day(self, day: int) -> None:
        """Go to the start of a day, or of the nearest one."""
        number = nearest_day(self.face.shown, day)
        if number is not None:
            self.table.to(self.face.laid.day_begin(number))
            self._status.tell()

    async def _survey(self, worker: Worker, found: Found) -> None:
        """Compute the timeline and show it, unless another result is listed by then."""
        table, rows = self.table, self.table.rows
        unfolded = frozenset(key for key in self.face.unfolded if isinstance(key, int))
        try:
            made = await worker.ask_once(
                partial(survey, found=found, looks=self._looks, unfolded=unfolded)
            )
        except GivenUpError:
            return
        if rows is table.rows:
            self._take(made, [leaf.text for leaf in texts(found.query.tree)])

    def _take(self, made: Survey, words: list[str]) -> None:
        def hits(conversation: Conversation) -> Hits:
            return hits_in(conversation.title, words)

        session = self._session
        self.face.known.hits = hits
        self.face.known.is_processed = is_processed(session.library, session.stores)
        self.face.be_at(self._session.now)
        self.face.show(made.shown, reveals=bool(words))
        self._bar.activity = made.activity
        self._bar.leaving = made.leaving

    @on(Timeline.CloseupsWanted)
    def _wanted(self, event: Timeline.CloseupsWanted) -> None:
        """Load details of the rows that stay in view."""
        event.stop()
        keys = [key for key in event.keys if isinstance(key, int)]
        self.run_worker(
            partial(self._look_closer, keys), group="closeups", exclusive=True
        )

    async def _look_closer(self, rows: list[int]) -> None:
        await asyncio.sleep(_REST)
        if self._worker is not None:
            found = await self._worker.ask(
                lambda library: library.counts.closeups(rows)
            )
            self.face.bring(rows, found)

    @on(Bar.Clicked, ".activity")
    async def _bar_clicked(self, event: Bar.Clicked) -> None:
        """Change the range, or go to what expires next."""
        event.stop()
        if event.name == WINDOW:
            await self.activity_window()
        elif event.name == REMOVAL:
            self.next_removal()

    def share(self) -> None:
        """Use the layout of the timeline, with a narrower reader."""
        self._display.body.set_class(self.is_shown, "by-time")
