"""Colours and glyphs depend on the terminal first, then on the user's choice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.themes import (
    ANSI,
    CONTRAST,
    DARK,
    LIGHT,
    NONE,
    THEMES,
    Colours,
    Options,
    choose,
    possible_themes,
)

NOTHING_ASKED = Options()
XTERM = {"TERM": "xterm-256color", "LANG": "en_GB.UTF-8"}


@pytest.mark.parametrize(
    ("environment", "colours", "theme"),
    [
        ({"TERM": "xterm-256color"}, Colours.MANY, DARK),
        ({"TERM": "tmux-256color"}, Colours.MANY, DARK),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Colours.ALL, DARK),
        ({"TERM": "xterm"}, Colours.SIXTEEN, ANSI),
        ({"TERM": "linux"}, Colours.SIXTEEN, ANSI),
        ({"TERM": "screen"}, Colours.SIXTEEN, ANSI),
        ({"TERM": "dumb"}, Colours.NONE, NONE),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, Colours.NONE, NONE),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, Colours.MANY, LIGHT),
        ({"TERM": "xterm-256color", "COLORFGBG": "15;default;0"}, Colours.MANY, DARK),
    ],
)
def test_a_terminal_gets_a_theme_that_it_can_show(
    environment: dict[str, str], colours: Colours, theme: str
) -> None:
    chosen = choose(environment, None, NOTHING_ASKED)

    assert (chosen.colours, chosen.theme) == (colours, theme)


def test_the_remembered_choice_applies() -> None:
    assert choose(XTERM, LIGHT, NOTHING_ASKED).theme == LIGHT


def test_the_option_takes_precedence() -> None:
    assert choose(XTERM, LIGHT, Options(theme=CONTRAST)).theme == CONTRAST


def test_a_theme_the_terminal_cannot_show_stays_for_others() -> None:
    chosen = choose({"TERM": "linux"}, LIGHT, NOTHING_ASKED)

    assert (chosen.theme, chosen.complaint) == (ANSI, None)


def test_without_colours_no_theme_has_any() -> None:
    assert choose(XTERM | {"NO_COLOR": "1"}, DARK, Options(theme=LIGHT)).theme == NONE


def test_an_unknown_theme_is_reported() -> None:
    chosen = choose(XTERM, "solarised", NOTHING_ASKED)

    assert chosen.theme == DARK
    assert chosen.complaint == (
        "Unknown theme 'solarised' "
        "(choose from dark, light, high-contrast, ansi, none)."
    )


@pytest.mark.parametrize(
    ("environment", "is_ascii"),
    [
        ({}, False),
        ({"LANG": "en_GB.UTF-8"}, False),
        ({"LANG": "de_DE.utf8@euro"}, False),
        ({"LANG": "C"}, True),
        ({"LANG": "de_DE.ISO-8859-1"}, True),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, False),
        ({"LC_ALL": "POSIX", "LANG": "en_GB.UTF-8"}, True),
        ({"LC_ALL": "", "LANG": "en_GB.UTF-8"}, False),
    ],
)
def test_glyphs_follow_the_encoding(
    environment: dict[str, str], *, is_ascii: bool
) -> None:
    assert choose(environment, None, NOTHING_ASKED).is_ascii is is_ascii


def test_ascii_can_be_requested() -> None:
    assert choose(XTERM, None, Options(is_ascii=True)).is_ascii


@given(
    st.dictionaries(
        st.sampled_from(["TERM", "COLORTERM", "NO_COLOR", "COLORFGBG", "LANG"]),
        st.text(max_size=12),
    ),
    st.none() | st.sampled_from(THEMES) | st.text(max_size=5),
)
def test_every_terminal_gets_a_theme_that_it_can_show(
    environment: dict[str, str], remembered: str | None
) -> None:
    chosen = choose(environment, remembered, NOTHING_ASKED)

    assert chosen.theme in possible_themes(chosen.colours)
