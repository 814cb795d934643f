"""What every list of records has in common."""

from tui.commands.command import Command, Group
from tui.commands.guards import needs_record, needs_rows
from tui.commands.scopes import Scope

_LOOKING = (
    Command(
        id="read",
        scope=Scope.LIST,
        group=Group.LOOKING,
        title="Read",
        help="Read the record at the cursor in full.",
        keys=("enter",),
        hint="read",
        guard=needs_record,
    ),
    Command(
        id="scroll-reader-down",
        scope=Scope.LIST,
        group=Group.LOOKING,
        title="Scroll the reader down",
        help="Scroll the reader down; the list keeps the keys.",
        keys=("J",),
        action="scroll_reader(1)",
        guard=needs_record,
    ),
    Command(
        id="scroll-reader-up",
        scope=Scope.LIST,
        group=Group.LOOKING,
        title="Scroll the reader up",
        help="Scroll the reader up; the list keeps the keys.",
        keys=("K",),
        action="scroll_reader(-1)",
        guard=needs_record,
    ),
    Command(
        id="sort",
        scope=Scope.LIST,
        group=Group.LOOKING,
        title="Sort",
        help="Choose what the list is ordered by.",
        keys=("s",),
        hint="sort",
        guard=needs_rows,
    ),
    Command(
        id="reverse",
        scope=Scope.LIST,
        group=Group.LOOKING,
        title="Reverse the order",
        help="Turn the order of the list round.",
        keys=("S",),
        guard=needs_rows,
    ),
)

_MARKING = (
    Command(
        id="mark",
        scope=Scope.LIST,
        group=Group.MARKING,
        title="Mark",
        help="Mark the record at the cursor, or unmark it, and go down.",
        keys=("space",),
        hint="mark",
        guard=needs_rows,
    ),
    Command(
        id="mark-range",
        scope=Scope.LIST,
        group=Group.MARKING,
        title="Mark a range",
        help="Mark from here to where the cursor goes.",
        keys=("v",),
        action="range(True)",
        guard=needs_rows,
    ),
    Command(
        id="unmark-range",
        scope=Scope.LIST,
        group=Group.MARKING,
        title="Unmark a range",
        help="Unmark from here to where the cursor goes.",
        keys=("V",),
        action="range(False)",
        guard=needs_rows,
    ),
    Command(
        id="mark-all",
        scope=Scope.LIST,
        group=Group.MARKING,
        title="Mark all or none",
        help="Mark all that is listed; where all of it is marked, nothing.",
        keys=("a",),
        guard=needs_rows,
    ),
    Command(
        id="invert-marks",
        scope=Scope.LIST,
        group=Group.MARKING,
        title="Invert the marks",
        help="Mark what is listed and not marked, and nothing else.",
        keys=("~",),
        guard=needs_rows,
    ),
)

COMMANDS = (*_LOOKING, *_MARKING)
