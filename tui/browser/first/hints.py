"""A few lines before all else: what is wrong with the settings, or helps who is new.

They go by themselves.
"""

from collections.abc import Sequence

from tui.browser.first.strip import BETWEEN
from tui.keys.keymap import Keymap
from tui.keys.names import shown

STARTS = 3
"""At so many starts they are shown."""

MOST = 3
"""So many lines are told at most."""

_LINES = (
    (("filter", "narrows the list while you type: words, tag:redis, str<.2"),),
    (
        ("next-pane", "turns to the next pane"),
        ("go-back", "goes back"),
        ("undo", "takes any change back"),
    ),
    (("keys", "tells every key"), ("palette", "finds every command by name")),
)


def first_hints(keymap: Keymap, start: int) -> tuple[str, ...]:
    """The lines for a start, the first being 1, with the keys as they are now."""
    if start > STARTS:
        return ()
    lines = (
        BETWEEN.join(
            f"{shown(keys[0])} {told}"
            for command, told in line
            if (keys := keymap.keys(command))
        )
        for line in _LINES
    )
    return tuple(line for line in lines if line)


def complaints_told(complaints: Sequence[str]) -> tuple[str, ...]:
    """What is wrong with the settings, a line each, and how much more there is."""
    if len(complaints) <= MOST:
        return tuple(complaints)
    more = len(complaints) - MOST + 1
    return (*complaints[: MOST - 1], f"And {more} more; all are told when you leave.")
