"""What can be done in the transcript of a conversation."""

from tui.commands.command import Command, Group
from tui.commands.scopes import Scope

_LOOKING = (
    Command(
        id="unfold-part",
        scope=Scope.TRANSCRIPT,
        group=Group.LOOKING,
        title="Unfold",
        help="Show all of a call, a thought or an aside, or fold it again.",
        keys=("space", "enter"),
        action="unfold",
        hint="unfold",
    ),
    Command(
        id="unfold-all",
        scope=Scope.TRANSCRIPT,
        group=Group.LOOKING,
        title="Unfold all or nothing",
        help="Show all of everything, or fold everything again.",
        keys=("a",),
    ),
    Command(
        id="show-kinds",
        scope=Scope.TRANSCRIPT,
        group=Group.LOOKING,
        title="What is shown",
        help="Choose what is shown: everything, what is said, prompts, or errors.",
        keys=("f",),
        hint="show",
    ),
)

_MOVING = (
    Command(
        id="follow-part",
        scope=Scope.TRANSCRIPT,
        group=Group.MOVING,
        title="Follow",
        help="Go to the memory that was written, or to what a sub-agent did.",
        keys=("l", "right"),
    ),
    Command(
        id="outline",
        scope=Scope.TRANSCRIPT,
        group=Group.MOVING,
        title="Outline",
        help="Choose among the prompts, and go there.",
        keys=("g o",),
    ),
    Command(
        id="go-to-time",
        scope=Scope.TRANSCRIPT,
        group=Group.MOVING,
        title="Go to a time",
        help="Type a time or choose an hour, and go to what was said then.",
        keys=("g t",),
        word="time",
    ),
    Command(
        id="next-conversation",
        scope=Scope.TRANSCRIPT,
        group=Group.MOVING,
        title="Next of the list",
        help="Read the next conversation or message of the list; the keys stay here.",
        keys=("J",),
        action="conversation(1)",
    ),
    Command(
        id="previous-conversation",
        scope=Scope.TRANSCRIPT,
        group=Group.MOVING,
        title="Previous of the list",
        help="Read the one before in the list; the keys stay here.",
        keys=("K",),
        action="conversation(-1)",
    ),
    Command(
        id="leave-transcript",
        scope=Scope.TRANSCRIPT,
        group=Group.MOVING,
        title="Back to the list",
        help="Turn to the list again.",
        keys=("h", "left"),
        action="back_to_list",
        hint="list",
    ),
    Command(
        id="next-prompt",
        scope=Scope.TRANSCRIPT,
        group=Group.MOVING,
        title="Next prompt",
        help="To what was asked next.",
        keys=("}",),
        action="prompt(1)",
        hint="prompt",
    ),
    Command(
        id="previous-prompt",
        scope=Scope.TRANSCRIPT,
        group=Group.MOVING,
        title="Previous prompt",
        help="To what was asked before.",
        keys=("{",),
        action="prompt(-1)",
    ),
)

_COPYING = (
    Command(
        id="copy-code",
        scope=Scope.TRANSCRIPT,
        group=Group.COPYING,
        title="Copy the code",
        help="Copy a piece of code of what is said, or the command that a tool ran.",
        keys=("y c",),
        word="code",
    ),
    Command(
        id="copy-resume",
        scope=Scope.TRANSCRIPT,
        group=Group.COPYING,
        title="Copy the command to resume",
        help="Copy the command that takes the session up again; says whether its "
        "folder is still there.",
        keys=("y r",),
        word="resume",
    ),
)

COMMANDS = (*_LOOKING, *_MOVING, *_COPYING)
