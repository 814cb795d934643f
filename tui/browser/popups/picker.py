"""A picker: one of several, found by typing a part of its name."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

from store.search.fuzzy.names import Names
from tui.browser.popups.popup import Popup
from tui.browser.popups.rows import Choice
from widgets.styles.palette import Palette

V = TypeVar("V", bound=Hashable)


class Picker(Popup[V]):
    """Closes with the value of the choice."""

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice[V]],
        palette: Palette,
        *,
        current: V | None = None,
        nothing: str = "",
    ) -> None:
        """The cursor begins at `current`; `nothing` is said where all is empty."""
        super().__init__(title, "type to find", palette)
        self._nothing = nothing
        self._choices = choices
        self._current = current
        self._names = Names(f"{one.title}\n{one.aside}" for one in choices)

    @property
    def nothing(self) -> str:
        """What is said where there is nothing to choose from."""
        return super().nothing if self._choices else self._nothing or super().nothing

    def rows(self, typed: str) -> Sequence[Choice[V]]:
        """All of them, or those that are like what was typed, the best first."""
        words = typed.split()
        if not words:
            return self._choices
        near = self._names.similar(words, len(self._choices))
        return [self._choices[one.position] for one in near]

    def opened(self) -> None:
        """Begin at what holds now."""
        if self._current is not None:
            self.fill(at=self._current)
