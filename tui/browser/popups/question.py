"""A question: something to be read, and the answers that can be given to it."""

from collections.abc import Sequence
from itertools import islice
from typing import ClassVar

from msgspec import Struct
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from store.clean import clean
from tui.browser.popups.over import Over
from tui.browser.popups.popup import HEIGHTS, WIDTHS
from tui.commands.scopes import Scope
from tui.keys.names import shown
from widgets.bars.bar import Bar
from widgets.bars.items import Item, Items
from widgets.reader.bodies import Body
from widgets.reader.look import Look
from widgets.reader.text_sheet import MARGIN, TextSheet
from widgets.styles.palette import Palette

_LONGEST_TITLE = 60

_WIDE, _BROAD = 76, 100
_BROAD_FROM = 120
"""Columns of a question, and of the screen from which on it has more of them."""

_LOW, _HIGH = 20, 40
_HIGH_FROM = 30
"""Its lines at most, and the lines of the screen from which on these are more."""

_AROUND = 6
"""Lines of a high screen that are left free."""

_ENTER = shown(("enter",), in_ascii=True)

_EDGES = 2
_BAR = 1
_SCROLLBAR = 1


class Answer(Struct, frozen=True):
    """One of the answers."""

    value: str
    """The word that the command for it knows it by."""
    key: str
    """How its key looks."""
    word: str
    """What it does."""


class Question(Over[str]):
    """Closes with an answer, or with none; what is asked about can be scrolled."""

    holding: ClassVar[Scope] = Scope.QUESTION
    """The scope of the keys while it is open."""

    leaving = "leave it"
    """What leaving it without an answer does."""

    AUTO_FOCUS = "TextSheet"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    DEFAULT_CSS = """
    Question { align: center middle; background: transparent; }
    Question > #question {
        width: 76;
        height: 20;
        min-height: 5;
        max-width: 100%;
        max-height: 100%;
        background: $background;
        border: round $secondary;
        border-title-color: $accent;
    }
    Question.-small > #question {
        min-width: 100%;
        min-height: 100%;
        border: none;
    }
    Question.-ascii > #question { border: ascii $secondary; }
    Question.-ascii.-small > #question { border: none; }
    """

    def __init__(
        self, title: str, body: Body, answers: Sequence[Answer], palette: Palette
    ) -> None:
        """The first answer is the one that Enter gives."""
        super().__init__()
        self._title = title
        self._body = body
        self._palette = palette
        self._answers = {answer.value: answer for answer in answers}
        self._sheet = TextSheet()
        self._bar = Bar()

    def compose(self) -> ComposeResult:
        """What is asked about, and beneath it the answers."""
        with Vertical(id="question") as box:
            box.border_title = Content(clean(self._title[:_LONGEST_TITLE]))
            yield self._sheet
            yield from self.answering()
        for part in (self._sheet, self._bar):
            part.palette = self._palette

    def answering(self) -> ComposeResult:
        """What stands beneath what is read."""
        yield self._bar

    @property
    def beneath(self) -> int:
        """How many lines that takes."""
        return _BAR

    def on_resize(self) -> None:
        """As wide and as high as what is read needs, and as the screen lets it."""
        width = _BROAD if self.size.width >= _BROAD_FROM else _WIDE
        high = self.size.height >= _HIGH_FROM
        most = min(self.size.height - _AROUND, _HIGH) if high else _LOW
        look = Look(width - _EDGES - _SCROLLBAR - 2 * MARGIN)
        lines = sum(1 for _ in islice(self._body.lines(look), most))
        box = self.query_one("#question")
        box.styles.width = width
        box.styles.height = min(lines + self.beneath + _EDGES, most)

    shown_at = float("inf")
    """When it was opened, to be drawn at once; earlier keys are no answers to it."""

    def on_mount(self) -> None:
        """Show it."""
        self.shown_at = Message().time
        self.set_class(self._palette.is_ascii, "-ascii")
        self._sheet.set_body(self._body)
        self.tell()

    def tell(self) -> None:
        """Say which answers there are."""
        is_ascii = self._palette.is_ascii
        items = [
            _item(one, at, in_ascii=is_ascii)
            for at, one in enumerate(self._answers.values())
        ]
        self._bar.items = Items(
            (*items, _item(Answer("", "esc", self.leaving), 0, in_ascii=is_ascii))
        )

    def action_answer(self, value: str) -> None:
        """Close with an answer, if it is one of those that can be given."""
        if value == "yes":
            self.dismiss(next(iter(self._answers)))
        elif value in self._answers:
            self.dismiss(value)

    def action_step_back(self) -> None:
        """Close without an answer."""
        self.dismiss(None)

    def action_stop(self) -> None:
        """The same."""
        self.dismiss(None)

    def action_keys(self) -> None:
        """Nothing opens over what is open already."""

    def action_move(self, lines: int) -> None:
        """Scroll."""
        self._sheet.move(lines)

    def action_page(self, pages: int) -> None:
        """Scroll by what is in view."""
        self._sheet.page(pages)

    @on(Bar.Clicked)
    def _clicked(self, event: Bar.Clicked) -> None:
        event.stop()
        self.dismiss(event.name if event.name in self._answers else None)

    def on_click(self, event: events.Click) -> None:
        """A click beside it closes it."""
        if self.get_widget_at(event.screen_x, event.screen_y)[0] is self:
            self.dismiss(None)


def _item(answer: Answer, rank: int, *, in_ascii: bool) -> Item:
    """An answer with its key."""
    key = _ENTER if in_ascii and answer.key == shown(("enter",)) else answer.key
    told = [(f" {key}", "key"), (f" {answer.word}", "")]
    return Item((told,), -rank, name=answer.value or "esc")
