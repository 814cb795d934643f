"""What is particular to journals: charts, where figures come from, questions."""

from tui.commands.command import Command, Group
from tui.commands.guards import needs_record
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="follow-proof",
        scope=Scope.JOURNALS,
        group=Group.MOVING,
        title="Go to the proof",
        help="Go to what proves a claim; from any other row to the sitting or the "
        "agent that it belongs to. What lies in no store is copied, never opened.",
        keys=("l", "right"),
        hint="proof",
        guard=needs_record,
    ),
    Command(
        id="copy-line",
        scope=Scope.JOURNALS,
        group=Group.COPYING,
        title="Copy as a line of jq or sqlite3",
        help="Copy the line that finds in the journals, or in the ledger, what is "
        "listed here; what it cannot say is told.",
        keys=("y j",),
        word="line",
    ),
    Command(
        id="chart-window",
        scope=Scope.JOURNALS,
        group=Group.SCREEN,
        title="Look further back",
        help="Chart 24 hours, 7, 30 or 90 days, or all there is.",
        keys=("Z",),
        hint="range",
    ),
    Command(
        id="chart-other",
        scope=Scope.JOURNALS,
        group=Group.SCREEN,
        title="Count, or time",
        help="Chart how many there were of each day, or how long they took together.",
        keys=("=",),
    ),
)
