"""What is particular to a log: its days, in the list and in the calendar above it."""

from tui.commands.command import Command, Group
from tui.commands.guards import needs_record, needs_rows
from tui.commands.scopes import Scope

_LIST = (
    Command(
        id="follow-entry",
        scope=Scope.EPISODES,
        group=Group.MOVING,
        title="Go to the memory",
        help="Go to the memory that the entry tells of, or to its conversation.",
        keys=("l", "right"),
        hint="memory",
        guard=needs_record,
    ),
    Command(
        id="calendar",
        scope=Scope.EPISODES,
        group=Group.MOVING,
        title="To the calendar",
        help="Turn to the calendar; enter leads back to the entries of a day.",
        keys=("h", "left"),
        hint="calendar",
    ),
)

_CALENDAR = (
    Command(
        id="open-day",
        scope=Scope.CALENDAR,
        group=Group.LOOKING,
        title="See the day",
        help="Turn to the entries of the day, or list what else of it is counted.",
        keys=("enter",),
        hint="see the day",
    ),
    Command(
        id="day-later",
        scope=Scope.CALENDAR,
        group=Group.MOVING,
        title="A day later",
        help="To the next day.",
        keys=("j", "down"),
        hint="day",
        action="day(1)",
    ),
    Command(
        id="day-earlier",
        scope=Scope.CALENDAR,
        group=Group.MOVING,
        title="A day earlier",
        help="To the day before.",
        keys=("k", "up"),
        action="day(-1)",
    ),
    Command(
        id="week-later",
        scope=Scope.CALENDAR,
        group=Group.MOVING,
        title="A week later",
        help="To the same day of the next week.",
        keys=("l", "right"),
        hint="week",
        action="week(1)",
    ),
    Command(
        id="week-earlier",
        scope=Scope.CALENDAR,
        group=Group.MOVING,
        title="A week earlier",
        help="To the same day of the week before.",
        keys=("h", "left"),
        action="week(-1)",
    ),
)

_DAYS = (
    Command(
        id="next-day",
        scope=Scope.DAYS,
        group=Group.MOVING,
        title="Next day in the list",
        help="To the first entry of the day that comes next in the list.",
        keys=("}",),
        action="other_day(1)",
        guard=needs_rows,
    ),
    Command(
        id="previous-day",
        scope=Scope.DAYS,
        group=Group.MOVING,
        title="Previous day in the list",
        help="To the first entry of the day that comes before in the list.",
        keys=("{",),
        action="other_day(-1)",
        guard=needs_rows,
    ),
    Command(
        id="next-month",
        scope=Scope.DAYS,
        group=Group.MOVING,
        title="Next month",
        help="To the first day of the next month of which anything is kept.",
        keys=(")",),
        action="other_month(1)",
    ),
    Command(
        id="previous-month",
        scope=Scope.DAYS,
        group=Group.MOVING,
        title="Previous month",
        help="To the first day of the month before of which anything is kept.",
        keys=("(",),
        action="other_month(-1)",
    ),
    Command(
        id="today",
        scope=Scope.DAYS,
        group=Group.MOVING,
        title="Today",
        help="To today, and what is nearest to it.",
        keys=("g t",),
    ),
    Command(
        id="go-to-date",
        scope=Scope.DAYS,
        group=Group.MOVING,
        title="Go to date",
        help="Type a day and go there: `2026-02-14`, `feb 2026`, `yesterday`, `3w`.",
        keys=("g d",),
        hint="date",
    ),
    Command(
        id="time-range",
        scope=Scope.DAYS,
        group=Group.SEARCHING,
        title="Time range",
        help="Choose what time is looked at; the query says so then.",
        keys=("Z",),
        hint="range",
    ),
    Command(
        id="count-other",
        scope=Scope.DAYS,
        group=Group.LOOKING,
        title="Count something else",
        help="Let the calendar count memories, conversations, or the entries again.",
        keys=("c",),
        hint="count",
    ),
    Command(
        id="day-memories",
        scope=Scope.DAYS,
        group=Group.LOOKING,
        title="Memories of the day",
        help="List the memories that were made or changed on the chosen day.",
        keys=("g w",),
    ),
)

COMMANDS = (*_LIST, *_CALENDAR, *_DAYS)
