"""A prompt: a line to type in, and what it is for; what goes wrong is said at once."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from store.errors import WrongUseError
from tui.browser.popups.popup import Popup
from tui.browser.popups.rows import Choice
from widgets.styles.palette import Palette

_OFFERED = 8
"""Words that are offered at once; for more one scrolls."""


class Wanted(Struct, frozen=True):
    """What shall be typed."""

    title: str
    hint: str
    """What can be typed, for who has typed nothing yet."""
    text: str = ""
    """What stands there already."""
    check: Callable[[str], object] = str
    """Raises WrongUseError for what makes no sense."""
    offers: Sequence[Choice[str]] = ()
    """Words that are offered where one begins like them."""
    is_free: bool = False
    """Whether a word may be one that is not offered, though one begins like it."""


class Prompt(Popup[str]):
    """Closes with what was typed, once it makes sense; offers what begins so."""

    is_fitting = True

    def __init__(self, wanted: Wanted, palette: Palette) -> None:
        super().__init__(wanted.title, wanted.hint, palette)
        self._wanted = wanted

    def opened(self) -> None:
        """Begin with what is there."""
        self._line.value = self._wanted.text
        self._line.cursor_position = len(self._wanted.text)

    @property
    def most_rows(self) -> int:
        """As many words as are offered, up to what is read at a glance."""
        return min(len(self._wanted.offers), _OFFERED)

    @property
    def nothing(self) -> str:
        """What is wrong with what was typed, or what can be typed."""
        try:
            self._wanted.check(self.typed)
        except WrongUseError as error:
            return str(error) if self.typed.strip() else self._wanted.hint
        return "Enter takes what is typed."

    def rows(self, typed: str) -> Sequence[Choice[str]]:
        """What begins like the word that is typed; before it that word if it is new."""
        word = typed.rpartition(" ")[2].lstrip("+-")
        begin = word.casefold()
        offers = self._wanted.offers
        found = [one for one in offers if one.value.casefold().startswith(begin)]
        if not word or not found:
            return ()
        if not self._wanted.is_free:
            return found
        same = [one for one in found if one.value == word]
        others = [one for one in found if one.value != word]
        return [*(same or [Choice(word, word, "as it is typed")]), *others]

    def action_choose(self) -> None:
        """Take what is offered at the end of what is typed, else all that is typed."""
        choice = self._list.chosen
        typed = self.typed
        if choice is not None and not typed.endswith(choice.value):
            before, blank, word = typed.rpartition(" ")
            sign = word[:1] if word[:1] in {"+", "-"} else ""
            self._line.value = f"{before}{blank}{sign}{choice.value}"
            self._line.cursor_position = len(self._line.value)
            return
        try:
            self._wanted.check(typed)
        except WrongUseError:
            return
        self.dismiss(typed)
