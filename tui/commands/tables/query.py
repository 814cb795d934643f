"""What can be done in the query bar, beside typing."""

from tui.commands.command import Command, Group
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="query-accept",
        scope=Scope.QUERY,
        group=Group.SEARCHING,
        title="To the list",
        help="Turn to the list; the query stays.",
        keys=("enter",),
        hint="list",
    ),
    Command(
        id="query-complete",
        scope=Scope.QUERY,
        group=Group.SEARCHING,
        title="Complete",
        help="Complete the word that is being typed.",
        keys=("tab",),
        hint="complete",
    ),
    Command(
        id="query-down",
        scope=Scope.QUERY,
        group=Group.SEARCHING,
        title="Down in the list",
        help="Move down in the list while typing.",
        keys=("down", "ctrl+n"),
        action="query_move(1)",
    ),
    Command(
        id="query-up",
        scope=Scope.QUERY,
        group=Group.SEARCHING,
        title="Up in the list",
        help="Move up in the list while typing; where nothing is typed yet, to the "
        "query before.",
        keys=("up", "ctrl+p"),
        action="query_move(-1)",
    ),
    Command(
        id="query-history",
        scope=Scope.QUERY,
        group=Group.SEARCHING,
        title="Earlier queries",
        help="Look among the queries that were typed before.",
        keys=("ctrl+r",),
        hint="history",
    ),
)
