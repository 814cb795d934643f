"""Records by day, in list and calendar together, at every size."""

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import pytest
from rich.cells import cell_len

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.store.catalogue.stores import cognitive, memory, micros, notes, write
from tests.store.formats.transcripts_stores import SLUG, put, user
from tests.tui.browser.stories.visit import Visit, visiting
from tui.browser.rooms.episodes import EpisodeRoom
from widgets.bars import Bar
from widgets.calendar import Calendar

SIZES = ((1, 1), (20, 6), (40, 12), (60, 20), (80, 24), (120, 36), (200, 50))
THEMES = ("dark", "light", "high-contrast", "ansi", "none")

LOG = """\
# 2026-02-{day:02}

## 09:00 - Morning of {day}
- **Type:** fix
- **Summary:** Something about redis.

## 18:30 - Evening of {day}
- **Memory:** [one](../graph/fixes/memory-1.md)
"""


@pytest.fixture
def places(tmp_path: Path) -> Sequence[Path]:
    """A store with a log, and one without."""
    log = cognitive(tmp_path / "log", 1)
    for day in (3, 10, 11, 20):
        write(log, f"episodes/2026-02-{day:02}.md", LOG.format(day=day))
    created = "2026-02-11T12:00:00+00:00"
    write(log, "graph/fixes/two.md", memory(2, created=created, updated=created))
    return log, notes(tmp_path / ".memory", "tabs", "spaces")


@pytest.fixture
def own(tmp_path: Path, places: Sequence[Path]) -> Iterator[Library]:
    now = micros("2026-03-01T12:00:00Z")
    with Library(tmp_path / "cache" / "catalogue.db", now) as library:
        library.stores.choose(beneath(places, FORMATS).stores)
        library.sync()
        yield library


@pytest.fixture
def talks(own: Library, tmp_path: Path) -> Library:
    """Only transcripts, of two days."""
    root = tmp_path / "talks/projects"
    for day, hour in ((10, 9), (20, 9), (20, 14)):
        said = user(f"{day}-{hour}", f"the talk of {day} at {hour}")
        said["timestamp"] = f"2026-02-{day}T{hour:02}:30:00.000Z"
        put(root / SLUG / f"{day}-{hour}.jsonl", said)
    own.stores.choose(beneath([root], FORMATS).stores)
    own.sync()
    return own


@pytest.fixture
def bare(own: Library, places: Sequence[Path]) -> Library:
    """Only the store without a log."""
    own.stores.choose(beneath(places[1:], FORMATS).stores)
    return own


def pane_of(visit: Visit) -> Calendar:
    room = visit.browser.parts.lists.room
    assert isinstance(room, EpisodeRoom)
    return room.calendar


def chosen(visit: Visit) -> date:
    """The selected day in the calendar."""
    return date.fromordinal(pane_of(visit).chosen)


def calendar(visit: Visit) -> list[str]:
    return visit.pane("calendar")


def place(visit: Visit, day: date) -> tuple[int, int]:
    """The position of a day in the calendar."""
    pane = pane_of(visit)
    rows, columns = range(pane.sheet.size.height), range(pane.sheet.size.width)
    found = (
        (x, y)
        for y in rows
        for x in columns
        if pane.day_at(y, x) == day.toordinal() and (x - 4) % 2
    )
    return next(found)


async def test_days_of_a_query_are_counted(own: Library) -> None:
    async with visiting(own, (80, 24)) as visit:
        await visit.press("3")
        assert "8 entries · 4 days · longest streak 2d" in calendar(visit)[8]

        await visit.ask("redis")
        assert "4 entries · 4 days" in calendar(visit)[8]
        await visit.ask("on:2026-02-11")
        assert "2 entries · 1 day ·" in calendar(visit)[8]
        assert chosen(visit) == date(2026, 2, 11)


async def test_a_day_is_clicked_and_opened(own: Library) -> None:
    async with visiting(own, (120, 36)) as visit:
        await visit.press("3")
        await visit.click("calendar", *place(visit, date(2026, 2, 10)))
        assert visit.titles[visit.table.cursor - visit.table.first] == "Evening of 10"

        await visit.click("calendar", *place(visit, date(2026, 2, 3)), times=2)
        assert visit.scope == "episodes"
        assert getattr(visit.here, "title", "") == "Evening of 3"


