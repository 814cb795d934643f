"""What each part of the browser builds on: what a part is, and the display."""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from inspect import isawaitable
from typing import Any, TypeVar

from msgspec import Struct
from textual.containers import Container
from textual.dom import DOMNode
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from tui.commands.command import Scope
from tui.keys import Keyboard
from tui.terminal.signals import handed_over

Answer = TypeVar("Answer")


class Part(Struct, eq=False):
    """One topic of the browser; fields without a default are what it works with.

    No part knows the application: `tui.browser.parts` composes them.
    """

    def __repr__(self) -> str:
        """Its name alone: Textual describes the method that each worker runs."""
        return type(self).__name__


_MOMENT = 0.02
"""Seconds that a frame waits for answers that belong to it."""


class Frame:
    """Holds drawing back while answers are on their way that belong to one frame.

    Drawing list, text and counts as each of them arrives would take three frames.
    What a screen was to draw meanwhile it forgets, so it is woken afterwards.
    """

    def __init__(
        self,
        batch: Callable[[], AbstractContextManager[None]],
        wake: Callable[[], None],
    ) -> None:
        self._batch, self._wake = batch, wake
        self._held = ExitStack()
        self._awaited = 0

    def wait_for(self, *answers: Awaitable[object]) -> None:
        """Draw nothing until these have arrived, or a moment has passed."""
        if not self._awaited:
            held = self._held = ExitStack()
            held.callback(self._wake)
            held.enter_context(self._batch())
            asyncio.get_running_loop().call_later(_MOMENT, held.close)
        self._awaited += 1
        arrived = asyncio.gather(*answers, return_exceptions=True)
        arrived.add_done_callback(self._arrived)

    def _arrived(self, _answers: object) -> None:
        self._awaited -= 1
        if not self._awaited:
            self.draw()

    def draw(self) -> None:
        """Wait no longer."""
        self._held.close()


class Body(Container):
    """All panes; its classes say how they are laid out.

    Textual styles everything within again for each class that changes, which took
    10 ms once all lists had been shown. A list that is not shown is left out; it is
    styled when it is shown again.
    """

    _is_changing = False

    @contextmanager
    def changing(self) -> Generator[None]:
        """Show another list and change several classes, and style the panes once."""
        self._is_changing = True
        try:
            yield
        finally:
            self._is_changing = False
        self.update_node_styles()

    def update_node_styles(self, animate: bool = True) -> None:  # noqa: FBT001, FBT002  # as in Textual
        """Style the panes that are shown."""
        if not self._is_changing:
            self.app.stylesheet.update_nodes(_shown(self), animate=animate)  # pyright: ignore[reportUnknownMemberType]  # any app


def _shown(node: DOMNode) -> Iterator[DOMNode]:
    """A node and what is within, without the lists that are not shown."""
    yield node
    is_one_shown = isinstance(node, ContentSwitcher)
    for child in node.children:
        if not is_one_shown or child.id == node.current:
            yield from _shown(child)


class Display:
    """What the parts use of the application: screens, focus, held keys, timers."""

    def __init__(self, app: Keyboard) -> None:
        self._app = app
        self.held = app.held
        """The keys that wait until there is something to receive them."""
        self.frame = Frame(app.batch_update, self._wake)
        """The next frame, which may wait for answers that belong to it."""
        self.release_keys = app.release_keys
        self.exit = app.exit
        self.mount = app.mount
        self.push_screen = app.push_screen
        self.run_worker = app.run_worker
        self.call_later = app.call_later
        self.call_after_refresh = app.call_after_refresh
        self.set_timer = app.set_timer
        self.set_interval = app.set_interval

    def _wake(self) -> None:
        """Let the screen draw what it did not while drawing was held back."""
        if self._app.screen_stack:
            self._app.screen.check_idle()

    @property
    def base(self) -> Screen[Any]:
        """The screen with the panes, below any popup."""
        return self._app.screen_stack[0]

    @property
    def body(self) -> Body:
        """The container of all panes."""
        return self.base.query_one("#body", Body)

    @property
    def top(self) -> Screen[Any]:
        """The popup that is open, or the screen with the panes."""
        return self._app.screen

    @property
    def is_covered(self) -> bool:
        """Whether a popup is open."""
        return self.top is not self.base

    @property
    def held_scope(self) -> Scope | None:
        """The scope of keys that a popup has; None if none is open."""
        return getattr(self.top, "holding", None)

    @property
    def is_running(self) -> bool:
        """Whether the browser is neither starting nor closing."""
        return self._app.is_running and bool(self._app.screen_stack)

    @property
    def is_typing(self) -> bool:
        """Whether printable keys type text now."""
        return self._app.is_typing

    @property
    def size(self) -> Size:
        """The size of the terminal."""
        return self._app.size

    @property
    def focused(self) -> Widget | None:
        """The widget that has the focus on the topmost screen."""
        return self._app.focused

    @property
    def theme(self) -> str:
        """The theme of all screens."""
        return self._app.theme

    @theme.setter
    def theme(self, theme: str) -> None:
        self._app.theme = theme

    def open(
        self, popup: ModalScreen[Answer | None], take: Callable[[Answer], object]
    ) -> None:
        """Open a popup; `take` gets its result, unless it is cancelled."""

        async def taken(given: Answer | None) -> None:
            done = None if given is None else take(given)
            if isawaitable(done):
                await done

        self.push_screen(popup, taken)

    def handed_over(self) -> AbstractContextManager[None]:
        """Give the terminal to another program for a while."""
        return handed_over(self._app)
