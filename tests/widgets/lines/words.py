"""A list of words, and a program that is nothing but that list."""

from collections.abc import Sequence

from textual.app import App, ComposeResult
from textual.message import Message

from widgets.lines import reports
from widgets.lines.lines import Lines
from widgets.lines.pieces import Pieces
from widgets.lines.rows import Held, Paged, Rows
from widgets.styles.palette import Palette

HEIGHT = 10


class Words(Lines[str]):
    """Every word in a row of its own, titles all of them."""

    def draw(self, record: str, width: int) -> Pieces:
        del width
        return [(record, "title")]


class Headed(Words):
    """The same beneath a head."""

    has_head = True

    def head(self, width: int) -> Pieces:
        return [("words", "head"), (f" {width}", "faint")]


class WordsApp(App[None]):
    """Nothing but a list, and what it reported."""

    def __init__(self, rows: Rows[str], words: Words | None = None) -> None:
        super().__init__()
        self.words = words or Words()
        self.told: list[Message] = []
        self._first = rows

    def compose(self) -> ComposeResult:
        yield self.words

    def on_mount(self) -> None:
        self.words.set_rows(self._first)
        self.words.focus()

    def on_lines_highlighted(self, event: reports.Highlighted) -> None:
        self.told.append(event)

    def on_lines_chosen(self, event: reports.Chosen) -> None:
        self.told.append(event)

    def on_lines_marked(self, event: reports.Marked) -> None:
        self.told.append(event)

    def on_lines_wanted(self, event: reports.Wanted) -> None:
        self.told.append(event)

    def row(self, y: int) -> str:
        """What stands in a row of the screen."""
        return self.words.render_line(y).text.rstrip()

    def shown(self) -> list[str]:
        """What stands in all of them."""
        return [self.row(y) for y in range(self.words.size.height)]

    def use(self, palette: Palette) -> None:
        self.words.palette = palette


def words(*texts: str) -> Held[str]:
    """These words, each its own key."""
    return Held(texts, key=str)


def numbered(count: int) -> Held[str]:
    """So many words."""
    return words(*(f"word {number}" for number in range(count)))


def absent(count: int) -> Paged[str]:
    """So many words, none of which is at hand."""
    return Paged(range(count))


def bring(rows: Paged[str], first: int, last: int) -> None:
    rows.bring(first, texts(first, last))


def texts(first: int, last: int) -> Sequence[str]:
    return [f"word {number}" for number in range(first, last)]
