"""What a terminal is known to do right, from its own description."""

import os

from msgspec import Struct

_SCROLLING = {
    "csr": b"\x1b[%i%p1%d;%p2%dr",
    "il": b"\x1b[%p1%dL",
    "dl": b"\x1b[%p1%dM",
}
"""How a terminal must put it, to be told so."""


class Abilities(Struct, frozen=True):
    """What may be sent to a terminal beyond text, colours and moves of the cursor."""

    erases_to_background: bool = False
    """Erased cells take the background in use, not the terminal's own."""
    scrolls: bool = False
    """Lines within margins can be inserted and deleted."""


def abilities_of_terminal() -> Abilities:
    """Of the terminal that `TERM` names; none where nothing describes it."""
    try:
        import curses  # noqa: PLC0415  # some builds of Python come without it
    except ImportError:
        return Abilities()
    try:
        curses.setupterm(os.environ.get("TERM", "dumb"), 2)
    except curses.error:
        return Abilities()
    return Abilities(
        erases_to_background=curses.tigetflag("bce") > 0,
        scrolls=all(curses.tigetstr(name) == way for name, way in _SCROLLING.items()),
    )
