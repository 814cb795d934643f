"""What is particular to the list of problems."""

from tui.commands.command import Command, Group
from tui.commands.guards import needs_record_or_row, needs_rows, possible_fix
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="fix",
        scope=Scope.PROBLEMS,
        group=Group.CHANGING,
        title="Mend this",
        help="Show what would mend the problem, and do it.",
        keys=("x",),
        hint="mend",
        guard=possible_fix,
    ),
    Command(
        id="fix-all",
        scope=Scope.PROBLEMS,
        group=Group.CHANGING,
        title="Mend all that is listed",
        help="Show what would mend all that can be mended from here, and do it.",
        keys=("X",),
        hint="mend all",
        guard=needs_rows,
    ),
    Command(
        id="ignore",
        scope=Scope.PROBLEMS,
        group=Group.CHANGING,
        title="Ignore",
        help="Leave the problem out from now on, or tell it again.",
        keys=("i",),
        hint="ignore",
        guard=needs_record_or_row,
    ),
    Command(
        id="show-ignored",
        scope=Scope.PROBLEMS,
        group=Group.LOOKING,
        title="Show the ignored",
        help="List problems too that are ignored, or no longer.",
        keys=(".",),
    ),
)
