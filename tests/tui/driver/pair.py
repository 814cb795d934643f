"""Two terminals: one gets the output directly, the other through the driver."""

from tests.tui.driver.terminal import Terminal
from tui.driver.driver import Intake
from tui.driver.painter import Painter
from tui.driver.screen import Abilities, Frame

ABLE = Abilities(erases_to_background=True, scrolls=True)


class Pair:
    """Compares the direct output with the driver's."""

    def __init__(
        self,
        columns: int,
        lines: int,
        abilities: Abilities = ABLE,
        *,
        is_naive: bool = False,
    ) -> None:
        self.size = columns, lines
        self.plain = Terminal(columns, lines)
        self.frugal = Terminal(
            columns,
            lines,
            erases_to_background=abilities.erases_to_background,
            is_naive=is_naive,
        )
        self.sent: list[str] = []
        self.intake = Intake(self._send, lambda: self.size)
        self._painter = Painter(abilities)
        self.write("\x1b[?1049h")
        self.write("\x1b[?7l")

    def write(self, data: str) -> str:
        """Write this, and return what was sent."""
        before = len(self.sent)
        self.plain.feed(data)
        self.intake.write(data)
        self.intake.flush()
        return "".join(self.sent[before:])

    def resize(self, columns: int, lines: int) -> None:
        self.size = columns, lines
        for terminal in (self.plain, self.frugal):
            terminal.resize(lines, columns)

    def assert_same(self) -> None:
        assert self.frugal.seen() == self.plain.seen()
        assert place(self.frugal) == place(self.plain)

    def _send(self, item: str | Frame) -> None:
        text = self._painter.paint(item) if isinstance(item, Frame) else item
        self.sent.append(text)
        self.frugal.feed(text)


def place(terminal: Terminal) -> tuple[int, int]:
    return terminal.cursor.y, min(terminal.cursor.x, terminal.columns - 1)
