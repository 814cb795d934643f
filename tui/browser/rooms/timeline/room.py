"""The room of conversations: the timeline, and above it what went on lately."""

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import cast

from msgspec.structs import replace
from textual import on
from textual.containers import Container
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from store.errors import GivenUpError
from store.records.conversation import Conversation
from store.search.language.editing import toggled
from store.search.language.leaves import texts
from tui.browser.data.desk import Desk
from tui.browser.data.found import Found
from tui.browser.rooms.host import Host
from tui.browser.rooms.room import Room
from tui.browser.rooms.timeline.list import TimelineList
from tui.browser.rooms.timeline.prices import pricing
from tui.browser.rooms.timeline.survey import Looks, Survey, survey
from tui.commands.scopes import Scope
from widgets.bars.bar import Bar
from widgets.columns.cells import Spans as Hits
from widgets.reader.hits import found as hits_in
from widgets.timeline.activity import activity, next_window
from widgets.timeline.activity_bar import REMOVAL, WINDOW, ActivityBar
from widgets.timeline.layout import Layout
from widgets.timeline.scale import next_scale
from widgets.timeline.timeline import Timeline

_REST = 0.06
"""Seconds that a view rests before more is told of what is in it."""


class TimelineRoom(Room):
    """Conversations along their time."""

    holding = Scope.TIMELINE

    table: TimelineList
    """The list."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self._looks = Looks()
        self._desk: Desk | None = None

    def listed(self) -> TimelineList:
        """The list, by time."""
        return TimelineList(id=f"list-{self.kind}")

    def above(self) -> Iterable[Widget]:
        """What went on lately."""
        self._bar = ActivityBar(classes="activity")
        return (self._bar,)

    def on_mount(self) -> None:
        """A desk of its own; the pane beside the list is narrower than elsewhere."""
        self._desk = Desk(self._browser.library)
        prices = self._browser.kept.settings.prices
        self.table.price = pricing(prices) if prices.models else None
        switcher = self.screen.query_one("#lists", ContentSwitcher)
        self.watch(switcher, "current", self._share)

    async def on_unmount(self) -> None:
        """Let go of the desk."""
        if self._desk is not None:
            await self._desk.close()

    def divide(self, found: Found) -> None:
        """Lay other rows out along their time."""
        super().divide(found)
        self._share()
        if self._desk is not None:
            self._desk.give_up()
            self.run_worker(
                partial(self._survey, self._desk, found), group="survey", exclusive=True
            )

    async def shown(self, found: Found, desk: Desk) -> None:
        """Tell how all stands; whoever counts that for the status line has done so."""
        del found
        await desk.ask(lambda library: library.now)
        self._bar.statuses = dict(self._browser.states)

    def action_other_day(self, step: int) -> None:
        """Go to where another day begins."""
        self.table.to_day(step)

    def action_now(self) -> None:
        """Go to what went on last."""
        newest = self.table.shown.newest()
        if newest is not None:
            self.table.to(newest)

    def action_fold_agents(self, folded: bool) -> None:  # noqa: FBT001  # as the command says it
        """Show the sub-agents of a conversation, or fold them away."""
        if not self.table.fold(self.table.cursor, folded=folded):
            self._browser.message = (
                "No sub-agents are shown here."
                if folded
                else "No sub-agents are folded away here."
            )

    def action_next_removal(self) -> None:
        """Go to what the agent's own clean-up removes next."""
        position = self.table.shown.removed_after(self.table.cursor)
        if position is None:
            self._browser.message = (
                "No clean-up of an agent removes any of these that is not kept."
            )
        else:
            self.table.to(position)

    async def action_activity_window(self) -> None:
        """Look at more of the past, or at less."""
        self._looks = replace(self._looks, window=next_window(self._looks.window))
        window, spans, now = (
            self._looks.window,
            self.table.shown.spans,
            self._browser.now,
        )
        if self._desk is not None:
            self._bar.activity = await self._desk.ask(
                lambda _: activity(spans, window, now)
            )

    async def action_quiet_scale(self) -> None:
        """Give quiet less room, or more."""
        self._looks = replace(self._looks, scale=next_scale(self._looks.scale))
        laid, scale = self.table.laid, self._looks.scale
        self._browser.message = f"Quiet is drawn {scale}."
        if self._desk is not None:
            self.table.lay_anew(
                laid,
                await self._desk.ask(
                    lambda _: Layout(laid.items, scale, laid.unfolded)
                ),
            )

    def action_go_to_day(self) -> None:
        """Type a day, and go there."""
        from tui.browser.rooms.timeline.going import popup_of

        popup = popup_of(self.table.shown, self._browser.now, self._browser.palette)
        self._browser.push_screen(popup, self._take_day)

    def _take_day(self, day: int | None) -> None:
        """Go to where a day begins, or the one that is nearest to it."""
        from tui.browser.rooms.timeline.going import nearest_day

        number = None if day is None else nearest_day(self.table.shown, day)
        if number is not None:
            self.table.to(self.table.laid.day_begin(number))
            self._browser.tell()

    async def _survey(self, desk: Desk, found: Found) -> None:
        """Ask when all was, and show it, if it is still what is listed."""
        table, rows = self.table, self.table.rows
        unfolded = frozenset(key for key in table.unfolded if isinstance(key, int))
        try:
            made = await desk.ask_once(
                partial(survey, found=found, looks=self._looks, unfolded=unfolded)
            )
        except GivenUpError:
            return
        if rows is table.rows:
            self._take(made, [leaf.text for leaf in texts(found.query.tree)])

    def _take(self, made: Survey, words: list[str]) -> None:
        def hits(conversation: Conversation) -> Hits:
            return hits_in(conversation.title, words)

        self.table.hits = hits
        self.table.now = self._browser.now
        self.table.show(made.shown, reveals=bool(words))
        self._bar.activity = made.activity
        self._bar.leaving = made.leaving

    @on(Timeline.CloseupsWanted)
    def _wanted(self, event: Timeline.CloseupsWanted) -> None:
        """More is told of what stays in view."""
        event.stop()
        keys = [key for key in event.keys if isinstance(key, int)]
        self.run_worker(
            partial(self._look_closer, keys), group="closeups", exclusive=True
        )

    async def _look_closer(self, rows: list[int]) -> None:
        await asyncio.sleep(_REST)
        if self._desk is not None:
            found = await self._desk.ask(lambda library: library.closeups(rows))
            self.table.bring(rows, found)

    @on(Bar.Clicked, ".activity")
    async def _bar_clicked(self, event: Bar.Clicked) -> None:
        """A status is asked for, a window changed, what is removed next shown."""
        event.stop()
        if event.name == WINDOW:
            await self.action_activity_window()
        elif event.name == REMOVAL:
            self.action_next_removal()
        else:
            text = toggled(
                self._browser.text, [self.kind], "status", event.name, negated=False
            )
            self.post_message(self.Asked(text))

    @property
    def _browser(self) -> Host:
        return cast("Host", self.app)  # pyright: ignore[reportUnknownMemberType]  # what the program returns is not known here

    def _share(self) -> None:
        """List and reader share the screen otherwise than elsewhere.

        Where nothing is listed, the reader says why, and has its usual room for that.
        """
        is_here = self.screen.query_one("#lists", ContentSwitcher).current == self.id
        body = self.screen.query_one("#body", Container)
        body.set_class(is_here and self.table.count() > 0, "by-time")
