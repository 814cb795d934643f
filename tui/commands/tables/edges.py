"""What is particular to the list of edges."""

from tui.commands.command import Command, Group
from tui.commands.guards import needs_record
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="go-to-end",
        scope=Scope.EDGES,
        group=Group.MOVING,
        title="Go to its end",
        help="Go to the memory that the edge leads to.",
        keys=("l", "right"),
        hint="to",
        action="go_to_side('to')",
        guard=needs_record,
    ),
    Command(
        id="go-to-start",
        scope=Scope.EDGES,
        group=Group.MOVING,
        title="Go to its start",
        help="Go to the memory that the edge comes from.",
        keys=("h", "left"),
        hint="from",
        action="go_to_side('from')",
        guard=needs_record,
    ),
)
