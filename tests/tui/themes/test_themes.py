"""Every theme is complete, and the two without colours have none."""

import re

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Static

from tui.browser.layout import TEXTUAL_THEMES, palette_of
from tui.themes import ANSI, NONE, THEMES
from widgets.styles import HUES


class Themed(App[None]):
    """A widget with a theme."""

    CSS = "Static { background: $panel; color: $hue-gold; border: solid $hue-well; }"

    def __init__(self, theme: str) -> None:
        super().__init__(ansi_color=theme in {ANSI, NONE} or None)
        for known in TEXTUAL_THEMES.values():
            self.register_theme(known)
        self.theme = theme

    def compose(self) -> ComposeResult:
        yield Static("text", markup=False)


def test_every_theme_has_a_palette_of_its_name() -> None:
    assert set(TEXTUAL_THEMES) == set(THEMES)
    assert {palette_of(theme, is_ascii=False).name for theme in THEMES} == set(THEMES)
    assert palette_of(NONE, is_ascii=True).is_ascii


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_knows_every_hue(theme: str) -> None:
    assert {f"hue-{name}" for name in HUES} <= TEXTUAL_THEMES[theme].variables.keys()


@pytest.mark.parametrize("theme", THEMES)
async def test_every_theme_can_be_used(theme: str) -> None:
    app = Themed(theme)
    async with app.run_test():
        assert app.current_theme.name == theme
        assert app.native_ansi_color == (theme in {ANSI, NONE})


async def test_without_colours_no_colour_is_drawn() -> None:
    app = Themed(NONE)
    async with app.run_test():
        style = app.query_one(Static).rich_style

    assert {colour and colour.name for colour in (style.color, style.bgcolor)} <= {
        None,
        "default",
    }
    assert not re.search(r"\b(3|4)[0-8]\b", style.render("x"))
