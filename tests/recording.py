"""The recording: `python -m tests.recording` makes `screenshots/curation.svg`.

A browser on the sample stores gets the keys of a tour. What it shows after each of them
becomes a picture that moves by itself, wherever SVG is shown.
"""

import asyncio
import tempfile
from collections import defaultdict
from collections.abc import AsyncGenerator, Hashable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate, groupby
from pathlib import Path
from typing import TypeVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.pilot import Pilot

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library, Writing
from store.machine import Places
from tests.project import ROOT
from tests.screenshots import NOW, as_at_home, settled
from tui.browser.app import Browser
from tui.browser.layout import Outfit
from tui.browser.session import Kept
from tui.themes import DARK, Chosen, Colours

SIZE = (80, 24)
WIDE, HIGH = 8.4, 18
"""The size of a character."""

BEHIND, BEFORE = "#11151c", "#dfe4ec"
"""The colours of a terminal that none are asked of."""

SAYS = ' fill="#ffd166" font-weight="bold"'
"""How the line below the screen looks, which says what the keys are for."""

FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


@dataclass(frozen=True)
class Move:
    """Keys, what they are for, and how long their result is shown."""

    says: str
    keys: tuple[str, ...] = ()
    seconds: float = 2.5
    each: float = 0.7
    """Seconds from one key to the next that is seen."""
    seen: int = 1
    """Each of how many keys is seen."""


TOUR = (
    Move("recollect opens what your agents remember, read-only", seconds=4),
    Move("j  the next memory", ("j", "j", "j"), each=0.7),
    Move(
        "/  search while typing; typos are fine", ("/", *"conection timeuot"), 3, 0.5, 4
    ),
    Move("enter  to the hits", ("enter",)),
    Move("enter  read it", ("enter",), 3),
    Move("esc  back to the list", ("escape",), 1.5),
    Move("l  its links", ("l",), 3),
    Move("esc  back to the list, and to all memories", ("escape", "escape"), 2, 0.8),
    Move("!  allow edits; each one is backed up", ("!",), 3),
    Move("p  pin: it never fades again", ("p",), 3),
    Move("u  undo, also tomorrow", ("u",), 3),
    Move("4  conversations, as a timeline", ("4",), 3),
    Move("k  an earlier one", ("k", "k"), 2.5, 0.6),
    Move("enter  every message and call", ("enter",), 3),
    Move("6  problems that agents left behind", ("escape", "6"), 3),
    Move("x  fix one: the plan comes first", ("j", "x"), 4, 0.8),
    Move("enter  apply", ("enter",), 3),
    Move("1  back to the memories", ("1",), 3),
)

Row = tuple[Segment, ...]


@dataclass(frozen=True)
class Shown:
    """What is on the screen for some seconds."""

    says: str
    seconds: float
    rows: Sequence[Row]


async def recorded(folder: Path) -> list[Shown]:
    """The screens of the tour."""
    stores = demo.write(folder / "stores", NOW)
    places = Places(folder / "cache", folder / "state", folder / "config")
    now = int(NOW.timestamp()) * 1_000_000
    writing = Writing(places, clock=lambda: now)
    with Library(folder / "catalogue.db", now, writing=writing) as library:
        library.stores.choose(beneath(stores, FORMATS).stores)
        library.sync()
        outfit = Outfit(chosen=Chosen(DARK, Colours.ALL, is_ascii=False))
        kept = Kept(places=places)
        browser = Browser(library, reads=False, kept=kept, outfit=outfit)
        async with browser.run_test(size=SIZE) as pilot:
            return [shown async for shown in _played(browser, pilot)]


async def _played(browser: Browser, pilot: Pilot[None]) -> AsyncGenerator[Shown]:
    await settled(browser, pilot)
    for move in TOUR:
        for number, key in enumerate(move.keys, 1):
            await pilot.press("space" if key == " " else key)
            await settled(browser, pilot)
            if number % move.seen == 0 and number < len(move.keys):
                yield Shown(move.says, move.each, _rows(browser))
        yield Shown(move.says, move.seconds, _rows(browser))


def _rows(browser: Browser) -> list[Row]:
    strips = browser.screen._compositor.render_strips()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # nothing public tells what stands on the screen
    return [tuple(Segment.simplify(strip)) for strip in strips[: SIZE[1]]]


