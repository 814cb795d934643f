"""What Textual reads of the environment is as we want it, or as the user does."""

import pytest

from tui.manners.environment import prepare
from tui.manners.screen import has_screen


class Stream:
    """A stream that is a terminal, or is not."""

    def __init__(self, *, is_terminal: bool) -> None:
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


PICKY = {"TERM_PROGRAM": "iTerm.app"}  # codespell:ignore

TERMINAL, PIPE = Stream(is_terminal=True), Stream(is_terminal=False)


def prepared(**environment: str) -> dict[str, str]:
    prepare(environment)
    return environment


def test_nothing_moves_by_itself_and_escape_answers_at_once() -> None:
    assert prepared() == {
        "TEXTUAL_SMOOTH_SCROLL": "0",
        "TEXTUAL_ANIMATIONS": "none",
        "ESCDELAY": "25",
    }


def test_from_afar_the_parts_of_a_key_have_longer() -> None:
    assert prepared(SSH_CONNECTION="1 2 3 4")["ESCDELAY"] == "75"


def test_what_the_user_sets_stays() -> None:
    assert prepared(ESCDELAY="300", TEXTUAL_FPS="15")["ESCDELAY"] == "300"
    assert prepared(TEXTUAL_FPS="15")["TEXTUAL_FPS"] == "15"


@pytest.mark.parametrize(
    ("environment", "is_off"),
    [
        (PICKY, True),
        (PICKY | {"TMUX": "socket,1,0"}, False),
        ({"TERM_PROGRAM": "WezTerm"}, False),
    ],
)
def test_a_terminal_is_spared_what_it_cannot_bear(
    environment: dict[str, str], *, is_off: bool
) -> None:
    assert ("TEXTUAL_DISABLE_KITTY_KEY" in prepared(**environment)) is is_off


@pytest.mark.parametrize(
    "name",
    ["TEXTUAL_DRIVER", "TEXTUAL_LOG", "TEXTUAL_PRESS", "TEXTUAL_SCREENSHOT", "TEXTUAL"],
)
def test_what_would_give_memories_away_goes(name: str) -> None:
    assert name not in prepared(**{name: "something"})


def test_colours_that_nobody_knows_are_not_asked_for() -> None:
    assert "TEXTUAL_COLOR_SYSTEM" not in prepared(TEXTUAL_COLOR_SYSTEM="many")
    assert prepared(TEXTUAL_COLOR_SYSTEM="256")["TEXTUAL_COLOR_SYSTEM"] == "256"


def test_no_colour_is_meant_only_where_it_says_something() -> None:
    assert "NO_COLOR" not in prepared(NO_COLOR="")
    assert prepared(NO_COLOR="1")["NO_COLOR"] == "1"


@pytest.mark.parametrize(
    ("term", "streams", "expected"),
    [
        ("xterm-256color", (TERMINAL, TERMINAL, TERMINAL), True),
        ("xterm-256color", (TERMINAL, PIPE, TERMINAL), False),
        ("xterm-256color", (PIPE, TERMINAL, TERMINAL), False),
        ("xterm-256color", (TERMINAL, TERMINAL, None), False),
        ("dumb", (TERMINAL, TERMINAL, TERMINAL), False),
        ("", (TERMINAL, TERMINAL, TERMINAL), False),
    ],
)
def test_there_is_a_screen_where_one_can_draw_and_type(
    term: str, streams: tuple[Stream | None, ...], *, expected: bool
) -> None:
    assert has_screen({"TERM": term}, *streams) is expected
