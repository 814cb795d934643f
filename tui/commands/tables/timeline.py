"""What is particular to the timeline of conversations."""

from tui.commands.command import Command, Group
from tui.commands.guards import needs_record, needs_rows
from tui.commands.scopes import Scope

_MOVING = (
    Command(
        id="unfold-agents",
        scope=Scope.TIMELINE,
        group=Group.LOOKING,
        title="Show sub-agents",
        help="Show the conversations of the sub-agents that this one started.",
        keys=("l", "right"),
        action="fold_agents(False)",
        guard=needs_record,
    ),
    Command(
        id="fold-agents",
        scope=Scope.TIMELINE,
        group=Group.LOOKING,
        title="Fold sub-agents away",
        help="Fold the conversations of sub-agents away, and go to who started them.",
        keys=("h", "left"),
        action="fold_agents(True)",
        guard=needs_record,
    ),
    Command(
        id="later-day",
        scope=Scope.TIMELINE,
        group=Group.MOVING,
        title="Next day",
        help="To the first conversation of the next day that has any.",
        keys=("}",),
        hint="day",
        action="other_day(1)",
        guard=needs_rows,
    ),
    Command(
        id="earlier-day",
        scope=Scope.TIMELINE,
        group=Group.MOVING,
        title="Previous day",
        help="To the first conversation of this day, then of the day before.",
        keys=("{",),
        action="other_day(-1)",
        guard=needs_rows,
    ),
    Command(
        id="now",
        scope=Scope.TIMELINE,
        group=Group.MOVING,
        title="Now",
        help="To the conversation that went on last.",
        keys=("g t",),
        guard=needs_rows,
    ),
    Command(
        id="go-to-day",
        scope=Scope.TIMELINE,
        group=Group.MOVING,
        title="Go to a day",
        help="Type a day and go there: `2026-02-14`, `feb 2026`, `yesterday`, `3w`.",
        keys=("g d",),
        word="day",
        guard=needs_rows,
    ),
    Command(
        id="next-removal",
        scope=Scope.TIMELINE,
        group=Group.MOVING,
        title="What is removed next",
        help="To what the agent's own clean-up removes next, and that is not kept.",
        keys=("g x",),
        word="next removed",
        guard=needs_rows,
    ),
)

_KEEPING = (
    Command(
        id="rescue",
        scope=Scope.TIMELINE,
        group=Group.CHANGING,
        title="Rescue what is removed next",
        help="Keep all that the agent's own clean-up removes within a week.",
        keys=("X",),
        guard=needs_rows,
    ),
)

_DRAWING = (
    Command(
        id="show-skipped",
        scope=Scope.TIMELINE,
        group=Group.LOOKING,
        title="Show the skipped",
        help="List conversations too that are archived or skipped, or no longer.",
        keys=(".",),
        action="show_archived",
    ),
    Command(
        id="activity-window",
        scope=Scope.TIMELINE,
        group=Group.SCREEN,
        title="Look further back",
        help="Draw the activity of 24 hours, 7 days, 30 days, or of all there is.",
        keys=("Z",),
        hint="range",
    ),
    Command(
        id="quiet-scale",
        scope=Scope.TIMELINE,
        group=Group.SCREEN,
        title="Scale of quiet",
        help="Draw quiet by doubling, in proportion, or not at all.",
        keys=("=",),
    ),
)

COMMANDS = (*_MOVING, *_KEEPING, *_DRAWING)
