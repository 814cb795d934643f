"""A small program around a part of the browser, with keys as in the browser itself."""

from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from textual.app import ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widget import Widget

from tui.browser.layout import TEXTUAL_THEMES
from tui.browser.query_bar import QueryBar
from tui.commands.command import Scope, Situation
from tui.commands.registry import REGISTRY, obey
from tui.keys import Keyboard
from widgets.styles import DARK

M = TypeVar("M", bound=Message)


class Host(Keyboard):
    """Shows some widgets, and stores their reports and commands."""

    AUTO_FOCUS = None
    CSS = "Screen { overflow: hidden; }"

    def __init__(self, *widgets: Widget, theme: str = DARK.name) -> None:
        super().__init__(
            REGISTRY.usual_keys, ansi_color=theme in {"ansi", "none"} or None
        )
        self._widgets = widgets
        self._reported: dict[int, Message] = {}
        self.refused: list[str] = []
        self.register_theme(TEXTUAL_THEMES[theme])
        self.theme = theme

    def compose(self) -> ComposeResult:
        yield from self._widgets

    @property
    def place(self) -> str:
        if isinstance(self.screen, ModalScreen):
            return Scope.POPUP
        bars = self.query(QueryBar)
        is_typing = bars and bars.first().is_typed_in
        return Scope.QUERY if is_typing else Scope.ROWS

    async def obey(self, command: str) -> None:
        why_not = await obey(self, REGISTRY.command(command), Situation(rows=1))
        if why_not:
            self.refused.append(why_not)

    def at(self, width: int, height: int) -> AbstractAsyncContextManager[Pilot[None]]:
        """Run it in a terminal of some size."""
        return self.run_test(size=(width, height), message_hook=self._hear)

    def told(self, kind: type[M]) -> list[M]:
        """The reports of one kind, in order."""
        return [
            message for message in self._reported.values() if isinstance(message, kind)
        ]

    def shown(self) -> list[str]:
        """The text on the screen."""
        return frame(self)

    def _hear(self, message: Message) -> None:
        self._reported.setdefault(id(message), message)


def frame(host: Keyboard) -> list[str]:
    """The lines of the screen as text, without trailing blanks."""
    width, height = host.size
    lines = host.screen._compositor.render_strips()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # nothing public tells what stands on the screen
    return [line.text.rstrip()[:width] for line in lines[:height]]
