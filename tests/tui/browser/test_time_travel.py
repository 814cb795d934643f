"""The browser shows the stores as of a date, says so, and returns to now."""

import os
from collections.abc import AsyncGenerator
from datetime import date
from pathlib import Path

import pytest

from tests.store.catalogue.stores import Shelf, note, write
from tests.store.formats.transcripts_stores import SLUG
from tests.store.provenance.sittings import PLACE, Sitting
from tests.tui.browser.stories.visit import Visit, visiting
from tui.browser.sync import Reading

GLAZE = note("glaze", "Cone six.")
COPPER = GLAZE.replace("six", "nine")
NEXT_DAY = "2026-03-02T10:00:00.000Z"


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """Memories that were written one day, and changed the next."""
    projects = tmp_path / "stores/claude/projects"
    told = "- [glaze](glaze.md) — About it\n"
    index = write(projects, f"{SLUG}/memory/MEMORY.md", told)
    os.utime(index, (2_000_000_000, 2_000_000_000))
    write(projects, f"{SLUG}/memory/glaze.md", COPPER)
    write(projects, f"{SLUG}/memory/kiln.md", note("kiln"))
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.at = NEXT_DAY
    sitting.edit(f"{PLACE}/glaze.md", "six", "nine", originalFile=GLAZE)
    sitting.write(f"{PLACE}/kiln.md", note("kiln"))
    sitting.put(projects)
    shelf = Shelf(tmp_path / "catalogue.db", tmp_path / "stores")
    shelf.now = "2026-03-05T12:00:00Z"
    shelf.sync()
    return shelf


@pytest.fixture
async def visit(shelf: Shelf) -> AsyncGenerator[Visit]:
    with shelf.opened() as library:
        async with visiting(library, (120, 36)) as visit:
            yield visit


async def look_back(visit: Visit, day: str = "2026-03-01") -> None:
    await visit.press("at")
    await visit.type(day)
    await visit.press("enter")


async def test_a_day_is_shown_with_its_differences_from_now(visit: Visit) -> None:
    await look_back(visit)
    assert "as of 2026-03-01 · read-only" in visit.text
    assert "Changed since then:" in visit.text
    assert "1 new · 1 changed" in visit.text
    assert "esc returns to the present" in visit.text
    assert "↵ close" in visit.text
    assert "↵ close   esc close" not in visit.text
    words = " ".join(visit.text.replace("│", " ").split())
    assert "a store without git" in words or "stores without git" in words

    await visit.press("enter")
    assert visit.titles == ["glaze"]
    assert "Cone six." in "\n".join(visit.pane("reader"))
    assert "1 new · 1 changed since · esc returns" in visit.status

    await visit.press("6")
    assert "No score: only damage in files known from that day" in visit.text
    assert "No problems found." in visit.text
    await visit.press("7")
    assert "Current version: the file has changed since" in "\n".join(
        visit.pane("reader")
    )


async def test_a_half_filled_index_is_not_compared(visit: Visit) -> None:
    session = visit.browser.parts.session
    session.is_reading, session.progress = True, Reading(done=1, total=2)
    await visit.press("at")
    assert "Files are still being read; try again once all are." in visit.status
    visit.browser.parts.past.choose_day(date(2026, 3, 1).toordinal())
    assert session.lookback is None


async def test_what_is_no_date_is_called_so(visit: Visit) -> None:
    await look_back(visit, "2026-13-45")
    assert "No such date. Try 2026-02-14" in visit.text


async def test_the_palette_accepts_a_date_as_well(visit: Visit) -> None:
    await visit.press("colon")
    await visit.type("at 2026-03-01")
    assert "Sun 1 Mar 2026" in visit.text
    await visit.press("enter", "enter")
    assert "as of 2026-03-01 · read-only" in visit.screen[0]
    await visit.press("colon")
    await visit.type("now")
    await visit.press("enter")
    assert "as of" not in visit.screen[0]


async def test_a_day_in_the_future_is_refused(visit: Visit) -> None:
    for keys in ("at", "colon"):
        await visit.press(keys)
        await visit.type("tomorrow" if keys == "at" else "at tomorrow")
        if keys == "at":
            assert "That day is in the future" in visit.text
        await visit.press("enter", *["escape"] * (keys == "at"))
        assert visit.browser.parts.session.lookback is None
    assert "That day is in the future; choose today or earlier." in visit.status


async def test_today_is_the_present(visit: Visit) -> None:
    await visit.press("at", "enter")

    assert visit.browser.parts.session.lookback is None
    assert "Today is the present." in visit.status

    await look_back(visit)
    await visit.press("enter")
    await look_back(visit, "2026-03-02")
    assert "No changes since then." not in visit.text
    await visit.press("g", "at")
    assert "No changes since then." in visit.text
    assert "esc" not in visit.screen[-1]
    await visit.press("enter", "at")
    await visit.type("today")
    await visit.press("enter")
    assert visit.browser.parts.session.lookback is None


async def test_the_current_record_stays_there_and_back(visit: Visit) -> None:
    await visit.ask("path:glaze")
    here = visit.here.ref
    await look_back(visit)
    await visit.press("enter")
    assert visit.here.ref == here
    assert "Cone six." in "\n".join(visit.pane("reader"))

    await visit.press("escape", "escape")
    assert "as of" not in visit.screen[0]
    assert visit.here.ref == here
    assert "Cone nine." in "\n".join(visit.pane("reader"))


async def test_every_view_is_of_that_time(visit: Visit) -> None:
    await visit.press("8")
    assert visit.table.count() == 7
    await visit.press("4")
    await look_back(visit)
    await visit.press("enter", "8")
    assert visit.table.count() == 3
    await visit.press("4")
    assert visit.table.count() == 1
    assert "1 new since" in visit.status


async def test_from_one_day_to_another(visit: Visit) -> None:
    await look_back(visit)
    await visit.press("enter")
    await look_back(visit, "2026-03-02")
    assert "as of 2026-03-02 · read-only" in visit.screen[0]
    assert sorted(visit.titles) == ["glaze", "kiln"]
    assert "no changes since" in visit.status

    await visit.press("escape")
    assert "as of" not in visit.screen[0]


async def test_nothing_can_be_changed_in_the_past(visit: Visit, shelf: Shelf) -> None:
    before = {p: p.read_bytes() for p in shelf.places[0].rglob("*.md")}
    await look_back(visit)
    await visit.pilot.resize_terminal(80, 24)
    await visit.press("enter")
    for key in ("d", "e", "!"):
        await visit.press("j", key)
        assert "You are looking at 2026-03-01; esc returns." in visit.status

    assert {p: p.read_bytes() for p in shelf.places[0].rglob("*.md")} == before


async def test_temporary_files_are_removed(visit: Visit) -> None:
    await look_back(visit)
    await visit.press("enter")
    back = visit.browser.parts.session.lookback
    assert back is not None
    catalogue = back.catalogue
    assert catalogue.exists()

    await visit.press("escape")
    await visit.settle()
    assert not catalogue.parent.exists()


async def test_a_small_terminal_shows_the_date_as_well(visit: Visit) -> None:
    await look_back(visit)
    await visit.press("enter")
    await visit.pilot.resize_terminal(80, 24)
    await visit.settle()

    assert "8 Msgs RO" in visit.screen[0]
    assert "as of 2026-03-01 · 1 new" in visit.status

    await visit.pilot.resize_terminal(60, 24)
    await visit.settle()
    assert "as of 2026-03-01" in visit.screen[0]
