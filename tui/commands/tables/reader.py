"""What can be done in the reader."""

from tui.commands.command import Command, Group
from tui.commands.guards import needs_leads, needs_record
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="follow-link",
        scope=Scope.READER,
        group=Group.MOVING,
        title="Follow the link",
        help="Go to what is linked with this record.",
        keys=("l", "right", "enter"),
        hint="follow",
        guard=needs_leads,
    ),
    Command(
        id="next-link",
        scope=Scope.READER,
        group=Group.MOVING,
        title="Next link",
        help="To the next link of the text, which can then be followed.",
        keys=(")",),
        action="walk_links(1)",
        guard=needs_leads,
    ),
    Command(
        id="previous-link",
        scope=Scope.READER,
        group=Group.MOVING,
        title="Previous link",
        help="To the link of the text before this one.",
        keys=("(",),
        action="walk_links(-1)",
        guard=needs_leads,
    ),
    Command(
        id="back-to-list",
        scope=Scope.READER,
        group=Group.MOVING,
        title="Back to the list",
        help="Turn to the list again.",
        keys=("h", "left"),
        hint="list",
    ),
    Command(
        id="next-section",
        scope=Scope.READER,
        group=Group.MOVING,
        title="Next section",
        help="To the next heading of the text.",
        keys=("}",),
        action="section(1)",
        guard=needs_record,
    ),
    Command(
        id="previous-section",
        scope=Scope.READER,
        group=Group.MOVING,
        title="Previous section",
        help="To the heading before.",
        keys=("{",),
        action="section(-1)",
        guard=needs_record,
    ),
    Command(
        id="wrap",
        scope=Scope.READER,
        group=Group.LOOKING,
        title="Cut long lines",
        help="Cut lines that are too long at the edge, or wrap them again.",
        keys=("W",),
        guard=needs_record,
    ),
)
