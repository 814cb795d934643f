"""What decides about a memory in a review, beside what changes one anywhere."""

from tui.commands.command import Command, Group
from tui.commands.scopes import Scope


def _deciding(id_: str, keys: tuple[str, ...], title: str, help_: str) -> Command:
    return Command(
        id=id_,
        scope=Scope.REVIEW,
        group=Group.CHANGING,
        title=title,
        help=help_,
        keys=keys,
        hint=title.lower() if keys else "",
    )


COMMANDS = (
    Command(
        id="review",
        scope=Scope.APP,
        group=Group.CHANGING,
        title="Review memories",
        help="Go through what is new, fades, is alone, stands twice or is damaged.",
        keys=("g r",),
        word="review",
    ),
    _deciding("keep", ("space",), "Keep", "It is right as it stands; on to the next."),
    _deciding("later", (".",), "Later", "Leave it for another time; on to the next."),
    _deciding("back-in-review", ("b",), "Back", "To the memory before."),
    _deciding("end-review", (), "End", "Leave off; what was decided stays."),
)
