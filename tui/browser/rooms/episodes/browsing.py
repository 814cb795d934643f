"""What the room asks of the browser around it."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from textual.screen import Screen

from tui.browser.data.desk import Desk
from widgets.styles.palette import Palette

V = TypeVar("V")


class Browsing(Protocol):
    """The browser, as far as the room knows it."""

    message: str
    """What happened last, for the status line."""
    text: str
    """The query."""

    @property
    def now(self) -> int:
        """Microseconds since 1970."""
        ...

    @property
    def desk(self) -> Desk:
        """Where questions are put that no list waits for."""
        ...

    @property
    def palette(self) -> Palette:
        """What widgets draw with."""
        ...

    async def go(self, kind: str, ref: str | None, text: str | None = None) -> None:
        """Go to another place; one can come back."""
        ...

    def push_screen(
        self, screen: Screen[V], callback: Callable[[V | None], None]
    ) -> object:
        """Open a popup, and hear what it came to."""
        ...

    def tell(self) -> None:
        """Bring the bars up to date."""
        ...
