"""What can be asked for anywhere, while text is typed included."""

from tui.commands.command import Command, Group
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="step-back",
        scope=Scope.EVERYWHERE,
        group=Group.PROGRAM,
        title="One step back",
        help="Close what is open, leave the query, clear marks, clear the query, "
        "leave the zoom: one at a time.",
        keys=("escape", "ctrl+g"),
    ),
    Command(
        id="keys",
        scope=Scope.EVERYWHERE,
        group=Group.PROGRAM,
        title="Keys",
        help="Show the keys that hold here, and look for one.",
        keys=("?", "f1"),
        hint="keys",
    ),
    Command(
        id="stop",
        scope=Scope.EVERYWHERE,
        group=Group.PROGRAM,
        title="Stop what is going on",
        help="Stop what is going on; else clear the query; else say how to leave.",
        keys=("ctrl+c",),
    ),
    Command(
        id="redraw",
        scope=Scope.EVERYWHERE,
        group=Group.SCREEN,
        title="Draw the screen anew",
        help="Draw the screen anew, where something else has written on it.",
        keys=("ctrl+l",),
    ),
    Command(
        id="suspend",
        scope=Scope.EVERYWHERE,
        group=Group.PROGRAM,
        title="Suspend",
        help="Back to the shell for a while; `fg` comes back here.",
        keys=("ctrl+z",),
        action="suspend_process",
    ),
    Command(
        id="quit",
        scope=Scope.EVERYWHERE,
        group=Group.PROGRAM,
        title="Quit",
        help="Leave the program at once.",
        keys=("Q", "ctrl+q"),
    ),
)
