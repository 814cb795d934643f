"""A list of words, and a program that only shows it."""

from collections.abc import Sequence

from textual.app import App, ComposeResult
from textual.message import Message

from widgets import lines as reports
from widgets.lines import Face
from widgets.rows import Held, Paged, Rows
from widgets.sheet import Pieces, Sheet
from widgets.styles import Palette

HEIGHT = 10


class Words(Face[str]):
    """One word per row, each a title."""

    can_mark = True

    def draw(self, record: str, width: int) -> Pieces:
        del width
        return [(record, "title")]


class Headed(Words):
    """The same below a header."""

    has_head = True

    def head(self, width: int) -> Pieces:
        return [("words", "head"), (f" {width}", "faint")]


class WordsApp(App[None]):
    """Only a list, and its reports."""

    def __init__(self, rows: Rows[str], words: Words | None = None) -> None:
        super().__init__()
        self.words = (words or Words(Sheet())).lines
        self.sheet = self.words.sheet
        self.told: list[Message] = []
        self._first = rows

    def compose(self) -> ComposeResult:
        yield self.sheet

    def on_mount(self) -> None:
        self.words.set_rows(self._first)
        self.sheet.focus()

    def on_lines_highlighted(self, event: reports.Highlighted) -> None:
        self.told.append(event)

    def on_lines_chosen(self, event: reports.Chosen) -> None:
        self.told.append(event)

    def on_lines_marked(self, event: reports.Marked) -> None:
        self.told.append(event)

    def on_lines_wanted(self, event: reports.Wanted) -> None:
        self.told.append(event)

    def row(self, y: int) -> str:
        """The text of a row of the screen."""
        return self.sheet.render_line(y).text.rstrip()

    def shown(self) -> list[str]:
        """The text of all rows."""
        return [self.row(y) for y in range(self.sheet.size.height)]

    def use(self, palette: Palette) -> None:
        self.sheet.palette = palette


def words(*texts: str) -> Held[str]:
    """These words, each its own key."""
    return Held(texts, key=str)


def numbered(count: int) -> Held[str]:
    """A number of words."""
    return words(*(f"word {number}" for number in range(count)))


def absent(count: int) -> Paged[str]:
    """A number of words, none of which is loaded."""
    return Paged(range(count))


def bring(rows: Paged[str], first: int, last: int) -> None:
    rows.bring(first, texts(first, last))


def texts(first: int, last: int) -> Sequence[str]:
    return [f"word {number}" for number in range(first, last)]
