"""From one style to another with the shortest sequence."""

import pytest

from tui.driver.screen import PLAIN, Look, styled, transition


def worn(parameters: str) -> Look:
    return styled(PLAIN, parameters)


@pytest.mark.parametrize(
    ("before", "after", "way"),
    [
        ("1;31", "1;31", ""),
        ("1;31", "0", "\x1b[m"),
        ("31", "32", "\x1b[32m"),
        ("1;38;2;1;2;3", "38;2;1;2;3", "\x1b[22m"),
        ("1;2;38;2;1;2;3", "2;38;2;1;2;3", "\x1b[22;2m"),
        ("38;2;1;2;3;48;5;9", "38;2;1;2;3", "\x1b[49m"),
        ("53;38;2;1;2;3", "38;2;1;2;3", "\x1b[0;38;2;1;2;3m"),
    ],
)
def test_the_shortest_transition_is_sent(before: str, after: str, way: str) -> None:
    assert transition(worn(before), worn(after)) == way


def test_from_an_unknown_style_everything_is_sent() -> None:
    assert transition(None, worn("1;31")) == "\x1b[0;1;31m"


@pytest.mark.parametrize("parameters", ["999", "38", "38;7;1", "58;5;1"])
def test_meaningless_codes_change_nothing(parameters: str) -> None:
    assert worn(parameters).foreground == ""
    assert worn(parameters).background == ""


def test_a_blank_shows_its_background_and_its_lines() -> None:
    assert worn("1;3;31;44").bare is worn("44")
    assert worn("4;31;44").bare is worn("4;31;44")
