"""Bytes that drawing takes, as Textual writes them and as the driver sends them."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver

from tui.bench.measure import Measure
from tui.driver.abilities import Abilities
from tui.driver.frame import Frame
from tui.driver.intake import Intake
from tui.driver.painter import Painter

_ABLE = Abilities(erases_to_background=True, scrolls=True)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Keys to press one after the other, and how many bytes may follow each."""

    name: str
    keys: Sequence[str]
    bound: int


class Tally(HeadlessDriver):
    """A terminal that keeps what Textual writes, and what the driver makes of it."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        """As any driver of Textual's is made."""
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self.written: list[str] = []
        self.sent: list[str] = []
        self._painter = Painter(_ABLE)
        self._intake = Intake(self._send, lambda: (app.size.width, app.size.height))
        self._intake.write("\x1b[?1049h")

    @property
    def is_headless(self) -> bool:
        """Drawing is what this is for."""
        return False

    def write(self, data: str) -> None:
        """Keep it, and have the driver take it."""
        self.written.append(data)
        self._intake.write(data)

    def flush(self) -> None:
        """An update is complete."""
        self._intake.flush()

    def take(self) -> tuple[int, int]:
        """How many bytes were written, and sent, since this was asked last."""
        sizes = _size(self.written), _size(self.sent)
        self.written.clear()
        self.sent.clear()
        return sizes

    def _send(self, item: str | Frame) -> None:
        self.sent.append(item if isinstance(item, str) else self._painter.paint(item))


async def measure_drawing(
    app: App[Any], drawings: Sequence[Drawing], start: int
) -> AsyncIterator[Measure]:
    """Draw an app that was made with `Tally` for its driver, on 80 × 24.

    `start` is how many bytes its first screen may take. Of several keys, the one that
    takes most counts.
    """
    async with app.run_test(headless=False, size=(80, 24)) as pilot:
        driver = app.driver
        await pilot.pause()
        yield _measure("the first screen", driver.take(), start)
        for drawing in drawings:
            sizes: list[tuple[int, int]] = []
            for key in drawing.keys:
                await pilot.press(key)
                await pilot.pause()
                sizes.append(driver.take())
            worst = max(sizes, key=lambda size: size[1])
            yield _measure(drawing.name, worst, drawing.bound)


def _measure(name: str, size: tuple[int, int], bound: int) -> Measure:
    written, sent = size
    return Measure(
        name=f"bytes to the terminal: {name}",
        value=sent,
        unit="B",
        floor="what Textual writes",
        floor_value=written,
        bound=bound,
    )


def _size(parts: Sequence[str]) -> int:
    return len("".join(parts).encode())
