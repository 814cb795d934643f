"""A command is run by the nearest pane that can, or says why it can't."""

from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from tui.commands.command import Command, Situation, needs_rows
from tui.commands.registry import obey

DOWN = Command("down", "j", "Down", "Down.", "step(2)", needs_rows)
SEVERAL = Situation(rows=3)


class Pane(Widget, can_focus=True):
    """A pane that handles the command."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    def action_step(self, lines: int) -> None:
        self.steps += lines


class Panes(App[None]):
    """Two panes; without one the program itself handles the command."""

    AUTO_FOCUS = None

    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    def compose(self) -> ComposeResult:
        yield Vertical(Pane(), Pane())

    def action_step(self, lines: int) -> None:
        self.steps += lines


async def test_the_focused_pane_obeys() -> None:
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


async def test_an_impossible_command_says_why_and_does_nothing() -> None:
    app = Panes()
    async with app.run_test():
        assert await obey(app, DOWN, Situation()) == "The list is empty."

    assert app.steps == 0
