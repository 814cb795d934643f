"""What can be done in the pane of facets."""

from tui.commands.command import Command, Group
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="toggle-facet",
        scope=Scope.FACETS,
        group=Group.SEARCHING,
        title="Ask for it",
        help="Ask for what is at the cursor, or no more; it is written in the query.",
        keys=("enter", "space", "l", "right"),
        hint="ask",
    ),
    Command(
        id="negate-facet",
        scope=Scope.FACETS,
        group=Group.SEARCHING,
        title="Leave it out",
        help="Ask for all but what is at the cursor, or no more.",
        keys=("-",),
        hint="leave out",
    ),
)