async def test_memories_of_the_day_are_shown_and_counted_on_demand(
    own: Library,
) -> None:
    async with visiting(own, (100, 30)) as visit:
        await visit.press("3")
        await visit.ask("on:2026-02")
        heads = [line for line in visit.pane("list-episodes") if "entries" in line]
        assert any("11 Feb 2026  2 entries · 1 memory" in line for line in heads)

        await visit.press("tab", "c")
        assert "1 created or changed · 1 day ·" in calendar(visit)[8]
        await visit.press("g", "d")
        await visit.type("2026-02-11")
        await visit.press("enter", "enter")
        assert visit.browser.parts.lists.kind == "memories"
        assert visit.query == "on:2026-02-11"
        assert visit.table.count() == 1


async def test_a_store_without_a_log_shows_its_memories_by_day(bare: Library) -> None:
    async with visiting(bare, (80, 24)) as visit:
        await visit.press("3")
        assert visit.scope == "calendar"
        assert "No episodes in these stores." in visit.text
        assert "2 created or changed · 1 day ·" in calendar(visit)[8]
        assert "Sun 1 Mar 2026  2 memories" in visit.text
        assert "tabs" in visit.text

        await visit.press("k")
        assert "Sat 28 Feb 2026  nothing" in visit.text
        await visit.press("j", "enter")
        assert visit.browser.parts.lists.kind == "memories"
        assert visit.query == "on:2026-03-01"
        assert visit.table.count() == 2
        await visit.press("H")
        assert visit.browser.parts.lists.kind == "episodes"


async def test_a_store_of_conversations_shows_them_by_day(talks: Library) -> None:
    async with visiting(talks, (80, 24)) as visit:
        await visit.press("3")
        assert "The calendar shows conversations per day" in visit.text
        assert "3 conversations · 2 days ·" in calendar(visit)[8]
        told = [line.strip() for line in visit.pane("list-episodes")]
        assert told[told.index("Fri 20 Feb 2026  2 conversations") + 1 :][:2] == [
            "14:30 the talk of 20 at 14",
            "09:30 the talk of 20 at 9",
        ]

        await visit.press("c")
        assert "Nothing else to count." in visit.status
        await visit.press("enter")
        assert visit.browser.parts.lists.kind == "conversations"
        assert (visit.query, visit.table.count()) == ("on:2026-02-20", 2)


async def test_one_step_back_from_the_calendar_is_the_list(own: Library) -> None:
    async with visiting(own, (80, 24)) as visit:
        await visit.press("3")
        for back in ("escape", "q"):
            await visit.press("h", back)
            assert visit.scope == "episodes"
            assert "Press q to quit" not in visit.status


async def test_without_a_list_there_is_none_to_go_back_to(bare: Library) -> None:
    async with visiting(bare, (120, 36)) as visit:
        await visit.press("3", "escape")
        assert "Press q to quit" in visit.status
        await visit.press("c")
        assert "Nothing else to count." in visit.status

        await visit.press("tab")
        assert visit.scope == "reader"
        await visit.press("escape")
        assert visit.scope == "calendar"
        await visit.press("shift+tab")
        assert visit.scope == "query"


async def test_the_query_applies_to_the_memories_of_a_day(own: Library) -> None:
    async with visiting(own, (100, 30)) as visit:
        await visit.press("3")
        await visit.ask("memory since:1y")
        await visit.press("g", "d")
        await visit.type("2026-02-11")
        await visit.press("enter", "g", "w")
        assert visit.browser.parts.lists.kind == "memories"
        assert visit.query == "memory on:2026-02-11"
        assert visit.table.count() == 1


async def test_a_single_row_of_days_can_be_clicked(own: Library) -> None:
    async with visiting(own, (60, 20)) as visit:
        await visit.press("3")
        (row,) = calendar(visit)
        assert row.startswith(" Feb ")
        assert row.endswith("Fri 20 Feb 2026 · 2 entries")
        await visit.click("calendar", row.rindex("■") - 9, 0)
        assert chosen(visit) == date(2026, 2, 11)
        assert getattr(visit.here, "date", "") == "2026-02-11"


async def test_without_room_for_the_calendar_a_hint_is_shown(own: Library) -> None:
    async with visiting(own, (60, 9)) as visit:
        await visit.press("3", "h")
        assert visit.scope == "episodes"
        assert "No room for the calendar." in visit.status


