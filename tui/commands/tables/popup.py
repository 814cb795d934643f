"""What can be done where one types to find and chooses: palette, help, pickers."""

from tui.commands.command import Command, Group
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="choose",
        scope=Scope.POPUP,
        group=Group.MOVING,
        title="Choose",
        help="Take what is at the cursor.",
        keys=("enter",),
        hint="choose",
    ),
    Command(
        id="choice-down",
        scope=Scope.POPUP,
        group=Group.MOVING,
        title="Next choice",
        help="One choice down.",
        keys=("down", "ctrl+n", "tab"),
        action="choice(1)",
    ),
    Command(
        id="choice-up",
        scope=Scope.POPUP,
        group=Group.MOVING,
        title="Previous choice",
        help="One choice up.",
        keys=("up", "ctrl+p", "shift+tab"),
        action="choice(-1)",
    ),
    Command(
        id="choices-page-down",
        scope=Scope.POPUP,
        group=Group.MOVING,
        title="A page of choices down",
        help="As many choices as are in view down.",
        keys=("pagedown",),
        action="choice_page(1)",
    ),
    Command(
        id="choices-page-up",
        scope=Scope.POPUP,
        group=Group.MOVING,
        title="A page of choices up",
        help="As many choices as are in view up.",
        keys=("pageup",),
        action="choice_page(-1)",
    ),
)
