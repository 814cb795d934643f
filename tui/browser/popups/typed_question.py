"""A question that only a word answers which has to be typed: what cannot be meant."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from tui.browser.asking.line_input import LineInput
from tui.browser.popups.popup import PROMPT
from tui.browser.popups.question import Answer, Question
from tui.commands.scopes import Scope
from widgets.bars.bar import Bar
from widgets.bars.items import Item, Items
from widgets.reader.bodies import Body
from widgets.styles.palette import Palette


class TypedQuestion(Question):
    """Closes with its answer once the word is typed; one reads while one types."""

    holding = Scope.POPUP
    AUTO_FOCUS = "LineInput"
    DEFAULT_CSS = """
    TypedQuestion Horizontal { height: 1; background: $panel; }
    TypedQuestion Horizontal > Bar { width: 2; }
    """

    def __init__(
        self, title: str, body: Body, answer: Answer, word: str, palette: Palette
    ) -> None:
        super().__init__(title, body, (answer,), palette)
        self._word = word
        self._answer = answer
        self._line = LineInput(f"type {word}")

    def answering(self) -> ComposeResult:
        """The line in which the word is typed, above the keys."""
        prompt = Bar()
        prompt.palette = self._palette
        prompt.items = PROMPT
        yield Horizontal(prompt, self._line)
        yield from super().answering()

    @property
    def beneath(self) -> int:
        """One line more."""
        return super().beneath + 1

    def action_choose(self) -> None:
        """Close with the answer, if the word is typed."""
        if self._line.value.strip() == self._word:
            self.dismiss(self._answer.value)
        else:
            told = f" To {self._answer.word}, type {self._word}."
            self._bar.items = Items((Item(([(told, "warning")],)),))

    def action_choice(self, rows: int) -> None:
        """Scroll."""
        self.action_move(rows)

    def action_choice_page(self, pages: int) -> None:
        """Scroll by what is in view."""
        self.action_page(pages)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        """What is wrong is told again only when it is wrong again."""
        event.stop()
        self.tell()
