"""What one comes back to: view, query, store, split and colours as one left them."""

from pathlib import Path

import pytest

from store.keeping.last import Last
from store.library import Library
from store.places import Places
from store.settings.record import Settings
from tests.tui.browser.stories.visit import visiting
from tui.browser.framed import Outfit
from tui.browser.kept import Kept
from tui.themes.choice import Options, choose
from widgets.styles.glyphs import ASCII

COLOURS = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    places = Places(tmp_path / "cache", tmp_path / "state", tmp_path / "config")
    return Kept(Settings(), places)


async def test_one_comes_back_to_where_one_was(library: Library, kept: Kept) -> None:
    async with visiting(library, kept=kept) as visit:
        await visit.press("g", "s")
        await visit.type("cognitive")
        await visit.press("enter", "plus", "2")
        await visit.ask("type:SOLVES")
        left = visit.pane("list-edges")
        store = visit.browser.stores

    async with visiting(library, kept=kept) as visit:
        assert visit.browser.kind == "edges"
        assert visit.query == "type:SOLVES"
        assert visit.browser.stores == store
        assert visit.browser.split == 1
        assert visit.pane("list-edges")[1:5] == left[1:5]


async def test_a_theme_that_was_chosen_is_remembered(
    library: Library, kept: Kept
) -> None:
    async with visiting(library, kept=kept) as visit:
        before = visit.browser.theme
        await visit.press("T")
        await visit.type("light")
        await visit.press("enter")
        chosen = visit.browser.theme
        assert chosen != before

    remembered = kept.last(library.chosen).theme
    outfit = Outfit(chosen=choose(COLOURS, remembered, Options()))
    async with visiting(library, kept=kept, outfit=outfit) as visit:
        assert visit.browser.theme == chosen


async def test_a_terminal_that_cannot_show_a_theme_does_not_have_it_forgotten(
    library: Library, kept: Kept
) -> None:
    kept.leave(library.chosen, Last(theme="light"))
    without = choose({**COLOURS, "NO_COLOR": "1"}, "light", Options())
    async with visiting(library, kept=kept, outfit=Outfit(chosen=without)) as visit:
        assert visit.browser.theme == "none"

    assert kept.last(library.chosen).theme == "light"


async def test_without_colours_signs_tell_everything(library: Library) -> None:
    outfit = Outfit(chosen=choose({**COLOURS, "NO_COLOR": "1"}, None, Options()))
    async with visiting(library, outfit=outfit) as visit:
        assert visit.browser.palette.name == "none"
        await visit.press("space")
        await visit.press("tab")
        row = visit.table.render_line(2)
        assert row.text.startswith("▌")
        colours = {part.style.color for part in row if part.style}
        assert colours <= {None} or all(
            one is None or one.is_default for one in colours
        )


async def test_ascii_is_all_there_is_where_it_is_all_there_may_be(
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


async def test_who_is_new_is_told_what_is_here_and_how_to_go_on(
    library: Library, kept: Kept
) -> None:
    async with visiting(library, (100, 36), kept=kept) as visit:
        assert "These stores were found:" in visit.pane("reader")[0]
        assert "✓" in "\n".join(visit.pane("reader"))
        assert "/ narrows the list" in visit.pane("first")[0]
        assert len(visit.pane("first")) == 3
        await visit.press("j")
        assert "These stores were found:" not in visit.text
        assert visit.pane("first")
        await visit.press("s")
        assert not visit.pane("first")

    for _ in range(2):
        async with visiting(library, kept=kept) as visit:
            assert visit.pane("first")
            assert "These stores were found:" not in visit.text
    async with visiting(library, kept=kept) as visit:
        assert not visit.pane("first")


async def test_who_is_new_is_led_to_the_links_by_the_first_key(
    library: Library, kept: Kept
) -> None:
    async with visiting(library, (80, 24), kept=kept) as visit:
        assert "These stores were found:" in visit.text
        await visit.press("l")
        assert visit.scope == "links"
        assert "BUILDS_ON" in visit.text


async def test_nothing_can_be_changed_and_the_tab_bar_says_so(
    library: Library, kept: Kept
) -> None:
    async with visiting(library, kept=kept) as visit:
        assert visit.screen[0].endswith(" RO")
