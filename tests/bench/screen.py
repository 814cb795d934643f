"""Bytes sent to the terminal."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from textual.app import App
from textual.driver import Driver
from textual.drivers.headless_driver import HeadlessDriver

from tests.bench.baseline import Measure
from tui.driver.driver import Intake
from tui.driver.painter import Painter
from tui.driver.screen import Abilities, Frame

_ABLE = Abilities(erases_to_background=True, scrolls=True)


class Drawing(Struct, frozen=True):
    """Keys to press in order, and the allowed bytes for each."""

    name: str
    keys: Sequence[str]
    bound: int


class Tally:
    """Records what Textual writes and what the driver sends."""

    def __init__(self) -> None:
        """Start without any output."""
        self.written: list[str] = []
        self.sent: list[str] = []
        self._painter = Painter(_ABLE)

    def take(self) -> tuple[int, int]:
        """The numbers of bytes written and sent since the last call."""
        sizes = _size(self.written), _size(self.sent)
        self.written.clear()
        self.sent.clear()
        return sizes

    def send(self, item: str | Frame) -> None:
        """Record what would be sent to the terminal."""
        self.sent.append(item if isinstance(item, str) else self._painter.paint(item))

    def driver_class(self) -> type[Driver]:
        """A driver class for the app to measure."""
        tally = self

        class TallyDriver(_TallyDriver):
            def __init__(self, app: App[Any], **options: Any) -> None:  # noqa: ANN401  # as in Textual
                super().__init__(app, **options)
                self.begin(tally)

        return TallyDriver


class _TallyDriver(HeadlessDriver):
    """A driver that records its output."""

    def begin(self, tally: Tally) -> None:
        """Start with a blank screen."""
        self._tally = tally
        self._intake = Intake(tally.send, self._app_size)
        self._intake.write("\x1b[?1049h")

    @property
    def is_headless(self) -> bool:
        """Always False, so that Textual draws."""
        return False

    def write(self, data: str) -> None:
        """Record the data and pass it to the real driver."""
        self._tally.written.append(data)
        self._intake.write(data)

    def flush(self) -> None:
        """End an update."""
        self._intake.flush()

    def _app_size(self) -> tuple[int, int]:
        size = self._app.size
        return size.width, size.height


async def measure_drawing(
    app: App[Any], tally: Tally, drawings: Sequence[Drawing], start: int
) -> list[Measure]:
    """Measure an app that uses the tally's driver, on 80 × 24 cells.

    `start` is the allowed number of bytes of the first screen. Of several keys, the one
    with most bytes counts.
    """
    async with app.run_test(headless=False, size=(80, 24)) as pilot:
        await pilot.pause()
        figures = [_measure("the first screen", tally.take(), start)]
        for drawing in drawings:
            sizes: list[tuple[int, int]] = []
            for key in drawing.keys:
                await pilot.press(key)
                await pilot.pause()
                sizes.append(tally.take())
            worst = max(sizes, key=lambda size: size[1])
            figures.append(_measure(drawing.name, worst, drawing.bound))
    return figures


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