async def test_new_entries_of_an_agent_are_counted_at_once(
    own: Library, places: Sequence[Path]
) -> None:
    async with visiting(own, (80, 24), reads=True) as visit:
        await visit.press("4")
        await visit.until(lambda: not visit.browser.parts.session.is_reading)
        assert visit.browser.parts.lists.kind == "conversations"
        await visit.press("3", "j", "j")
        before, row = visit.here, visit.table.cursor_key

        write(places[0], "episodes/2026-02-28.md", LOG.format(day=28))
        await visit.until(lambda: "10 entries · 5 days" in calendar(visit)[8])
        assert visit.here == before
        assert visit.table.cursor_key == row
        assert visit.table.cursor == 4
        assert chosen(visit) == date(2026, 2, 11)


async def test_a_log_is_append_only_and_the_keys_say_so(own: Library) -> None:
    async with visiting(own, (120, 30)) as visit:
        await visit.press("3")
        for key in ("e", "d", "t"):
            await visit.press(key)
            assert "Episodes are append-only." in visit.status
        hints = visit.browser.parts.display.base.query_one("#hints", Bar).items.left
        dim = {item.name for item in hints if item.forms[0][0][1] == "faint"}
        assert dim >= {"p", "e", "d"}
        assert not dim & {"l", "h", "/"}


async def test_words_keep_the_order_of_days(own: Library) -> None:
    async with visiting(own, (100, 30)) as visit:
        await visit.press("3")
        await visit.ask("redis")
        assert [line[:30] for line in visit.pane("list-episodes")[:1]] == [
            "━ Episodes ━ Fri 20 Feb 2026 ━"
        ]
        assert visit.titles[:2] == ["Morning of 20", "Morning of 11"]


async def test_the_reader_shows_the_entry_and_its_memory(own: Library) -> None:
    async with visiting(own, (120, 36)) as visit:
        await visit.press("3")
        told = "\n".join(visit.pane("reader"))
        assert "Fri 20 Feb 2026   18:30   append-only" in told
        assert "→ Memory 1" in told
        assert "Body 1." in told


async def test_leaving_the_view_gives_the_keys_to_the_next_list(own: Library) -> None:
    async with visiting(own, (120, 36)) as visit:
        await visit.press("3", "tab", "1")
        assert visit.scope == "memories"
        assert not visit.browser.parts.display.base.query_one("#calendar").display
        await visit.press("3")
        assert visit.scope == "episodes"
        assert visit.browser.parts.display.base.query_one("#calendar").display


async def test_the_focus_moves_from_pane_to_pane(own: Library) -> None:
    async with visiting(own, (120, 36)) as visit:
        await visit.press("3")
        seen = [visit.scope]
        for _ in range(3):
            await visit.press("tab")
            seen.append(visit.scope)
        assert seen == ["episodes", "calendar", "reader", "query"]

        await visit.press("escape", "tab", "shift+tab")
        assert visit.scope == "episodes"


async def test_reading_and_zooming_hide_the_calendar(own: Library) -> None:
    async with visiting(own, (80, 24)) as visit:
        await visit.press("3", "enter")
        assert visit.scope == "reader"
        assert len(visit.pane("reader")) == 20
        await visit.press("q", "z")
        assert len(visit.pane("list-episodes")) == 20
        await visit.press("z")
        assert len(visit.pane("list-episodes")) == 11

        await visit.press("underscore")
        assert len(visit.pane("reader")) > 4


async def test_another_order_is_a_table_and_days_can_still_be_found(
    own: Library,
) -> None:
    async with visiting(own, (100, 30)) as visit:
        await visit.press("3", "s")
        await visit.type("title")
        await visit.press("enter", "g", "g")
        assert "title ▲" in visit.pane("list-episodes")[0]
        assert chosen(visit) == date(2026, 2, 10)

        await visit.press("g", "d")
        await visit.type("feb 20")
        await visit.press("enter")
        assert getattr(visit.here, "date", "") == "2026-02-20"


@pytest.mark.parametrize("size", SIZES)
async def test_the_view_is_drawn_at_every_size(
    own: Library, size: tuple[int, int]
) -> None:
    async with visiting(own, size) as visit:
        visit.browser.theme = THEMES[size[0] % len(THEMES)]
        visit.browser.parts.layout.paint()
        for keys in ("3", "j", "h", "k", "z", "z", "enter"):
            await visit.press(keys)
            assert all(cell_len(line) <= size[0] for line in visit.screen)
            assert "cannot be drawn" not in visit.text
        assert visit.browser.failure == ""
