"""Questions, prompts, and the text editor on the screen."""

from collections.abc import Callable, Container, Sequence
from itertools import islice
from typing import ClassVar

from msgspec import Struct
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, TextArea

from store.clean import clean
from store.errors import WrongUseError
from tui.browser.popups.popup import (
    HEIGHTS,
    WIDTHS,
    Choice,
    InputRow,
    Over,
    Popup,
    titled,
)
from tui.browser.query_input import LineInput
from tui.commands.command import Scope
from tui.keys import shown
from widgets.bars import Bar, Item, Items
from widgets.page import Body
from widgets.reader import MARGIN, TextFace
from widgets.sheet import TextSheet
from widgets.styles import Palette
from widgets.text import Look

# A question: a text to read and the possible answers.


_WIDE, _BROAD = 76, 100
_BROAD_FROM = 120
"""The usual and the larger width; the latter applies from this screen width."""

_LOW, _HIGH = 20, 40
_HIGH_FROM = 30
"""The usual and the larger height; the latter applies from this screen height."""

_AROUND = 6
"""Lines left free on a high screen."""

_ENTER, _ENTERED = shown(("enter",), in_ascii=True), shown(("enter",))

_EDGES = 2
_BAR = 1
_SCROLLBAR = 1


class Answer(Struct, frozen=True):
    """One of the answers."""

    value: str
    """The word for it in the command's action."""
    key: str
    """Its key, as displayed."""
    word: str
    """The word shown for it."""


class Question(Over[str]):
    """Returns an answer or None; the text can be scrolled."""

    holding: ClassVar[Scope] = Scope.QUESTION
    """The scope of keys while it is open."""

    leaving = "cancel"
    """The word for closing it without an answer."""

    AUTO_FOCUS = "TextSheet"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    DEFAULT_CSS = """
    Question { align: center middle; background: transparent; }
    Question > Vertical {
        width: 76;
        height: 20;
        min-height: 5;
        max-width: 100%;
        max-height: 100%;
        background: $background;
    }
    Question.-small > Vertical { min-width: 100%; min-height: 100%; }
    """

    def __init__(
        self, title: str, body: Body, answers: Sequence[Answer], palette: Palette
    ) -> None:
        """Enter gives the first answer, if that has its key."""
        super().__init__(titled(title), palette)
        self._body = body
        self._answers = {answer.value: answer for answer in answers}
        self._text = TextFace(TextSheet()).text
        self._bar = Bar()

    def framed(self) -> ComposeResult:
        """The text, and the answers below it."""
        yield self._text.sheet
        yield self._bar

    @property
    def beneath(self) -> int:
        """The number of lines below the text."""
        return _BAR

    def on_resize(self) -> None:
        """Adapt the size to the text and the screen."""
        width = _BROAD if self.size.width >= _BROAD_FROM else _WIDE
        high = self.size.height >= _HIGH_FROM
        most = min(self.size.height - _AROUND, _HIGH) if high else _LOW
        look = Look(width - _EDGES - _SCROLLBAR - 2 * MARGIN)
        lines = sum(1 for _ in islice(self._body.lines(look), most))
        box = self.query_one(Vertical)
        box.styles.width = width
        box.styles.height = min(lines + self.beneath + _EDGES, most)

    shown_at = float("inf")
    """The time at which it opened; keys pressed earlier are not answers to it."""

    def on_mount(self) -> None:
        """Show the text and the answers."""
        self.shown_at = Message().time
        self._text.set_body(self._body)
        self.tell()

    def tell(self) -> None:
        """Show the answers."""
        is_ascii = self._palette.is_ascii
        items = [
            _item(one, at, in_ascii=is_ascii)
            for at, one in enumerate(self._answers.values())
        ]
        leaving = _item(Answer("", "esc", self.leaving), 0, in_ascii=is_ascii)
        is_told = {"OK", self.leaving} & {one.word for one in self._answers.values()}
        self._bar.items = Items(tuple(items) if is_told else (*items, leaving))

    def action_answer(self, value: str) -> None:
        """Close with an answer, if it is one of the possible ones."""
        first = next(iter(self._answers.values()))
        if value == "yes" and first.key == _ENTERED:
            self.dismiss(first.value)
        elif value in self._answers:
            self.dismiss(value)

    def action_choice(self, lines: int) -> None:
        """Scroll by lines."""
        self._text.move(lines)

    def action_choice_page(self, pages: int) -> None:
        """Scroll by pages."""
        self._text.page(pages)

    @on(Bar.Clicked)
    def _clicked(self, event: Bar.Clicked) -> None:
        event.stop()
        self.dismiss(event.name if event.name in self._answers else None)


