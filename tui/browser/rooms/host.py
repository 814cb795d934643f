"""What a room may ask of the browser that it stands in."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from textual.containers import Container
from textual.screen import Screen

from store.library import Library
from tui.browser.data.desk import Desk
from tui.browser.kept import Kept
from widgets.styles.palette import Palette


class Host(Protocol):
    """The browser, as far as rooms need to know it."""

    library: Library
    kept: Kept
    message: str
    """What happened last, for the status line."""
    text: str
    """The query."""

    @property
    def now(self) -> int:
        """Microseconds since 1970."""
        ...

    @property
    def states(self) -> Mapping[str, int]:
        """How many of what is listed are in each state."""
        ...

    @property
    def palette(self) -> Palette:
        """What widgets draw with."""
        ...

    @property
    def desk(self) -> Desk:
        """Where questions are put that no list waits for."""
        ...

    def copied(self, text: str) -> str:
        """Copy a text; the sentence that says what became of it."""
        ...

    async def go(self, kind: str, ref: str | None, text: str | None = None) -> None:
        """Go to another place; one can come back."""
        ...

    @property
    def room(self) -> Container:
        """The room that is shown."""
        ...

    def ask_for(self, text: str) -> None:
        """Ask for something else, as if it had been typed."""
        ...

    def tell(self) -> None:
        """Bring the bars up to date."""
        ...

    def push_screen(
        self,
        screen: Screen[Any],
        callback: Callable[[Any], Any] | None = None,
    ) -> Any:  # noqa: ANN401  # Textual's own
        """Open something over the screen."""
        ...
