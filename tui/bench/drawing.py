"""Bytes that drawing takes, as Textual writes them and as the driver sends them."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from textual.app import App
from textual.driver import Driver
from textual.drivers.headless_driver import HeadlessDriver

from tui.bench.measure import Measure
from tui.driver.abilities import Abilities
from tui.driver.frame import Frame
from tui.driver.intake import Intake
from tui.driver.painter import Painter

_ABLE = Abilities(erases_to_background=True, scrolls=True)


class Drawing(Struct, frozen=True):
    """Keys to press one after the other, and how many bytes may follow each."""

    name: str
    keys: Sequence[str]
    bound: int


class Tally:
    """What Textual wrote, and what the driver makes of it."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.written: list[str] = []
        self.sent: list[str] = []
        self._painter = Painter(_ABLE)

    def take(self) -> tuple[int, int]:
        """How many bytes were written, and sent, since this was asked last."""
        sizes = _size(self.written), _size(self.sent)
        self.written.clear()
        self.sent.clear()
        return sizes

    def send(self, item: str | Frame) -> None:
        """Keep what would go to the terminal."""
        self.sent.append(item if isinstance(item, str) else self._painter.paint(item))

    def driver_class(self) -> type[Driver]:
        """For an app to be made with."""
        tally = self

        class TallyDriver(_TallyDriver):
            def __init__(self, app: App[Any], **options: Any) -> None:  # noqa: ANN401  # as Textual passes them
                super().__init__(app, **options)
                self.begin(tally)

        return TallyDriver


class _TallyDriver(HeadlessDriver):
    """Draws for a tally."""

    def begin(self, tally: Tally) -> None:
        """Draw on a screen that is blank."""
        self._tally = tally
        self._intake = Intake(tally.send, self._app_size)
        self._intake.write("\x1b[?1049h")

    @property
    def is_headless(self) -> bool:
        """Drawing is what this is for."""
        return False

    def write(self, data: str) -> None:
        """Keep it, and have the driver take it."""
        self._tally.written.append(data)
        self._intake.write(data)

    def flush(self) -> None:
        """An update is complete."""
        self._intake.flush()

    def _app_size(self) -> tuple[int, int]:
        size = self._app.size
        return size.width, size.height


async def measure_drawing(
    app: App[Any], tally: Tally, drawings: Sequence[Drawing], start: int
) -> list[Measure]:
    """Draw an app that was made with the tally's driver, on 80 × 24.

    `start` is how many bytes its first screen may take. Of several keys, the one that
    takes most counts.
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