def _item(answer: Answer, rank: int, *, in_ascii: bool) -> Item:
    """An answer with its key."""
    key = _ENTER if in_ascii and answer.key == _ENTERED else answer.key
    told = [(f" {key}", "key"), (f" {answer.word}", "")]
    return Item((told,), -rank, name=answer.value or "esc")


# A question that is answered by typing a phrase, to prevent accidents.


class TypedQuestion(Question):
    """Returns its answer once the phrase is typed; the text can be scrolled."""

    holding = Scope.POPUP
    AUTO_FOCUS = "LineInput"

    def __init__(
        self, title: str, body: Body, answer: Answer, word: str, palette: Palette
    ) -> None:
        super().__init__(title, body, (answer,), palette)
        self._word = word
        self._answer = answer
        self._line = LineInput(f'Type "{word}" to confirm')

    def framed(self) -> ComposeResult:
        """The text, the input line, and the answers."""
        yield self._text.sheet
        yield InputRow(self._line)
        yield self._bar

    @property
    def beneath(self) -> int:
        """The number of lines below the text, including the input line."""
        return super().beneath + 1

    def action_choose(self) -> None:
        """Close with the answer if the phrase is typed."""
        if self._line.value.strip() == self._word:
            self.dismiss(self._answer.value)
        else:
            told = f' Type "{self._word}" to confirm.'
            self._bar.items = Items((Item(([(told, "warning")],)),))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        """Replace the error by the answers when the user types."""
        event.stop()
        self.tell()


# A prompt: an input line that checks what is typed.

_OFFERED = 8
"""Maximum suggestions visible without scrolling."""


class Wanted(Struct, frozen=True):
    """A description of the expected input."""

    title: str
    hint: str
    """The placeholder of the empty line."""
    text: str = ""
    """The initial text."""
    check: Callable[[str], object] = str
    """Raises WrongUseError for invalid input."""
    offers: Sequence[Choice[str]] = ()
    """Suggestions, filtered by the beginning of the typed word."""
    is_replaced: bool = False
    """Whether the initial text is selected, so that typing replaces it."""
    is_free: bool = False
    """Whether new words are allowed even if a suggestion begins like them."""
    removable: Container[str] = ()
    """The words of which one is suggested after a minus."""
    is_list: bool = False
    """Whether the suggestions are shown as a list from which one can be chosen."""
    refusal: str = ""
    """Why the initial text was refused, if the prompt is shown again."""


