"""What can be answered where a plan, a difference or a conflict is shown."""

from tui.commands.command import Command, Group
from tui.commands.scopes import Scope


def _answer(value: str, keys: tuple[str, ...], title: str, help_: str) -> Command:
    return Command(
        id=f"answer-{value}",
        scope=Scope.QUESTION,
        group=Group.CHANGING,
        title=title,
        help=help_,
        keys=keys,
        action=f"answer('{value}')",
    )


COMMANDS = (
    _answer("yes", ("enter",), "Do it", "Give the first of the answers."),
    _answer("diff", ("v",), "Show the difference", "Show which bytes would change."),
    _answer("again", ("e",), "Edit again", "Go on in the editor where one left it."),
    _answer(
        "revert",
        ("r",),
        "Leave a part as it was",
        "Choose one of the places that were changed, and leave it as it was.",
    ),
    _answer("drop", ("x",), "Begin anew", "Forget the draft that is kept."),
    _answer("mine", ("1",), "Keep mine", "Write mine over what came in between."),
    _answer("theirs", ("2",), "Keep theirs", "Leave what came in between."),
    _answer("both", ("3",), "Merge both", "Put both together in the editor."),
    Command(
        id="question-down",
        scope=Scope.QUESTION,
        group=Group.MOVING,
        title="Scroll down",
        help="Read on.",
        keys=("j", "down"),
        action="move(1)",
    ),
    Command(
        id="question-up",
        scope=Scope.QUESTION,
        group=Group.MOVING,
        title="Scroll up",
        help="Read what came before.",
        keys=("k", "up"),
        action="move(-1)",
    ),
    Command(
        id="question-page-down",
        scope=Scope.QUESTION,
        group=Group.MOVING,
        title="A page down",
        help="Read on by what is in view.",
        keys=("pagedown", "ctrl+d", "space"),
        action="page(1)",
    ),
    Command(
        id="question-page-up",
        scope=Scope.QUESTION,
        group=Group.MOVING,
        title="A page up",
        help="Read back by what is in view.",
        keys=("pageup", "ctrl+u"),
        action="page(-1)",
    ),
)
