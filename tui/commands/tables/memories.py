"""What is particular to the list of memories."""

from tui.commands.command import Command, Group
from tui.commands.guards import needs_links, needs_two_marked
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="into-links",
        scope=Scope.MEMORIES,
        group=Group.MOVING,
        title="Into the links",
        help="Turn to what this memory is linked with.",
        keys=("l", "right"),
        hint="links",
        guard=needs_links,
    ),
    Command(
        id="show-archived",
        scope=Scope.MEMORIES,
        group=Group.LOOKING,
        title="Show the archived",
        help="List archived memories too, or no longer.",
        keys=(".",),
    ),
    Command(
        id="way-between",
        scope=Scope.MEMORIES,
        group=Group.LOOKING,
        title="The way between two",
        help="Show the shortest way along edges between the two that are marked.",
        keys=("g p",),
        word="way between",
        guard=needs_two_marked,
    ),
)