class Prompt(Popup[str]):
    """Returns valid input; suggests words."""

    is_fitting = True

    def __init__(self, wanted: Wanted, palette: Palette) -> None:
        super().__init__(wanted.title, wanted.hint, palette)
        self._wanted = wanted
        self._was_refused = False
        """Whether the input was refused; until then, nothing typed is no mistake."""

    @property
    def holding(self) -> Scope:
        """The scope of keys: enter selects a row only if the offers are a list."""
        held = super().holding
        is_held = self._wanted.is_list or self.other is not None
        return held if is_held else Scope.PROMPT

    def opened(self) -> None:
        """Insert the initial text."""
        self._line.value = self._wanted.text
        self._line.cursor_position = len(self._wanted.text)
        if self._wanted.is_replaced:
            self._line.select_all()

    @property
    def most_rows(self) -> int:
        """The number of suggestions, up to a limit."""
        return min(len(self._wanted.offers), _OFFERED)

    @property
    def nothing(self) -> str:
        """The error in the input, or a hint."""
        if self._is_refused:
            return self._wanted.refusal
        try:
            self._wanted.check(self.typed)
        except WrongUseError as error:
            return str(error) if self._was_refused or self.typed.strip() else ""
        return f"{shown(('enter',), in_ascii=self._palette.is_ascii)} accept"

    @property
    def _is_refused(self) -> bool:
        """Whether the text is still the one that was refused."""
        return bool(self._wanted.refusal) and self.typed == self._wanted.text

    def rows(self, typed: str) -> Sequence[Choice[str]]:
        """Suggestions that begin like the typed word; a new word comes first itself."""
        if self._is_refused:
            return ()
        if self._wanted.is_list and typed in {"", self._wanted.text}:
            return self._wanted.offers
        word = typed.rpartition(" ")[2].lstrip("+-")
        begin = word.casefold()
        offers, is_removed = self._wanted.offers, typed.endswith(f"-{word}")
        if is_removed:
            offers = [one for one in offers if one.value in self._wanted.removable]
        found = [one for one in offers if one.value.casefold().startswith(begin)]
        if not word and not typed:
            return offers if self._wanted.is_free else ()
        if not word or not found:
            return ()
        if is_removed or not self._wanted.is_free:
            return found
        same = [one for one in found if one.value == word]
        others = [one for one in found if one.value != word]
        return [*(same or [Choice(word, word, "new tag")]), *others]

    def action_choose(self) -> None:
        """Insert the chosen suggestion; close with the input if it is there already."""
        choice = self._list.chosen
        typed = self.typed
        if choice is not None and self._wanted.is_list:
            self.dismiss(choice.value)
            return
        if choice is not None and not typed.endswith(choice.value):
            before, blank, word = typed.rpartition(" ")
            sign = word[:1] if word[:1] in {"+", "-"} else ""
            self._line.value = f"{before}{blank}{sign}{choice.value}"
            self._line.cursor_position = len(self._line.value)
            return
        try:
            self._wanted.check(typed)
        except WrongUseError:
            self._was_refused = True
            self.fill()
            return
        self.dismiss(typed)


# The text editor on the screen, for when no editor can use the terminal.

_REST = 2.0
"""Seconds after the last key until a draft is saved."""
_KEYS = Items(
    (
        Item(([(" ^x", "key"), (" done", "")],), 1),
        Item(([(" esc", "key"), (" cancel", "")],)),
    )
)


def is_editable(text: str) -> bool:
    """Whether the widget returns the text unchanged, except for the user's edits."""
    return TextArea(text).text == text and clean(text, multiline=True) == text


class Writing(Over[str]):
    """Returns the text, or None."""

    holding: ClassVar[Scope] = Scope.WRITING
    """The scope of keys while it is open."""

    AUTO_FOCUS = "TextArea"
    DEFAULT_CSS = """
    Writing { background: $background; }
    Writing TextArea, Writing TextArea:focus { border: none; padding: 0; height: 1fr; }
    """

    def __init__(
        self, title: str, text: str, palette: Palette, keep: Callable[[str], None]
    ) -> None:
        """`keep` gets the text after each pause in typing, and at the end."""
        super().__init__(titled(title), palette)
        self._keep = keep
        self._given = text
        self._rest: Timer | None = None
        self._area = TextArea(text, soft_wrap=True, show_line_numbers=False)
        self._area.cursor_blink = False
        self._bar = Bar()
        self._bar.items = _KEYS

    def framed(self) -> ComposeResult:
        """The text, and the keys that close it."""
        yield self._area
        yield self._bar

    @on(TextArea.Changed)
    def _typed(self, event: TextArea.Changed) -> None:
        """Save the text after a pause in typing."""
        event.stop()
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(_REST, self._keep_it)

    def on_unmount(self) -> None:
        """Save the text, so that it survives whatever ends the program."""
        self._keep_it()

    def _keep_it(self) -> None:
        if self._area.text != self._given:
            self._given = self._area.text
            self._keep(self._given)

    def action_done_writing(self) -> None:
        """Close with the text."""
        self.dismiss(self._area.text)

    def action_step_back(self) -> None:
        """Close without the text; the draft stays."""
        self._keep_it()
        self.dismiss(None)

    def action_stop(self) -> None:
        """Close without the text."""
        self.action_step_back()
