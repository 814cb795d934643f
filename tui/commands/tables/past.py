"""What was: who wrote a record, what tells of it, and what came of it."""

from tui.commands.command import Command, Group
from tui.commands.guards import needs_file, needs_past, needs_record
from tui.commands.scopes import Scope

COMMANDS = (
    Command(
        id="to-writer",
        scope=Scope.RECORD,
        group=Group.MOVING,
        title="To the message that wrote it",
        help="Go to the message of the conversation in which this was written.",
        keys=("g c",),
        word="its writer",
        guard=needs_record,
    ),
    Command(
        id="to-teller",
        scope=Scope.RECORD,
        group=Group.MOVING,
        title="To the episode that tells of it",
        help="Go to the entry of a daily log that tells of this.",
        keys=("g e",),
        word="its episode",
        guard=needs_record,
    ),
    Command(
        id="to-memories",
        scope=Scope.RECORD,
        group=Group.MOVING,
        title="To the memories of it",
        help="Go to the memories that this wrote, or that it tells of.",
        keys=("g m",),
        word="its memories",
        guard=needs_record,
    ),
    Command(
        id="to-problems",
        scope=Scope.RECORD,
        group=Group.MOVING,
        title="To what is wrong with it",
        help="List the problems of the file that this stands in.",
        keys=("g h",),
        word="its problems",
        guard=needs_file,
    ),
    Command(
        id="as-of",
        scope=Scope.APP,
        group=Group.LOOKING,
        title="As of a day",
        help="Look at the stores as they were on a day, to read and not to change.",
        keys=("@",),
    ),
    Command(
        id="back-to-now",
        scope=Scope.APP,
        group=Group.LOOKING,
        title="Back to now",
        help="Look at the stores as they are again.",
        guard=needs_past,
    ),
    Command(
        id="since-then",
        scope=Scope.APP,
        group=Group.LOOKING,
        title="What is other since then",
        help="Tell how the day that is looked back at differs from now, view by view.",
        guard=needs_past,
    ),
    Command(
        id="what-is-new",
        scope=Scope.APP,
        group=Group.LOOKING,
        title="What is new",
        help="Tell what came or changed since you last looked, store by store.",
        keys=("g n",),
        word="news",
    ),
)
