"""A command is carried out by the nearest pane that can, or says why it is not."""

from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from tui.commands.command import Command, Group
from tui.commands.guards import needs_rows
from tui.commands.obeying import obey
from tui.commands.scopes import Scope
from tui.commands.situation import Situation

DOWN = Command(
    id="down",
    scope=Scope.ROWS,
    group=Group.MOVING,
    title="Down",
    help="Down.",
    action="step(2)",
    guard=needs_rows,
)
SEVERAL = Situation(rows=3)


class Pane(Widget, can_focus=True):
    """Something that steps."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    def action_step(self, lines: int) -> None:
        self.steps += lines


class Panes(App[None]):
    """Two panes; without one the program itself steps."""

    AUTO_FOCUS = None

    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    def compose(self) -> ComposeResult:
        yield Vertical(Pane(), Pane())

    def action_step(self, lines: int) -> None:
        self.steps += lines


async def test_the_pane_with_the_focus_obeys() -> None:
    app = Panes()
    async with app.run_test():
        first, second = app.query(Pane)
        app.set_focus(second)

        assert await obey(app, DOWN, SEVERAL) is None

    assert (first.steps, second.steps, app.steps) == (0, 2, 0)


async def test_without_a_focus_the_program_obeys() -> None:
    app = Panes()
    async with app.run_test():
        await obey(app, DOWN, SEVERAL)

    assert app.steps == 2


async def test_what_is_not_possible_says_why_and_nothing_happens() -> None:
    app = Panes()
    async with app.run_test():
        assert await obey(app, DOWN, Situation()) == "The list is empty."

    assert app.steps == 0
