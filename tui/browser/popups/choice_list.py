"""The list of a popup: keys stay with the line in which one types."""

from typing import Any

from tui.browser.popups.rows import Choice, Heading
from tui.browser.popups.sections import Sections
from widgets.columns.cells import fit, told
from widgets.lines.pieces import Pieces, width_of
from widgets.styles.palette import FOCUSED, NOWHERE

_GAP = 2
_ASIDE = 8
"""Columns that what stands aside needs at least."""


class ChoiceList(Sections[Choice[Any]], can_focus=False):
    """Choices, a row each."""

    title_width = 0
    """How wide titles are, where something stands beside them."""
    right_width = 0
    """How wide what stands at the right end is at most."""

    def draw(self, record: Choice[Any] | Heading, width: int) -> Pieces:
        """What it is called, what else there is to know, and its key or count."""
        if isinstance(record, Heading):
            return fit([(told(record.title), "heading")], width)
        wide = min(self.right_width, width // 2)
        room = width - width_of(record.before) - (wide + 1 if wide else 0)
        return [
            *record.before,
            *_middle(record, room, self.title_width),
            (" ", ""),
            *fit(record.right, wide, is_right=True),
        ]

    def _state(self, position: int) -> str:
        """The cursor is where keys go, though a line to type in has the focus."""
        return FOCUSED if position == self.cursor else NOWHERE


def _middle(choice: Choice[Any], room: int, title_width: int) -> Pieces:
    """Title and aside, as wide as there is room."""
    room = max(room, 0)
    title = [(told(choice.title), "faint" if choice.why_not else "title")]
    aside = choice.why_not or choice.aside
    width = min(title_width, room)
    if not aside or room - width - _GAP < _ASIDE:
        return fit(title, room)
    beside = [(told(aside), "faint" if choice.why_not else "muted")]
    return [
        *fit(title, width),
        (" " * _GAP, ""),
        *fit(beside, room - width - _GAP),
    ]