# One drawing for each row, shown while it is on the screen.

Times = list[tuple[float, float]]
T = TypeVar("T", bound=Hashable)


def moving(shown: Sequence[Shown]) -> str:
    """All of it as one picture."""
    ends = list(_ends(shown))
    rows = "".join(
        _row(y, row, times)
        for y in range(SIZE[1])
        for row, times in _when([(one.rows[y], *end) for one, end in ends]).items()
    )
    said = "".join(
        _during(_text(0, SIZE[1] + 1, says, SAYS), times)
        for says, times in _when([(one.says, *end) for one, end in ends]).items()
    )
    width, height = SIZE[0] * WIDE + 20, (SIZE[1] + 2) * HIGH + 20
    total = ends[-1][1][1]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="{FONT}" font-size="14" xml:space="preserve">\n'
        f'<rect width="100%" height="100%" rx="8" fill="{BEHIND}">'
        f'<animate id="tour" attributeName="x" from="0" to="0" dur="{total:g}s" '
        f'begin="0s;tour.end"/></rect>\n'
        f'<g transform="translate(10 10)" fill="{BEFORE}">\n{rows}{said}</g>\n</svg>\n'
    )


def _ends(shown: Sequence[Shown]) -> Iterator[tuple[Shown, tuple[float, float]]]:
    at = 0.0
    for one in shown:
        yield one, (at, at := round(at + one.seconds, 2))


def _when(seen: Sequence[tuple[T, float, float]]) -> dict[T, Times]:
    """From when to when each of some things is seen, without a gap in between."""
    times: dict[T, Times] = defaultdict(list)
    for thing, group in groupby(seen, key=lambda one: one[0]):
        parts = list(group)
        times[thing].append((parts[0][1], parts[-1][2]))
    return times


def _row(y: int, row: Row, times: Times) -> str:
    """A row: first what is behind its texts, then the texts."""
    places = list(accumulate((one.cell_length for one in row), initial=0))
    cells = [
        (x, one.text, _colours(one.style)) for x, one in zip(places, row, strict=False)
    ]
    backs = groupby(zip(cells, places[1:], strict=True), key=lambda cell: cell[0][2][0])
    drawn = ""
    for back, group in backs:
        parts = list(group)
        if back != BEHIND:
            drawn += _back(parts[0][0][0], parts[-1][1], y, back)
    for x, text, (_, look) in cells:
        drawn += _text(x, y, text, look)
    return _during(drawn, times) if drawn else ""


def _back(begin: int, end: int, y: int, colour: str) -> str:
    return (
        f'<rect x="{begin * WIDE:g}" y="{y * HIGH}" width="{(end - begin) * WIDE:g}" '
        f'height="{HIGH}" fill="{colour}"/>'
    )


def _during(drawn: str, times: Times) -> str:
    """A part of the picture that is seen at these times only."""
    sets = "".join(
        f'<set attributeName="visibility" to="visible" begin="tour.begin+{begin:g}s" '
        f'dur="{end - begin:g}s"/>'
        for begin, end in times
    )
    return f'<g visibility="hidden">{drawn}{sets}</g>\n'


def _text(x: int, y: int, text: str, look: str) -> str:
    bare = text.strip()
    if not bare:
        return ""
    begin = x + cell_len(text[: len(text) - len(text.lstrip())])
    return (
        f'<text x="{begin * WIDE:g}" y="{y * HIGH + 14}"{look} '
        f'textLength="{cell_len(bare) * WIDE:g}">{escape(bare, quote=False)}</text>'
    )


def _colours(style: Style | None) -> tuple[str, str]:
    """The colour behind a text, and how it looks itself."""
    style = style or Style.null()
    back = style.bgcolor.get_truecolor().hex if style.bgcolor else BEHIND
    front = style.color.get_truecolor().hex if style.color else BEFORE
    if style.reverse:
        back, front = front, back
    look = f' fill="{front}"' if front != BEFORE else ""
    look += ' font-weight="bold"' if style.bold else ""
    look += ' text-decoration="underline"' if style.underline else ""
    return back, look


def main() -> None:
    """Make the picture."""
    with tempfile.TemporaryDirectory() as folder:
        shown = asyncio.run(recorded(Path(folder)))
        svg = as_at_home(moving(shown), Path(folder))
    (ROOT / "screenshots" / "curation.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
