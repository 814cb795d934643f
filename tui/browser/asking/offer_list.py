"""The list under the bar: what is offered, as a few rows over everything else."""

from collections.abc import Sequence

from tui.browser.asking.offers import Offer, Source
from widgets.columns.cells import fit, told
from widgets.columns.numbers import brief
from widgets.lines.cursor_lines import CursorLines
from widgets.lines.pieces import Piece, Pieces
from widgets.lines.rows import Held
from widgets.styles.palette import FOCUSED, NOWHERE

MOST = 8
"""Rows at most."""

_WIDTH = 64
_TITLE = 26
_COUNT = 5
_GLYPHS = {Source.WORD: " ", Source.SAVED: "◈", Source.EARLIER: "↶"}


class OfferList(CursorLines[Offer], can_focus=False):
    """Offers, under the place where they would stand; keys stay with the bar."""

    DEFAULT_CSS = """
    OfferList {
        overlay: screen;
        constrain: inside inside;
        background: $panel;
        display: none;
        height: 1;
        width: 1;
        scrollbar-size-vertical: 0;
        max-width: 100vw;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.is_walked = False
        """Whether keys go through it."""

    @property
    def is_open(self) -> bool:
        """Whether it is to be seen."""
        return bool(self.display)

    def open(self, offers: Sequence[Offer], x: int, room: int, *, walks: bool) -> None:
        """Show offers, some columns from the left, in so many rows as there are."""
        if not offers or room <= 0:
            self.close()
            return
        self.is_walked = walks
        self.styles.width = _WIDTH
        self.styles.height = min(MOST, len(offers), room)
        self.styles.offset = (x, 1)
        self.display = True
        self.set_rows(Held(offers, key=lambda offer: offer.key), keeps=self.is_walked)

    def walk(self, rows: int) -> None:
        """Go through it; from either end to the other."""
        self.to((self.cursor + rows) % max(self.count(), 1))

    def close(self) -> None:
        """Be seen no more."""
        self.display = False
        self.is_walked = False

    def draw(self, record: Offer, width: int) -> Pieces:
        """Where it comes from, what it is called, what it is, how many there are."""
        room = max(width - 3, 0)
        pieces: list[Piece] = [(f"{_GLYPHS[record.source]} ", "brand")]
        if record.source is Source.EARLIER:
            return [*pieces, *fit([(told(record.title), "title")], room)]
        count = [(brief(record.count), "muted")] if record.count is not None else []
        title = min(_TITLE, max(room - _COUNT - 1, 0))
        rest = max(room - title - _COUNT - 1, 0)
        return [
            *pieces,
            *fit([(told(record.title), "title")], title),
            (" ", ""),
            *fit([(told(record.help), "muted")], rest),
            *fit(count, _COUNT, is_right=True),
            (" ", ""),
        ]

    def clicked(self, position: int, x: int, times: int) -> None:
        """One click is enough where there is so little to choose from."""
        del x, times
        self.to(position)
        self.choose()

    def _state(self, position: int) -> str:
        """The row that the keys are at, though the bar has the focus."""
        return FOCUSED if self.is_walked and position == self.cursor else NOWHERE
