"""The environment as Textual is to find it: it reads most of it once, when imported."""

import os
from collections.abc import Mapping, MutableMapping

_USUAL = {
    "TEXTUAL_SMOOTH_SCROLL": "0",
    "TEXTUAL_ANIMATIONS": "none",
}
"""Smooth scrolling asks terminals for reports that misplace the mouse after a resize;
what moves by itself is bytes for nothing."""

_ESCAPE = "ESCDELAY"
_ESCAPE_HERE = "25"
_ESCAPE_FROM_AFAR = "75"
"""Milliseconds after which an escape begins nothing; the parts of an arrow key may come
apart on the way."""

_NEVER = (
    "TEXTUAL_DEBUG",
    "TEXTUAL_DRIVER",
    "TEXTUAL_LOG",
    "TEXTUAL_PRESS",
    "TEXTUAL_SCREENSHOT",
    "TEXTUAL_SCREENSHOT_FILENAME",
    "TEXTUAL_SCREENSHOT_LOCATION",
    "TEXTUAL_SHOW_RETURN",
    "TEXTUAL_THEME",
    "TEXTUAL",
)
"""What would write memories into files, press keys, or load code of somebody else's."""

_SIZE = ("COLUMNS", "LINES")
"""What some shells export: how large a window was then. Textual would keep to that
however large it is by now."""

_KITTY = "TEXTUAL_DISABLE_KITTY_KEY"
_DROPS_LETTERS = "iTerm.app"  # codespell:ignore
"""A terminal that, asked for all keys, drops letters composed of several."""

_NO_COLOUR = "NO_COLOR"

_COLOURS = "TEXTUAL_COLOR_SYSTEM"
_KNOWN_COLOURS = frozenset({"auto", "standard", "256", "truecolor"})
"""What Textual can be told; anything else would end it."""


def prepare(environment: MutableMapping[str, str]) -> None:
    """Make the environment fit; to be called before Textual is imported.

    What the user has set stays, unless it would give memories away.
    """
    for name in _NEVER:
        environment.pop(name, None)
    for name in _SIZE if _tells_its_size() else ():
        environment.pop(name, None)
    if environment.get(_NO_COLOUR) == "":
        del environment[_NO_COLOUR]
    if environment.get(_COLOURS) not in _KNOWN_COLOURS:
        environment.pop(_COLOURS, None)
    for name, value in _wanted(environment).items():
        environment.setdefault(name, value)


def _tells_its_size() -> bool:
    """Whether the terminal says by itself how large it is; some over a cable do not."""
    try:
        return min(os.get_terminal_size()) > 0
    except OSError:
        return False


def _wanted(environment: Mapping[str, str]) -> dict[str, str]:
    is_far = "SSH_CONNECTION" in environment
    wanted = _USUAL | {_ESCAPE: _ESCAPE_FROM_AFAR if is_far else _ESCAPE_HERE}
    if environment.get("TERM_PROGRAM") == _DROPS_LETTERS and "TMUX" not in environment:
        wanted[_KITTY] = "1"
    return wanted
