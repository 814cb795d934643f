"""What can be done among the links of a record."""

from tui.commands.command import Command, Group
from tui.commands.guards import needs_links
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="walk",
        scope=Scope.LINKS,
        group=Group.MOVING,
        title="Walk on",
        help="Go to the record at the cursor; its own links take the place of these.",
        keys=("l", "right", "enter"),
        hint="follow",
        guard=needs_links,
    ),
    Command(
        id="walk-back",
        scope=Scope.LINKS,
        group=Group.MOVING,
        title="Walk back",
        help="Go back to the record whose links led here, in the end to the list.",
        keys=("h", "left"),
        hint="back",
    ),
    Command(
        id="unfold",
        scope=Scope.LINKS,
        group=Group.LOOKING,
        title="Unfold",
        help="Show what the record at the cursor is linked with in turn, or hide it.",
        keys=("space",),
        hint="unfold",
        guard=needs_links,
    ),
)
