"""A program to run in a terminal, with the driver if its first argument is `frugal`.

With `inline` it also draws below the prompt. A second argument is a file that records
every key; any third makes it ignore hang-ups.
"""

import signal
import sys
from pathlib import Path
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Event, Key
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tui.driver.driver import driver_class

WORDS = ["plain", "字 wide", "🙂 face", "👩\u200d🚀 joined", "e\u0301 marked", "━━╸─"]


def line(number: int) -> Content:
    return Content(f"{number:4} {WORDS[number % len(WORDS)]} {'x' * (number % 30)}")


class Program(App[None]):
    """A list, its selection, a field, the number of keys pressed, the size."""

    CSS = "OptionList { height: 1fr } #chosen { height: 5; background: $panel }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", priority=True),
        Binding("ctrl+z", "suspend_process", priority=True),
        Binding("ctrl+l", "redraw", priority=True),
        Binding("ctrl+s", "copy", priority=True),
    ]

    def __init__(self, *, frugal: bool, told: Path | None) -> None:
        super().__init__(driver_class=driver_class(frugal=frugal))
        self._told = told
        self._keys: list[Key] = []

    def compose(self) -> ComposeResult:
        yield OptionList(*(Option(line(number)) for number in range(500)))
        yield Static(id="chosen", markup=False)
        yield Input()
        yield Static(id="keys", markup=False)

    def on_resize(self) -> None:
        self.call_later(self._tell)

    def on_option_list_option_highlighted(
        self, event: OptionList.OptionHighlighted
    ) -> None:
        chosen = f"{event.option_index}\n\n{'漢字 ' * (event.option_index % 9)}"
        self.query_one("#chosen", Static).update(chosen)

    async def on_event(self, event: Event) -> None:
        await super().on_event(event)
        if isinstance(event, Key) and not any(event is key for key in self._keys):
            self._keys.append(event)
            self._tell()
            if self._told:
                with self._told.open("a", encoding="ascii") as told:
                    told.write(".")

    def _tell(self) -> None:
        told = f"keys {len(self._keys)}. {self.size.width}x{self.size.height}"
        self.query_one("#keys", Static).update(told)

    def action_redraw(self) -> None:
        getattr(self._driver, "redraw", self.refresh)()

    def action_copy(self) -> None:
        self.copy_to_clipboard("copied")


if __name__ == "__main__":
    mode, *rest = sys.argv[1:]
    if len(rest) > 1:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    app = Program(frugal=mode != "plain", told=Path(rest[0]) if rest else None)
    app.run(inline=mode == "inline")
    sys.exit(app.return_code)
