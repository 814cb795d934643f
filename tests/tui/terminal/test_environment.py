"""The environment is adapted for Textual, or left as the user set it."""

import pytest

from tui.terminal.streams import has_screen, prepare


class Stream:
    """A stream that is a terminal, or not."""

    def __init__(self, *, is_terminal: bool) -> None:
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


PICKY = {"TERM_PROGRAM": "iTerm.app"}  # codespell:ignore

TERMINAL, PIPE = Stream(is_terminal=True), Stream(is_terminal=False)


def prepared(**environment: str) -> dict[str, str]:
    prepare(environment)
    return environment


def test_nothing_moves_on_its_own_and_keys_are_answered_at_once() -> None:
    assert prepared() == {
        "TEXTUAL_SMOOTH_SCROLL": "0",
        "TEXTUAL_ANIMATIONS": "none",
        "TEXTUAL_FPS": "250",
        "ESCDELAY": "25",
    }


def test_over_ssh_the_parts_of_a_key_have_longer() -> None:
    assert prepared(SSH_CONNECTION="1 2 3 4")["ESCDELAY"] == "75"


def test_settings_of_the_user_stay() -> None:
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
def test_unsupported_features_are_not_used(
    environment: dict[str, str], *, is_off: bool
) -> None:
    assert ("TEXTUAL_DISABLE_KITTY_KEY" in prepared(**environment)) is is_off


@pytest.mark.parametrize(
    "name",
    ["TEXTUAL_DRIVER", "TEXTUAL_LOG", "TEXTUAL_PRESS", "TEXTUAL_SCREENSHOT", "TEXTUAL"],
)
def test_variables_that_would_leak_memories_are_removed(name: str) -> None:
    assert name not in prepared(**{name: "something"})


def test_unknown_colours_are_not_used() -> None:
    assert "TEXTUAL_COLOR_SYSTEM" not in prepared(TEXTUAL_COLOR_SYSTEM="many")
    assert prepared(TEXTUAL_COLOR_SYSTEM="256")["TEXTUAL_COLOR_SYSTEM"] == "256"


def test_no_colour_counts_only_if_it_is_not_empty() -> None:
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
def test_a_screen_needs_a_terminal_to_draw_and_type(
    term: str, streams: tuple[Stream | None, ...], *, expected: bool
) -> None:
    assert has_screen({"TERM": term}, *streams) is expected
