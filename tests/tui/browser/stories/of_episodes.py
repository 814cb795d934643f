"""Stories of the list of episodes, and of the calendar above it."""

from datetime import date

from store.kinds.pages import Episode
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit
from tui.browser.rooms.episodes import EpisodeRoom
from widgets.calendar import Calendar


def calendar(visit: Visit) -> Calendar:
    """The calendar."""
    room = visit.browser.parts.lists.room
    assert isinstance(room, EpisodeRoom)
    return room.calendar


def chosen(visit: Visit) -> str:
    """The day that is chosen in it."""
    return date.fromordinal(calendar(visit).chosen).isoformat()


def day(visit: Visit) -> str:
    """The day of the entry at the cursor."""
    assert isinstance(visit.here, Episode)
    return visit.here.date


@story("follow-entry", size=(120, 36))
async def from_an_entry_to_its_memory_and_back(visit: Visit) -> None:
    await visit.press("3")
    entry = visit.here
    assert isinstance(entry, Episode)
    await visit.press("l")
    assert visit.here.ref == entry.memory
    await visit.press("H")
    assert visit.here == entry

    await visit.ask("format:claudia")
    sitting = visit.here
    await visit.press("l")
    assert visit.browser.parts.lists.kind == "conversations"
    await visit.press("H")
    assert visit.here == sitting


@story("calendar", "open-day", "day-later", "day-earlier", size=(80, 24))
async def through_the_calendar_day_by_day(visit: Visit) -> None:
    await visit.press("3", "j", "j")
    assert (day(visit), chosen(visit)) == ("2026-02-27", "2026-02-27")

    await visit.press("h")
    assert visit.scope == "calendar"
    assert "open day" in visit.pane("hints")[0]
    await visit.press("k")
    assert chosen(visit) == day(visit) == "2026-02-26"
    await visit.press("k", "k")
    assert chosen(visit) == "2026-02-24"
    assert day(visit) == "2026-02-25"
    await visit.press("j", "j", "j", "enter")
    assert visit.scope == "episodes"
    assert day(visit) == chosen(visit) == "2026-02-27"

    await visit.press("tab", "k", "k", "k", "enter")
    assert "No entries on Tue 24 Feb 2026; showing the nearest." in visit.status
    assert day(visit) in {"2026-02-23", "2026-02-25"}


@story("week-later", "week-earlier")
async def through_the_calendar_week_by_week(visit: Visit) -> None:
    await visit.press("3", "tab", "left", "left")
    assert chosen(visit) == "2026-02-14"
    await visit.press("right")
    assert chosen(visit) == "2026-02-21"


@story("next-day", "previous-day")
async def from_day_to_day_in_the_list(visit: Visit) -> None:
    await visit.press("3")
    await visit.press("right_curly_bracket", "right_curly_bracket")
    assert day(visit) == chosen(visit) == "2026-02-26"
    await visit.press("left_curly_bracket")
    assert day(visit) == "2026-02-27"

    await visit.press("tab", "right_curly_bracket")
    assert day(visit) == chosen(visit) == "2026-02-26"
    assert visit.scope == "calendar"


@story("next-month", "previous-month", "today")
async def from_month_to_month(visit: Visit) -> None:
    await visit.press("3", "left_parenthesis")
    assert chosen(visit)[:8] == "2026-01-"
    await visit.press("left_parenthesis", "left_parenthesis")
    assert day(visit)[:8] == "2025-11-"
    await visit.press("right_parenthesis")
    assert day(visit)[:8] == "2025-12-"

    await visit.press("g", "t")
    assert chosen(visit) == "2026-03-01"
    assert day(visit) == "2026-02-28"
    assert "No entries on Sun 1 Mar 2026; showing the nearest." in visit.status


@story("go-to-date")
async def to_a_day_that_is_typed(visit: Visit) -> None:
    await visit.press("3", "g", "d")
    assert "go to date" in visit.text
    assert "Sun 1 Mar 2026" in visit.text
    await visit.type("feb 2026")
    assert "Fri 20 Feb 2026" in visit.text
    assert "Thu 19 Feb 2026" in visit.text

    await visit.press("ctrl+u")
    await visit.type("2025-12-29")
    assert "2 entries" in visit.text
    await visit.press("enter")
    assert day(visit) == chosen(visit) == "2025-12-29"


@story("time-range")
async def a_range_becomes_a_part_of_the_query(visit: Visit) -> None:
    await visit.press("3")
    everything = visit.table.count()
    await visit.press("Z")
    assert "time range" in visit.text
    await visit.type("30 days")
    await visit.press("enter")
    assert visit.query == "since:30d"
    assert 0 < visit.table.count() < everything
    assert f"{visit.table.count()} entries" in visit.pane("calendar")[-1]

    await visit.press("Z")
    await visit.type("all time")
    await visit.press("enter")
    assert visit.query == ""
    assert visit.table.count() == everything


@story("day-memories", "count-other")
async def the_memories_of_a_day(visit: Visit) -> None:
    await visit.press("3", "c")
    assert " created or changed · " in visit.pane("calendar")[-1]
    await visit.press("c")
    assert " conversations · " in visit.pane("calendar")[-1]
    await visit.press("c", "right_curly_bracket")
    assert " entries · " in visit.pane("calendar")[-1]

    await visit.press("g", "w")
    assert visit.browser.parts.lists.kind == "memories"
    assert visit.query == "on:2026-02-27"

    await visit.press("H")
    assert visit.browser.parts.lists.kind == "episodes"
    assert day(visit) == "2026-02-27"
