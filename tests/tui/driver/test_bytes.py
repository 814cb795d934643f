"""How few bytes are sent where Textual writes thousands."""

from textual.app import App, ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tests.bench.screen import Drawing, Tally, measure_drawing

DRAWINGS = [
    Drawing("cursor", ["down"] * 8, 300),
    Drawing("scroll", ["down"] * 16, 700),
    Drawing("page", ["pagedown"] * 2, 3000),
    Drawing("back", ["up"] * 30, 700),
]


class Listed(App[None]):
    """A list as wide as the screen, under a heading."""

    CSS = "OptionList { height: 1fr; border: none } #heading { background: $panel }"

    def compose(self) -> ComposeResult:
        yield Static("A heading that stays", id="heading")
        yield OptionList(
            *(
                Option(Content(f"{number:5} {'word ' * (number % 12)}"))
                for number in range(1000)
            )
        )


async def test_the_bounds_are_met() -> None:
    tally = Tally()
    app = Listed(driver_class=tally.driver_class())

    figures = await measure_drawing(app, tally, DRAWINGS, start=10_000)

    assert [figure.name for figure in figures if not figure.met] == []
    assert all(figure.value < figure.floor_value / 5 for figure in figures)


async def test_writing_the_same_again_sends_nothing() -> None:
    tally = Tally()
    app = Listed(driver_class=tally.driver_class())

    async with app.run_test(headless=False, size=(80, 24)) as pilot:
        await pilot.pause()
        tally.take()
        app.refresh()
        await pilot.pause()
        written, sent = tally.take()

    assert written > 1000
    assert sent == 0
