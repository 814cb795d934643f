"""View, query, store, split and colours are restored."""

from pathlib import Path

import pytest

from store.library import Library
from store.machine import Places
from store.settings import Settings
from store.state import Last
from tests.tui.browser.stories.visit import visiting
from tui.browser.layout import Outfit
from tui.browser.session import Kept
from tui.themes import Options, choose
from widgets.styles import ASCII

COLOURS = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    places = Places(tmp_path / "cache", tmp_path / "state", tmp_path / "config")
    return Kept(Settings(), places)


async def test_the_last_place_is_restored(library: Library, kept: Kept) -> None:
    async with visiting(library, kept=kept) as visit:
        await visit.press("g", "s")
        await visit.type("cognitive")
        await visit.press("enter", "plus", "2")
        await visit.ask("type:SOLVES")
        left = visit.pane("list-edges")
        store = visit.browser.parts.session.stores

    async with visiting(library, kept=kept) as visit:
        assert visit.browser.parts.lists.kind == "edges"
        assert visit.query == "type:SOLVES"
        assert visit.browser.parts.session.stores == store
        assert visit.browser.parts.layout.split == 1
        assert visit.pane("list-edges")[1:5] == left[1:5]


async def test_a_refused_query_is_not_restored(library: Library, kept: Kept) -> None:
    async with visiting(library, kept=kept) as visit:
        await visit.press("6")
        await visit.ask("tag:postgres")
        assert "no field" in visit.pane("query")[0]

    async with visiting(library, kept=kept) as visit:
        assert visit.query == ""


async def test_a_chosen_theme_is_remembered(library: Library, kept: Kept) -> None:
    async with visiting(library, kept=kept) as visit:
        before = visit.browser.theme
        await visit.press("T")
        await visit.type("light")
        await visit.press("enter")
        chosen = visit.browser.theme
        assert chosen != before

    remembered = kept.last(library.stores.chosen).theme
    outfit = Outfit(chosen=choose(COLOURS, remembered, Options()))
    async with visiting(library, kept=kept, outfit=outfit) as visit:
        assert visit.browser.theme == chosen


async def test_a_terminal_that_cannot_show_a_theme_does_not_reset_it(
    library: Library, kept: Kept
) -> None:
    kept.leave(library.stores.chosen, Last(theme="light"))
    without = choose({**COLOURS, "NO_COLOR": "1"}, "light", Options())
    async with visiting(library, kept=kept, outfit=Outfit(chosen=without)) as visit:
        assert visit.browser.theme == "none"

    assert kept.last(library.stores.chosen).theme == "light"


async def test_without_colours_signs_are_enough(library: Library) -> None:
    outfit = Outfit(chosen=choose({**COLOURS, "NO_COLOR": "1"}, None, Options()))
    async with visiting(library, outfit=outfit) as visit:
        assert visit.browser.parts.layout.palette.name == "none"
        await visit.press("space")
        await visit.press("tab")
        row = visit.table.sheet.render_line(2)
        assert row.text.startswith("▌")
        colours = {part.style.color for part in row if part.style}
        assert colours <= {None} or all(
            one is None or one.is_default for one in colours
        )


async def test_ascii_is_enough_if_nothing_else_is_allowed(
    library: Library,
) -> None:
    outfit = Outfit(chosen=choose(COLOURS, None, Options(None, True)))  # noqa: FBT003  # as the command line says it
    async with visiting(library, (120, 36), outfit=outfit) as visit:
        for pane in ("tabs", "status", "hints", "links"):
            assert all(line.isascii() for line in visit.pane(pane)), pane
        glyphs = {*map(chr, ASCII), "╭", "╰"}
        assert not glyphs & set(visit.text), "not of borders and scrollbars either"
        await visit.press("question_mark")
        assert not glyphs & set(visit.text)


async def test_the_tab_bar_shows_that_everything_is_read_only(
    library: Library, kept: Kept
) -> None:
    async with visiting(library, kept=kept) as visit:
        assert visit.screen[0].endswith(" read-only")
