"""What can be asked for where a text is edited on the screen."""

from tui.commands.command import Command, Group
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="done-writing",
        scope=Scope.WRITING,
        group=Group.CHANGING,
        title="Done",
        help="Take the text as it is; what changed is shown before it is saved.",
        keys=("ctrl+x",),
    ),
)
