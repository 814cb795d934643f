"""A text to be edited on the screen, where no editor can have the terminal."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import TextArea

from store.clean import clean
from tui.browser.popups.over import Over
from tui.commands.scopes import Scope
from widgets.bars.bar import Bar
from widgets.bars.items import Item, Items
from widgets.styles.palette import Palette

_LONGEST_TITLE = 60

_REST = 2.0
"""Seconds after the last key."""
_KEYS = Items(
    (
        Item(([(" ^x", "key"), (" done", "")],), 1),
        Item(([(" esc", "key"), (" leave it", "")],)),
    )
)


def is_editable(text: str) -> bool:
    """Whether the text comes back from here as it was, but for what one types."""
    return TextArea(text).text == text and clean(text, multiline=True) == text


class Writing(Over[str]):
    """Closes with the text, or with nothing."""

    holding: ClassVar[Scope] = Scope.WRITING
    """The scope of the keys while it is open."""

    AUTO_FOCUS = "TextArea"
    DEFAULT_CSS = """
    Writing { background: $background; }
    Writing > Vertical { border: round $secondary; border-title-color: $accent; }
    Writing.-ascii > Vertical { border: ascii $secondary; }
    Writing TextArea, Writing TextArea:focus { border: none; padding: 0; height: 1fr; }
    """

    def __init__(
        self, title: str, text: str, palette: Palette, keep: Callable[[str], None]
    ) -> None:
        """What is typed goes to `keep` as soon as one rests, and where it is left."""
        super().__init__()
        self._keep = keep
        self._given = text
        self._rest: Timer | None = None
        self._title = title
        self._palette = palette
        self._area = TextArea(text, soft_wrap=True, show_line_numbers=False)
        self._area.cursor_blink = False
        self._bar = Bar()

    def compose(self) -> ComposeResult:
        """The text, and how to leave it."""
        with Vertical() as box:
            box.border_title = Content(clean(self._title[:_LONGEST_TITLE]))
            yield self._area
            yield self._bar
        self._bar.palette = self._palette
        self._bar.items = _KEYS

    def on_mount(self) -> None:
        """In the glyphs of this terminal."""
        self.set_class(self._palette.is_ascii, "-ascii")

    @on(TextArea.Changed)
    def _typed(self, event: TextArea.Changed) -> None:
        """Keep it once the fingers rest."""
        event.stop()
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(_REST, self._keep_it)

    def on_unmount(self) -> None:
        """Whatever ends the program, what was typed is there the next time."""
        self._keep_it()

    def _keep_it(self) -> None:
        if self._area.text != self._given:
            self._given = self._area.text
            self._keep(self._given)

    def action_done_writing(self) -> None:
        """Close with what is written."""
        self.dismiss(self._area.text)

    def action_step_back(self) -> None:
        """Close without it."""
        self.dismiss(None)

    def action_stop(self) -> None:
        """The same."""
        self.dismiss(None)

    def action_keys(self) -> None:
        """Nothing opens over what is open already."""
