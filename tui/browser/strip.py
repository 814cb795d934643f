"""The strip: what may follow a key that begins a chord, while that is waited for."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace
from rich.cells import cell_len
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from store.clean import clean
from tui.commands.following import Following
from widgets.columns.cells import fit
from widgets.lines.pieces import Piece, Pieces, strip, text_of, width_of
from widgets.styles.brush import Brush
from widgets.styles.palette import DARK, Palette

_GAP = 2
_ROWS = 2
_LONGEST = (99, 24, 20, 16, 12)
"""How much of each word is shown at most, tried in turn until all have room."""


class PrefixStrip(Widget):
    """Two rows; what has no room in them is left out, the possible before the rest."""

    DEFAULT_CSS = """
    PrefixStrip { height: 2; background: $panel; display: none; }
    """

    palette: reactive[Palette] = reactive(DARK)
    """What it looks like."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(id=id)
        self._prefix = ""
        self._entries: Sequence[Following] = ()

    def show(self, prefix: str, entries: Sequence[Following]) -> None:
        """Tell what may follow a prefix, as it looks; nothing hides the strip."""
        self._prefix, self._entries = prefix, entries
        self.display = bool(prefix)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One of the rows."""
        width = self.size.width
        base = self.rich_style if self.palette.base is None else self.palette.base
        rows = _fitting(self._prefix, self._entries, width)
        pieces = rows[y] if y < min(len(rows), _ROWS) else ()
        return strip(pieces, width, Brush(self.palette, base))


def _fitting(prefix: str, entries: Sequence[Following], width: int) -> Sequence[Pieces]:
    """The entries, with a word for each where there is no room for their titles."""
    rows = list(_rows(prefix, entries, width))
    for longest in _LONGEST:
        if len(rows) <= _ROWS:
            break
        rows = list(_rows(prefix, [_cut(one, longest) for one in entries], width))
    return rows


def _cut(entry: Following, longest: int) -> Following:
    word = entry.word or entry.title
    title = text_of(fit([(word, "")], min(longest, cell_len(word))))
    return replace(entry, title=title)


def _rows(prefix: str, entries: Iterable[Following], width: int) -> Iterator[Pieces]:
    """The entries beside one another, in as many rows as they need."""
    margin = f"{clean(prefix)} "
    row: list[Piece] = [(margin, "strong")]
    for entry in sorted(entries, key=lambda one: one.why_not is not None):
        told = _entry(entry)
        if width_of(row) + width_of(told) > width and len(row) > 1:
            yield row
            row = [(" " * len(margin), "")]
        row += [*told, (" " * _GAP, "")]
    yield row


def _entry(entry: Following) -> list[Piece]:
    is_possible = entry.why_not is None
    return [
        (entry.key, "key" if is_possible else "faint"),
        (f" {entry.title}", "muted" if is_possible else "faint"),
    ]
