"""The pane of facets: what is chosen in it is written into the query."""

from tui.browser.facets.facet import Facet, facets
from tui.browser.facets.gathered import Gathered
from tui.browser.facets.standing import Stand
from tui.browser.facets.toggled import Toggled
from tui.browser.popups.rows import Heading
from tui.browser.popups.sections import Sections
from tui.browser.walked import Walked
from widgets.columns.cells import fit, told
from widgets.columns.numbers import brief
from widgets.columns.strengths import bar
from widgets.lines.pieces import Pieces
from widgets.lines.rows import Held, Key

_BEFORE = 3
"""Columns for the sign, the mark, and a blank."""
_BAR = 6
_COUNT = 5
_SMALL = 24
"""The width from which on there are bars."""

_SIGNS = {
    Stand.OPEN: (" ", ""),
    Stand.ASKED: ("✓", "marked"),
    Stand.EXCLUDED: ("-", "warning"),
}


class FacetPane(Walked, Sections[Facet]):
    """Counts of the current result; the query alone knows what is chosen."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(id=id, classes=classes)
        self._gathered = Gathered()
        self._text = ""

    def show(self, gathered: Gathered) -> None:
        """Tell of another result."""
        self._gathered = gathered
        self._fill()

    def ask(self, text: str) -> None:
        """Tell what another query asks for; the counts are brought later."""
        if text != self._text:
            self._text = text
            self._fill()

    def draw(self, record: Facet | Heading, width: int) -> Pieces:
        """Whether it is asked for, what it is, and how much of the result."""
        if isinstance(record, Heading):
            return fit([(told(record.title), "heading")], width)
        share = [(" ", ""), *bar(record.share, _BAR, "importance")]
        shares = share if width >= _SMALL and record.count else []
        if width >= _SMALL and not record.count:
            shares = [(" " * (_BAR + 1), "")]
        room = max(width - _BEFORE - (_BAR + 1 if shares else 0) - _COUNT, 0)
        return [
            _SIGNS[record.stand],
            record.mark,
            (" ", ""),
            *fit([(told(record.name), _tone(record))], room),
            *shares,
            *fit([(brief(record.count), "muted")], _COUNT, is_right=True),
        ]

    def action_toggle_facet(self) -> None:
        """Ask for what is at the cursor, or no more."""
        self._toggle(is_negated=False)

    def action_negate_facet(self) -> None:
        """Ask for all but what is at the cursor, or no more."""
        self._toggle(is_negated=True)

    def clicked(self, position: int, x: int, times: int) -> None:
        """A click is enough."""
        super().clicked(position, x, 1)
        del times
        if not isinstance(self.record(position), Heading):
            self._toggle(is_negated=False)

    def _toggle(self, *, is_negated: bool) -> None:
        facet = self.chosen
        if facet is not None:
            kind = self._gathered.kind
            text = facet.toggled(self._text, kind, is_negated=is_negated)
            self.post_message(Toggled(text))

    def _fill(self) -> None:
        """Show the rows; who has not moved yet stays at the top of whatever comes."""
        is_moved = self.first > 0 or self._seek(self.cursor - 1, -1) is not None
        rows = Held(facets(self._gathered, self._text), key=_key)
        self.set_rows(rows, keeps=is_moved)


def _key(row: Facet | Heading) -> Key:
    return row.title if isinstance(row, Heading) else row.key


def _tone(facet: Facet) -> str:
    """What is asked for stands out, and what there is none of steps back."""
    if facet.stand is not Stand.OPEN:
        return "title strong"
    return "title" if facet.count else "faint"
