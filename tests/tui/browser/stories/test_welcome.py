"""The welcome page teaches in one screen, and leaves with the first key."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from store.library import Library
from store.machine import Places
from tests.frames.drawn import CHOSEN
from tests.tui.browser.stories.visit import visiting
from tests.tui.browser.stories.workbench import Workbench
from tests.widgets.hostile import SIZES
from tui.browser.layout import Outfit
from tui.browser.session import Kept
from tui.browser.sync import Reading
from tui.browser.welcome import Facts, lesson
from tui.commands.registry import REGISTRY, Keyed
from widgets.sheet import text_of, width_of

KEYED = Keyed(REGISTRY, REGISTRY.usual_keys)

FACTS = Facts(
    12,
    {"memories": 226, "edges": 188, "messages": 186},
    formats=frozenset({"cognitive", "notes"}),
)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """The state of a new user."""
    return Kept(places=Places(*(tmp_path / name for name in ("c", "s", "f"))))


def page(facts: Facts, width: int = 80, height: int = 20) -> str:
    return "\n".join(text_of(line) for line in lesson(facts, KEYED, width, height))


async def test_a_new_user_sees_it_once(library: Library, kept: Kept) -> None:
    async with visiting(library, (80, 24), kept=kept) as visit:
        assert visit.pane("welcome")[0].startswith("━ Welcome ━")
        assert f"{len(library.stores.chosen)} stores found: " in visit.text
        assert visit.screen[0].endswith(" RO"), "the tabs are above it"
        assert visit.pane("hints")[0].startswith(" l links  / search  space")
        assert " s sort" not in visit.text, "s lists the stores"

    for _ in range(2):
        async with visiting(library, kept=kept) as visit:
            assert "Welcome" not in visit.text
            assert visit.pane("first")[0].startswith(" / search · tab next pane · ")
    async with visiting(library, kept=kept) as visit:
        assert not visit.pane("first")


async def test_the_first_key_does_what_it_always_does(
    library: Library, kept: Kept
) -> None:
    async with visiting(library, (80, 24), kept=kept) as visit:
        await visit.press("j")
        assert "Welcome" not in visit.text
        assert visit.table.cursor == 1


@pytest.mark.parametrize(("key", "scope"), [("l", "links"), ("slash", "query")])
async def test_the_first_key_leads_to_another_pane(
    library: Library, kept: Kept, key: str, scope: str
) -> None:
    async with visiting(library, (80, 24), kept=kept) as visit:
        await visit.press(key)
        assert "Welcome" not in visit.text
        assert visit.scope == scope


@pytest.mark.parametrize("key", ["space", "v", "a", "p", "D", "u"])
async def test_the_first_key_marks_and_changes_nothing(
    library: Library, kept: Kept, key: str
) -> None:
    async with visiting(library, (80, 24), kept=kept) as visit:
        await visit.press(key)
        assert "Welcome" not in visit.text
        assert not visit.table.marks
        assert "Closed the welcome page. Press the key again." in visit.text

        await visit.press("space")
        assert len(visit.table.marks) == 1


async def test_enter_only_closes_it(library: Library, kept: Kept) -> None:
    async with visiting(library, (80, 24), kept=kept) as visit:
        await visit.press("enter")
        assert "Welcome" not in visit.text
        assert visit.scope == "memories"


async def test_the_first_key_may_begin_a_chord(library: Library, kept: Kept) -> None:
    async with visiting(library, (80, 24), kept=kept) as visit:
        await visit.press("g", "v")
        assert visit.query
        assert {getattr(visit.here, "pinned", None)} == {True}


@pytest.mark.parametrize(("pane", "x"), [("welcome", 5), ("tabs", 15), ("query", 20)])
async def test_the_mouse_starts_as_well(
    library: Library, kept: Kept, pane: str, x: int
) -> None:
    async with visiting(library, (80, 24), kept=kept) as visit:
        await visit.click(pane, x, 0)
        assert "Welcome" not in visit.text


async def test_it_never_says_what_is_not_so_while_stores_are_read(
    workbench: Workbench, kept: Kept
) -> None:
    with workbench.library.with_catalogue(workbench.places.cache / "new.db") as cold:
        cold.stores.choose(workbench.library.stores.found)
        async with visiting(cold, (80, 24), kept=kept, reads=True) as visit:
            await visit.until(lambda: "live" in visit.text)
            counts = visit.browser.parts.session.counts
            assert f"4 stores found: {counts['memories']} memories" in visit.text
            assert counts["memories"] > 0


def test_it_counts_the_files_that_were_read() -> None:
    reading = replace(FACTS, counts={}, reading=Reading(84, 444))

    assert "12 stores found, reading 84 of 444 files…" in page(reading)
    assert "12 stores found, reading…" in page(replace(reading, reading=Reading()))
    failed = replace(reading, reading=Reading(failure="The disk is full."))
    assert "12 stores found. The disk is full." in page(failed)
    assert "1 store found: 1 memory" in page(Facts(1, {"memories": 1}))


def test_only_what_fades_is_said_to_fade() -> None:
    assert "Those without a sign never fade." in page(FACTS)
    assert "Those without" not in page(replace(FACTS, formats=frozenset({"cognitive"})))
    lasting = page(replace(FACTS, formats=frozenset({"notes"})))
    assert "fade unless" not in lasting
    assert "◐" not in lasting


def test_it_says_whether_edits_are_allowed() -> None:
    assert "Stores are read-only. Press ! to allow edits;" in page(FACTS)
    assert "Edits are allowed. Press ! to turn them off;" in page(
        replace(FACTS, is_editing=True)
    )


def test_it_shows_the_current_keys() -> None:
    changed = REGISTRY.usual_keys.changed({"filter": (("ctrl+f",),), "pin": ()})
    lines = [text_of(one) for one in lesson(FACTS, Keyed(REGISTRY, changed), 80, 20)]

    assert any(line.split()[:2] == ["^f", "search;"] for line in lines)
    assert not any("pin, so it" in line for line in lines)


@pytest.mark.parametrize("size", [*SIZES, (40, 9), (60, 13), (40, 30)])
def test_it_fits_any_size(size: tuple[int, int]) -> None:
    for facts in (FACTS, replace(FACTS, formats=frozenset({"notes"}))):
        lines = lesson(facts, KEYED, *size)
        if size[0] >= 40:
            assert len(lines) <= size[1]
            assert max(map(width_of, lines[1:])) <= size[0]
            assert any("Any key starts." in text_of(line) for line in lines)


async def test_it_is_drawn_in_ascii(library: Library) -> None:
    ascii_only = replace(CHOSEN, is_ascii=True)
    async with visiting(library, (80, 24), outfit=Outfit(chosen=ascii_only)) as visit:
        visit.browser.parts.welcome.show()
        await visit.settle()
        assert "Welcome" in visit.text
        assert all(line.isascii() for line in visit.pane("welcome"))
