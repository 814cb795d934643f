"""A popup: a line to type in, what can be chosen, and a sentence about the choice."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input

from store.clean import clean
from tui.browser.asking.line_input import LineInput
from tui.browser.popups.choice_list import ChoiceList
from tui.browser.popups.over import Over
from tui.browser.popups.rows import Choice, Heading
from tui.commands.scopes import Scope
from widgets.bars.bar import Bar
from widgets.bars.items import Item, Items
from widgets.lines import reports
from widgets.lines.pieces import width_of
from widgets.lines.rows import Held, Key
from widgets.styles.palette import Palette

V = TypeVar("V")

Row = Choice[Any] | Heading

_WIDEST_TITLE = 30
_LONGEST_TITLE = 60
WIDTHS = [(0, "-small"), (60, "-roomy"), (112, "-vast")]
HEIGHTS = [(0, "-low"), (30, "-high"), (44, "-tall")]
PROMPT = Items((Item(([("> ", "brand")],)),))
"""What stands before the line in which one types."""

_AROUND_ROWS = 4
"""Lines beside the rows: the one to type in, the sentence, the border."""


class Popup(Over[V]):
    """Closes with what was chosen, or with nothing; never more than one is open."""

    holding: ClassVar[Scope] = Scope.POPUP
    """The scope of the keys while it is open."""

    is_fitting: ClassVar[bool] = False
    """Whether it is only as high as its rows at first: nothing is added to them."""

    is_wide: ClassVar[bool] = False
    """Whether it takes more of a large screen: there is a sentence in every row."""

    AUTO_FOCUS = "LineInput"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    DEFAULT_CSS = """
    Popup { align: center middle; background: transparent; }
    Popup > #popup {
        width: 76;
        height: 20;
        max-width: 100%;
        max-height: 20;
        background: $background;
        border: round $secondary;
        border-title-color: $accent;
    }
    Popup.-high > #popup { height: 24; max-height: 24; }
    Popup.-wide.-tall > #popup { height: 36; max-height: 36; }
    Popup.-wide.-vast > #popup { width: 108; }
    Popup.-small > #popup {
        width: 100%;
        height: 100%;
        min-height: 100%;
        max-height: 100%;
        border: none;
    }
    Popup.-ascii > #popup { border: ascii $secondary; }
    Popup.-ascii.-small > #popup { border: none; }
    #popup > Horizontal { height: 1; background: $panel; }
    #popup > Horizontal > Bar { width: 2; }
    """

    def __init__(self, title: str, hint: str, palette: Palette) -> None:
        super().__init__()
        self._title = title
        self._palette = palette
        self._line = LineInput(hint)
        self._list = ChoiceList()
        self._detail = Bar()

    @abstractmethod
    def rows(self, typed: str) -> Sequence[Row]:
        """What can be chosen, once something was typed."""

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        prompt = Bar()
        prompt.items = PROMPT
        with Vertical(id="popup") as box:
            box.border_title = Content(clean(self._title[:_LONGEST_TITLE]))
            yield Horizontal(prompt, self._line)
            yield self._list
            yield self._detail
        for part in (prompt, self._list, self._detail):
            part.palette = self._palette

    def on_mount(self) -> None:
        """Show all there is."""
        self.set_class(self._palette.is_ascii, "-ascii")
        self.set_class(self.is_wide, "-wide")
        if self.is_fitting:
            height = self.most_rows + _AROUND_ROWS
            self.query_one("#popup").styles.height = height
        self.fill()
        self.opened()

    @property
    def most_rows(self) -> int:
        """How many rows there will ever be."""
        return len(self.rows(""))

    def opened(self) -> None:
        """What else is to be done once it is open."""

    def changed(self) -> None:
        """What is to be done when something else was typed."""
        self.fill()

    @property
    def typed(self) -> str:
        """What was typed."""
        return self._line.value

    @property
    def nothing(self) -> str:
        """What is said where there is nothing to choose from."""
        return "Nothing goes by that name."

    def fill(self, *, keeps: bool = False, at: Key | None = None) -> None:
        """Show what can be chosen now; the cursor may keep its choice, or be put."""
        rows = self.rows(self.typed)
        choices = [row for row in rows if isinstance(row, Choice)]
        titles = [cell_len(one.title) for one in choices if one.aside or one.why_not]
        rights = [width_of(one.right) for one in choices]
        self._list.title_width = min(max(titles, default=0), _WIDEST_TITLE)
        self._list.right_width = max(rights, default=0)
        self._list.set_rows(Held(rows, key=_key), keeps=keeps)
        if at is not None:
            self._list.to_key((at,))
        self._tell()

    def chose(self, choice: Choice[V]) -> None:
        """Close with a choice, if it is possible."""
        if choice.why_not is None:
            self.dismiss(choice.value)

    def action_choose(self) -> None:
        """Take what is at the cursor."""
        choice = self._list.chosen
        if choice is not None:
            self.chose(choice)

    def action_choice(self, rows: int) -> None:
        """Move among the choices."""
        self._list.move(rows)

    def action_choice_page(self, pages: int) -> None:
        """Move by what is in view."""
        self._list.page(pages)

    def action_step_back(self) -> None:
        """Close without a choice."""
        self.dismiss(None)

    def action_stop(self) -> None:
        """The same."""
        self.dismiss(None)

    def action_keys(self) -> None:
        """Nothing opens over what is open already."""

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.changed()

    @on(reports.Highlighted)
    def _highlighted(self, event: reports.Highlighted) -> None:
        event.stop()
        self._tell()

    @on(reports.Chosen)
    def _clicked_twice(self, event: reports.Chosen) -> None:
        event.stop()
        self.action_choose()

    def on_click(self, event: events.Click) -> None:
        """A click beside it closes it."""
        if self.get_widget_at(event.screen_x, event.screen_y)[0] is self:
            self.dismiss(None)

    def _tell(self) -> None:
        """Say something about the choice at the cursor."""
        choice = self._list.chosen
        if choice is None:
            told, tone = self.nothing, "warning"
        elif choice.why_not:
            told, tone = choice.why_not, "warning"
        else:
            told, tone = choice.detail, "muted"
        self._detail.items = Items((Item(([(f" {clean(told)}", tone)],)),))


def _key(row: Row) -> Key:
    """A choice by its value, a heading by its title."""
    return row.title if isinstance(row, Heading) else (row.value,)
