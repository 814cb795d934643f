"""A page is shown from its top, scrolls by keys, and is cut where nobody reads on."""

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Static

from widgets.reader import Reader

HEIGHT = 10


class ReaderApp(App[None]):
    """Nothing but a page."""

    def compose(self) -> ComposeResult:
        yield Reader()

    def on_mount(self) -> None:
        self.reader.focus()

    @property
    def reader(self) -> Reader:
        return self.query_one(Reader)

    @property
    def shown(self) -> str:
        return str(self.reader.query_one(Static).content)


def page(lines: int) -> str:
    return "\n".join(f"line {number}" for number in range(1, lines + 1))


async def test_a_page_is_shown_as_it_is() -> None:
    app = ReaderApp()
    async with app.run_test(size=(40, HEIGHT)):
        app.reader.show("[b]not bold[/b]\n\n  [@click=app.quit]nor a link[/]\n")

        assert app.shown == "[b]not bold[/b]\n\n  [@click=app.quit]nor a link[/]\n"


@pytest.mark.parametrize(
    ("lines", "last"),
    [
        (2000, "line 2000"),
        (2001, "… and 1 lines more"),
        (50_000, "… and 48000 lines more"),
    ],
)
async def test_a_long_page_is_cut_and_says_so(lines: int, last: str) -> None:
    app = ReaderApp()
    async with app.run_test(size=(40, HEIGHT)):
        app.reader.show(page(lines))

        told = app.shown.split("\n")
        assert told[:2000] == page(2000).split("\n")
        assert (len(told), told[-1]) == (min(lines, 2001), last)


async def test_keys_scroll_the_page() -> None:
    app = ReaderApp()
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.reader.show(page(100))
        await pilot.pause()

        await pilot.press("j", "j", "j", "k")
        assert app.reader.scroll_target_y == 2
        await pilot.press("k", "k", "k")
        assert app.reader.scroll_target_y == 0
        await pilot.press("G")
        assert app.reader.scroll_target_y == app.reader.max_scroll_y > 80
        await pilot.press("j")
        assert app.reader.scroll_target_y == app.reader.max_scroll_y
        await pilot.press("g")
        assert app.reader.scroll_target_y == 0
        await pilot.press("ctrl+d")
        assert app.reader.scroll_target_y > 1


async def test_another_page_begins_at_its_top() -> None:
    app = ReaderApp()
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.reader.show(page(100))
        await pilot.pause()
        await pilot.press("G")

        app.reader.show(page(90))
        await pilot.pause()

        assert app.reader.scroll_y == 0
        assert app.shown == page(90)
