"""Three lines for who is new here; they go by themselves."""

from tui.keys.keymap import Keymap
from tui.keys.names import shown

STARTS = 3
"""At so many starts they are shown."""

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
        " · ".join(
            f"{shown(keys[0])} {told}"
            for command, told in line
            if (keys := keymap.keys(command))
        )
        for line in _LINES
    )
    return tuple(line for line in lines if line)
