"""All text is readable: contrast as defined by WCAG."""

from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path

import pytest
from rich.color import Color, ColorSystem
from rich.style import Style

from tests.frames.drawn import FOLDER
from tests.frames.painted import parted, spread
from tui.browser.layout import TEXTUAL_THEMES
from tui.themes import ANSI, CONTRAST, DARK, LIGHT
from widgets.styles import BLURRED, FOCUSED, NOWHERE, PALETTES, TONES

TEXT = 4.5
"""What text has to keep from what it lies on, at least (level AA)."""
SHARP = 7.0
"""The same where contrast counts most (level AAA)."""
DRAWN = 3.0
"""What is drawn and no text has to; and large text."""

PICTURES = {"rule", *(f"heat_{step}" for step in range(5))}
COLOURED = (DARK, LIGHT, CONTRAST)

Rgb = tuple[int, int, int]


def many(colour: Color) -> Rgb:
    """A colour with sixteen million colours."""
    return colour.get_truecolor()


def few(colour: Color) -> Rgb:
    """The same with 256 colours, as in most multiplexers."""
    return colour.downgrade(ColorSystem.EIGHT_BIT).get_truecolor()


def luminance(colour: Rgb) -> float:
    """The luminance of a colour, from 0 to 1."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgb, other: Rgb) -> float:
    """The contrast of two colours, from 1 to 21."""
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def ground(theme: str) -> Style:
    """The background."""
    worn = TEXTUAL_THEMES[theme]
    return Style(color=worn.foreground, bgcolor=worn.background)


def colours(style: Style) -> tuple[Color, Color]:
    """The foreground and the background."""
    assert style.color
    assert style.bgcolor
    both = style.color, style.bgcolor
    return (both[1], both[0]) if style.reverse else both


def written(theme: str, tones: str, cursor: str = NOWHERE) -> tuple[Color, Color]:
    """A piece of text as it looks on the screen."""
    palette = PALETTES[theme]
    base = ground(theme) + (palette.base or Style.null())
    return colours(base + palette.style(tones, cursor))


def least(theme: str, tone: str, cursor: str, seen: Callable[[Color], Rgb]) -> float:
    """The minimum contrast of a tone."""
    if tone in PICTURES or (seen is few and cursor == FOCUSED):
        return DRAWN
    return SHARP if theme == CONTRAST and not cursor else TEXT


@pytest.mark.parametrize("theme", COLOURED)
@pytest.mark.parametrize("seen", [many, few])
def test_every_tone_is_readable_on_every_background(
    theme: str, seen: Callable[[Color], Rgb]
) -> None:
    told = {
        (tone, cursor): contrast(*map(seen, written(theme, tone, cursor)))
        for tone, cursor in product(TONES, (NOWHERE, BLURRED, FOCUSED))
        if not cursor or tone not in PICTURES
    }

    assert {
        at: ratio for at, ratio in told.items() if ratio < least(theme, *at, seen)
    } == {}


@pytest.mark.parametrize("theme", COLOURED)
@pytest.mark.parametrize("seen", [many, few])
def test_every_tone_is_readable_in_a_bar(
    theme: str, seen: Callable[[Color], Rgb]
) -> None:
    told = {
        tone: contrast(*map(seen, written(theme, f"bar {tone}")))
        for tone in TONES.keys() - PICTURES
    }

    assert {tone: ratio for tone, ratio in told.items() if ratio < TEXT} == {}


@pytest.mark.parametrize("theme", COLOURED)
@pytest.mark.parametrize("seen", [many, few])
def test_the_cursor_has_a_background_of_its_own(
    theme: str, seen: Callable[[Color], Rgb]
) -> None:
    rows = [written(theme, "", cursor) for cursor in (NOWHERE, BLURRED, FOCUSED)]
    behind = {seen(ground) for _, ground in rows}

    assert len(behind) == len(rows)


def test_faint_text_is_less_faint_at_the_cursor() -> None:
    for theme in (DARK, LIGHT):
        assert written(theme, "faint", FOCUSED)[0] == written(theme, "muted")[0]
        assert written(theme, "faint")[0] != written(theme, "muted")[0]


def written_in(view: Path) -> dict[str, set[Style]]:
    """The look of letters and digits in a view, by theme."""
    rows, (head, *legend) = parted(view.read_text(encoding="utf-8"))
    seen = {
        look
        for text, looks in zip(rows[::2], rows[1::2], strict=True)
        for character, look in zip(text, spread(looks, len(text)), strict=False)
        if character.isalnum()
    }
    begun = [head.index(theme) for theme in (*COLOURED, ANSI)]
    return {
        theme: {Style.parse(line[at:end]) for line in legend if line[0] in seen}
        for theme, (at, end) in zip(COLOURED, pairwise(begun), strict=True)
    }


@pytest.mark.parametrize(
    "view", sorted(FOLDER.glob("*-themes.txt")), ids=lambda p: p.stem
)
@pytest.mark.parametrize("seen", [many, few])
def test_all_words_of_a_view_are_readable(
    view: Path, seen: Callable[[Color], Rgb]
) -> None:
    for theme, styles in written_in(view).items():
        assert styles
        for style in styles:
            is_at_cursor = colours(style)[1] == written(theme, "", FOCUSED)[1]
            enough = least(theme, "", FOCUSED if is_at_cursor else BLURRED, seen)
            assert contrast(*map(seen, colours(style))) >= enough, (theme, style)
