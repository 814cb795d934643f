"""The agenda and the calendar as keys reach them."""

from typing import Protocol

from textual import on

from tui.browser.panes import ListKeys
from widgets.agenda.agenda import Agenda
from widgets.calendar.calendar import Calendar
from widgets.calendar.weeks import WEEK


class EpisodeList(Agenda, ListKeys):
    """The list of episodes."""


class Keeper(Protocol):
    """Who keeps list and calendar together, and knows what is asked of both."""

    def went(self, day: int) -> None:
        """Somebody went to a day in the calendar."""
        ...

    def turned_to_list(self) -> bool:
        """Turn to the list, if there is one to turn to; tells whether there was."""
        ...

    async def open_day(self, day: int) -> None:
        """Somebody wants to see what there is of it."""
        ...

    def action_next_pane(self) -> None:
        """Turn to the pane that comes after both."""
        ...

    def action_previous_pane(self) -> None:
        """Turn to the list."""
        ...

    def action_other_day(self, step: int) -> None:
        """Go to another day of which there is something."""
        ...

    def action_other_month(self, step: int) -> None:
        """Go to another month."""
        ...

    def action_today(self) -> None:
        """Go to today."""
        ...

    def action_go_to_date(self) -> None:
        """Go to a day that is typed."""
        ...

    def action_time_range(self) -> None:
        """Choose what time is looked at."""
        ...

    def action_count_other(self) -> None:
        """Count something else."""
        ...

    async def action_day_memories(self) -> None:
        """List the memories of the day."""
        ...


class CalendarPane(Calendar):
    """The calendar; it stands beside the room, and hands on what is about both."""

    def __init__(self, keeper: Keeper) -> None:
        super().__init__(id="calendar")
        self._keeper = keeper

    @property
    def is_in_view(self) -> bool:
        """Whether there is room for it on the screen."""
        return all(node.display for node in self.ancestors_with_self)

    def action_day(self, step: int) -> None:
        """Go to another day."""
        self.go(self.chosen + step)

    def action_week(self, step: int) -> None:
        """Go to the same day of another week."""
        self.go(self.chosen + WEEK * step)

    def action_next_pane(self) -> None:
        """Turn to the pane that comes after calendar and list."""
        self._keeper.action_next_pane()

    def action_previous_pane(self) -> None:
        """Turn to the list."""
        self._keeper.action_previous_pane()

    async def action_step_back(self) -> None:
        """Back to the list, before anything else."""
        if not self._keeper.turned_to_list():
            await self.app.run_action("app.step_back")  # pyright: ignore[reportUnknownMemberType]  # what the program returns is not known here

    async def action_leave(self) -> None:
        """The same."""
        if not self._keeper.turned_to_list():
            await self.app.run_action("app.leave")  # pyright: ignore[reportUnknownMemberType]  # as above

    async def action_open_day(self) -> None:
        """See what there is of the day."""
        await self._keeper.open_day(self.chosen)

    def action_other_day(self, step: int) -> None:
        """Go to another day of which there is something."""
        self._keeper.action_other_day(step)

    def action_other_month(self, step: int) -> None:
        """Go to another month."""
        self._keeper.action_other_month(step)

    def action_today(self) -> None:
        """Go to today."""
        self._keeper.action_today()

    def action_go_to_date(self) -> None:
        """Go to a day that is typed."""
        self._keeper.action_go_to_date()

    def action_time_range(self) -> None:
        """Choose what time is looked at."""
        self._keeper.action_time_range()

    def action_count_other(self) -> None:
        """Count something else."""
        self._keeper.action_count_other()

    async def action_day_memories(self) -> None:
        """List the memories of the day."""
        await self._keeper.action_day_memories()

    @on(Calendar.Went)
    def _went(self, event: Calendar.Went) -> None:
        event.stop()
        self._keeper.went(event.day)

    @on(Calendar.Opened)
    async def _opened(self, event: Calendar.Opened) -> None:
        event.stop()
        await self._keeper.open_day(event.day)
