"""The room of episodes: what it shows of each day, and where it leads."""

from datetime import date
from functools import partial

from textual import events, on
from textual.containers import Container
from textual.widgets import ContentSwitcher

from store.records.episode import Episode
from store.search.language.leaves import texts
from tui.browser.data.desk import Desk
from tui.browser.data.found import Found, Wish
from tui.browser.rooms.episodes.diary import EPISODES, Diary, diary_of, records_of
from tui.browser.rooms.episodes.going import Going
from tui.browser.rooms.episodes.lines import day_lines
from tui.browser.rooms.episodes.panes import CalendarPane
from tui.commands.scopes import Scope

_NO_EPISODES = (
    "These stores keep no episodes: the calendar counts the {} of each day. "
    "Enter on a day lists them."
)


class EpisodeRoom(Going):
    """Episodes."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.calendar = CalendarPane(self)
        self._diary = Diary()
        self._wish = Wish(kind)
        self._wanted = EPISODES
        """What the calendar shall count."""

    @property
    def holding(self) -> Scope:  # pyright: ignore[reportIncompatibleVariableOverride]  # the calendar has keys of its own while it is turned to
        """The scope of the keys: the calendar's while one is there."""
        return Scope.CALENDAR if self.calendar.has_focus else Scope.EPISODES

    @property
    def needs_list(self) -> bool:
        """Where no episodes are kept, the days tell of something else."""
        return self._diary.keeps_episodes

    async def on_mount(self) -> None:
        """Place the calendar over everything that belongs to the view."""
        body = self.screen.query_one("#body", Container)
        await body.mount(self.calendar, after="#lists")
        switcher = self.screen.query_one("#lists", ContentSwitcher)
        self.watch(switcher, "current", self._turned_to)

    async def shown(self, found: Found, desk: Desk) -> None:
        """Lay the list out by days, and count them."""
        self.table.sought = tuple(leaf.text for leaf in texts(found.query.tree))
        self.table.today = self.today
        diary = self._diary = await desk.ask(partial(diary_of, found=found))
        self._wish = found.wish
        self.table.others = tuple(
            counted for kind, counted in diary.counted.items() if kind != EPISODES
        )
        self.table.lay(diary.outline)
        self._count()
        self.follow()
        if not diary.keeps_episodes:
            self.screen.query_one("#body", Container).remove_class("bare")
            self._turn_to_calendar()
            self.went(self.calendar.chosen)

    def went(self, day: int) -> None:
        """Show what there is of a day: entries, or where none are kept, what else."""
        if self._diary.keeps_episodes:
            super().went(day)
        else:
            self.run_worker(partial(self._tell_day, day), group="day", exclusive=True)

    async def open_day(self, day: int) -> None:
        """Turn to what is counted of a day: its entries, or a list of what else."""
        if self._counted == EPISODES:
            self.show_day(day)
            self.table.focus()
        else:
            await self._list_day(self._counted, day)

    def turned_to_list(self) -> bool:
        """Turn to the list, if there is one to turn to; tells whether there was."""
        if self._diary.keeps_episodes:
            self.table.focus()
        return self._diary.keeps_episodes

    def action_next_pane(self) -> None:
        """From the list to the calendar, from there to whatever comes after both."""
        if self.calendar.has_focus:
            chain = self.screen.focus_chain
            after = chain.index(self.table) + 1 if self.table in chain else 0
            chain[after % len(chain)].focus()
        elif self.calendar.is_in_view:
            self.calendar.focus()
        else:
            self.screen.focus_next()

    def action_previous_pane(self) -> None:
        """From the calendar back to the list."""
        if not (self.calendar.has_focus and self.turned_to_list()):
            self.screen.focus_previous()

    def action_calendar(self) -> None:
        """Turn to the calendar."""
        if self.calendar.is_in_view:
            self.calendar.focus()
        else:
            self.say("There is no room for the calendar here.")

    async def action_follow_entry(self) -> None:
        """Go to what the entry tells of."""
        entry = self.table.at_cursor
        if entry is None:
            return
        ref = entry.memory or await self._told_of(entry)
        if ref is None:
            self.say("This entry tells of no memory that is here.")
        else:
            kind = "memories" if entry.memory else "conversations"
            await self.browser.go(kind, ref, "")

    def action_time_range(self) -> None:
        """Choose what time is looked at: a part of the query."""
        from tui.browser.popups.picker import Picker
        from tui.browser.rooms.episodes.ranges import ranges_menu

        menu = ranges_menu(self.browser.text, self.kind, self.today)
        picker = Picker("time range", menu, self.browser.palette)
        self.browser.push_screen(picker, self._take_range)

    def action_count_other(self) -> None:
        """Count the memories of each day, its conversations, or the entries again."""
        kinds = self._diary.kinds
        if len(kinds) > 1:
            after = kinds.index(self._counted) + 1
            self._wanted = kinds[after % len(kinds)]
            self._count()
            if not self._diary.keeps_episodes:
                self.went(self.calendar.chosen)
        else:
            self.say("There is nothing else that could be counted.")

    async def action_day_memories(self) -> None:
        """List the memories of the day."""
        await self._list_day("memories", self.calendar.chosen)

    @property
    def _counted(self) -> str:
        """What the calendar counts: what is wanted, or the first that there is."""
        usual = EPISODES if self._diary.keeps_episodes else "memories"
        kinds = self._diary.kinds or [usual]
        return self._wanted if self._wanted in kinds else kinds[0]

    def _count(self) -> None:
        """Let the calendar show what it shall count."""
        diary, counted = self._diary, self._diary.counted[self._counted]
        note = _NO_EPISODES.format(counted.noun.many)
        self.table.note = "" if diary.keeps_episodes else note
        self.calendar.show(counted, self.today.toordinal())

    @on(events.DescendantFocus)
    def _turn_to_calendar(self) -> None:
        """Where there is no list to turn to, the calendar has the keys."""
        has_list = self._diary.keeps_episodes
        if not has_list and self.table.has_focus and self.calendar.is_in_view:
            self.calendar.focus()

    def _turned_to(self, room: str | None) -> None:
        """The calendar is there as long as the room is."""
        body = self.screen.query_one("#body", Container)
        body.set_class(room == self.id, "by-days")
        if room != self.id and self.calendar.has_focus:
            self.screen.set_focus(None)

    def _take_range(self, token: str | None) -> None:
        from tui.browser.rooms.episodes.ranges import ranged

        if token is not None:
            text = ranged(self.browser.text, self.kind, token)
            self.post_message(self.Asked(text))

    async def _tell_day(self, day: int) -> None:
        """Tell which of the records that are counted are of a day."""
        at, kind, wish = date.fromordinal(day), self._counted, self._wish
        found = await self.browser.desk.ask(
            lambda library: records_of(library, kind, wish, at)
        )
        self.table.aside = tuple(day_lines(at, self._diary.counted[kind], found))

    async def _told_of(self, entry: Episode) -> str | None:
        """The conversation that an entry tells of."""
        links = await self.browser.desk.ask(
            lambda library: list(library.links(entry.ref))
        )
        return next((link.ref for link in links if link.ref), None)

    async def _list_day(self, kind: str, day: int) -> None:
        """List the records of a kind that were made or changed on a day."""
        from tui.browser.rooms.episodes.ranges import ranged

        token = f"on:{date.fromordinal(day)}"
        text = ranged(self.browser.text, kind, token)
        await self.browser.go(kind, None, text)
