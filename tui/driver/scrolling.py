"""Lines that moved: how far, and between which lines."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from tui.driver.row import Row

_FEWEST = 3
"""Lines that must have moved together before it is called scrolling."""


class Scroll(Struct, frozen=True):
    """A block of lines that moved."""

    top: int
    """The first line of where they were and are."""
    bottom: int
    """The last."""
    lines: int
    """How far up, or down if negative."""

    def applied(self, rows: Sequence[Row]) -> list[Row]:
        """The lines of a terminal that scrolls so; what comes in is not known."""
        block = list(rows[self.top : self.bottom + 1])
        new = [Row.unknown(len(block[0].text))] * abs(self.lines)
        stays = block[max(self.lines, 0) :][: len(block) - len(new)]
        block = [*stays, *new] if self.lines > 0 else [*new, *stays]
        return [*rows[: self.top], *block, *rows[self.bottom + 1 :]]


def find_scroll(shown: Sequence[Row], wanted: Sequence[Row]) -> Scroll | None:
    """How most of the lines that changed got to where they are wanted."""
    is_text, text = _texts(shown), _texts(wanted)
    changed = [
        number
        for number, line in enumerate(text)
        if line.strip() and line != is_text[number]
    ]
    places: dict[str, int | None] = {}
    for number, line in enumerate(is_text):
        places[line] = None if line in places else number
    votes = Counter(
        place - number for number in changed if (place := places.get(text[number]))
    )
    votes.pop(0, None)
    lines, count = max(votes.items(), key=lambda vote: vote[1], default=(0, 0))
    if count < _FEWEST:
        return None
    moved = [number for number in changed if places.get(text[number]) == number + lines]
    return Scroll(
        top=min(moved[0], moved[0] + lines),
        bottom=max(moved[-1], moved[-1] + lines),
        lines=lines,
    )


def _texts(rows: Sequence[Row]) -> list[str]:
    return ["".join(row.text) for row in rows]
