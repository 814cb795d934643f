"""A program that only shows one widget."""

from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget

M = TypeVar("M", bound=Message)


class OneApp(App[None]):
    """Shows one widget, and stores its reports."""

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.widget = widget
        self._heard: dict[int, Message] = {}

    def compose(self) -> ComposeResult:
        yield self.widget

    def on_mount(self) -> None:
        if self.widget.can_focus:
            self.widget.focus()

    def at(self, width: int, height: int) -> AbstractAsyncContextManager[Pilot[None]]:
        """Run it in a terminal of some size."""
        return self.run_test(size=(width, height), message_hook=self._hear)

    def told(self, kind: type[M]) -> list[M]:
        """The widget's reports of one kind, in order."""
        return [
            message for message in self._heard.values() if isinstance(message, kind)
        ]

    def shown(self) -> list[str]:
        """The text of the rows of the screen."""
        rows = range(self.widget.size.height)
        return [self.widget.render_line(y).text.rstrip() for y in rows]

    def _hear(self, message: Message) -> None:
        """Store a message; it arrives once for every widget it bubbles to."""
        self._heard.setdefault(id(message), message)
