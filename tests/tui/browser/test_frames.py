"""Every view at every size looks as before, and never exceeds the screen."""

import re
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence

import pytest
from rich.cells import cell_len

from store.library import Library
from tests.frames import painted
from tests.frames.drawn import FOLDER, SIZES, SMALL, frames, named
from tests.frames.painted import paintings
from tests.frames.shelf import IS_USUAL, NOW, a_shelf, anywhere, on_shelf
from tests.tui.browser.stories.visit import Visit, visiting
from tui.browser.bars import VIEWS, View

TINY = [(1, 1), (20, 6)]
THEMES = ("dark", "light", "high-contrast", "none")

Kept = Callable[[Library], AsyncGenerator[tuple[str, str]]]


@pytest.fixture(autouse=True)
def _at_greenwich(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with (
        a_shelf(tmp_path_factory.mktemp("shelf")) as shelf,
        on_shelf(shelf, NOW) as library,
    ):
        yield library


@pytest.mark.skipif(not IS_USUAL, reason="frames tell where the stores lie")
@pytest.mark.parametrize("kept", [frames, paintings])
async def test_every_view_looks_the_same(kept: Kept) -> None:
    with anywhere() as shelf, on_shelf(shelf, NOW) as library:
        told = {name: text async for name, text in kept(library)}

    assert told
    for name, text in told.items():
        was = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
        assert text.splitlines() == was.splitlines(), name


@pytest.mark.parametrize(
    ("size", "views", "start"),
    [
        *((size, VIEWS, number) for number, size in enumerate(TINY)),
        *((size, VIEWS, number) for number, size in enumerate(SIZES[:2], 2)),
        *((size, VIEWS[:2], number) for number, size in enumerate(SIZES[2:])),
    ],
)
async def test_every_view_stays_on_the_screen_in_any_theme(
    stores: Library, size: tuple[int, int], views: Sequence[View], start: int
) -> None:
    async with visiting(stores, size) as visit:
        for number, view in enumerate(views, start):
            visit.browser.theme = THEMES[number % len(THEMES)]
            visit.browser.parts.layout.paint()
            await visit.press(view.key)
            _assert_well_drawn(visit, view, size)
        assert visit.browser.failure == ""


def _assert_well_drawn(visit: Visit, view: View, size: tuple[int, int]) -> None:
    width, height = size
    screen = visit.screen
    assert len(screen) <= height
    assert all(cell_len(line) <= width for line in screen)
    assert not any("cannot be drawn" in line for line in screen)
    if width < 20 or height < 4:
        assert screen[0] == f"too small · {width}x{height}"[:width]
        return
    if height >= 10:
        if width >= 80:
            tab = rf"(^| ){view.within or view.key} [A-Z][a-z]+ "
            assert re.search(tab, f"{screen[0]} ")
        assert re.search(rf"\b{visit.found}\b", screen[1])
    assert visit.query == ""
    line = visit.browser.cursor_position.y - visit.table.sheet.region.y
    title = getattr(visit.table.at_cursor, "title", None) or ""
    rows = visit.pane(visit.table.sheet.id or "")
    assert 0 < line < len(rows)
    assert title[:8].split(" ")[0] in rows[line]


def test_frames_belong_to_some_view_and_size() -> None:
    names = {named(view, size) for view in VIEWS for size in SIZES}
    names |= {f"{named(view, SMALL)}-ascii" for view in VIEWS}
    names |= {
        f"{named(view, size)}-themes"
        for size, views in painted.SIZES.items()
        for view in views
    }

    assert {path.stem for path in FOLDER.iterdir()} == names
