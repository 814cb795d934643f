"""What moves the cursor of a list, and the text of a reader, line by line."""

from tui.commands.command import Command, Group
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="down",
        scope=Scope.ROWS,
        group=Group.MOVING,
        title="Down",
        help="One line down.",
        keys=("j", "down"),
        action="move(1)",
    ),
    Command(
        id="up",
        scope=Scope.ROWS,
        group=Group.MOVING,
        title="Up",
        help="One line up.",
        keys=("k", "up"),
        action="move(-1)",
    ),
    Command(
        id="half-page-down",
        scope=Scope.ROWS,
        group=Group.MOVING,
        title="Half a page down",
        help="Half of what is in view down.",
        keys=("ctrl+d",),
        action="half_page(1)",
    ),
    Command(
        id="half-page-up",
        scope=Scope.ROWS,
        group=Group.MOVING,
        title="Half a page up",
        help="Half of what is in view up.",
        keys=("ctrl+u",),
        action="half_page(-1)",
    ),
    Command(
        id="page-down",
        scope=Scope.ROWS,
        group=Group.MOVING,
        title="A page down",
        help="As much as is in view down.",
        keys=("pagedown", "ctrl+f"),
        action="page(1)",
    ),
    Command(
        id="page-up",
        scope=Scope.ROWS,
        group=Group.MOVING,
        title="A page up",
        help="As much as is in view up.",
        keys=("pageup",),
        action="page(-1)",
    ),
    Command(
        id="top",
        scope=Scope.ROWS,
        group=Group.MOVING,
        title="To the top",
        help="To the first line.",
        keys=("g g", "home"),
        word="top",
    ),
    Command(
        id="bottom",
        scope=Scope.ROWS,
        group=Group.MOVING,
        title="To the bottom",
        help="To the last line.",
        keys=("G", "end"),
    ),
)
