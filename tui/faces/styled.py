"""A line in the terminal's colours, as wide as the terminal at most."""

from functools import cache

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

_PROBE = "x"
"""A text that no code of a terminal holds."""

_CHARACTERS = 10
"""How many characters a cell has at most: marks are stacked no higher."""


def styled(text: str, style: str, *, folded: bool) -> str:
    """The line with the codes that colour it."""
    shown = _cut(text, _width()) if folded else text
    before, after = _codes(style)
    return f"{before}{shown}{after}"


def _cut(text: str, width: int) -> str:
    """As much of a text as fits; a cut shows."""
    if text.isascii():
        return text if len(text) <= width else f"{text[: width - 1]}…"
    head = text[: width - 1]
    if len(text) > width and cell_len(head) == len(head):
        return f"{head}…"
    near = text[: width * _CHARACTERS]
    return text if cell_len(near) <= width else f"{set_cell_size(near, width - 1)}…"


@cache
def _codes(style: str) -> tuple[str, str]:
    """What stands before and after a text of a style, as this terminal wants it."""
    console = _console()
    with console.capture() as shown:
        console.print(Text(_PROBE, style), end="")
    before, _, after = shown.get().partition(_PROBE)
    return before, after


@cache
def _width() -> int:
    return _console().width


@cache
def _console() -> Console:
    return Console(highlight=False)
