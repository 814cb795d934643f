"""A program that opens a popup and stores its result."""

from typing import Any

from tests.tui.browser.host import Host
from tui.browser.popups.popup import Popup
from widgets.styles import DARK

UNDECIDED = object()
"""What a popup came to that is open still."""


class Opener(Host):
    """Only a popup, over an empty screen."""

    def __init__(self, popup: Popup[Any], theme: str = DARK.name) -> None:
        super().__init__(theme=theme)
        self.popup = popup
        self.came_to: Any = UNDECIDED

    def on_mount(self) -> None:
        self.push_screen(self.popup, self._decided)

    def _decided(self, result: object) -> None:
        self.came_to = result
