"""The journals in the browser: sections, every size and theme."""

import re
from pathlib import Path

import pytest

from store.kinds.journals import Event, Measure
from store.library import Library
from tests.store.catalogue.stores import Shelf
from tests.store.formats.kei_stores import TASKS, jsonl, write
from tests.tui.browser.stories.conftest import library as library  # noqa: PLC0414  # a fixture
from tests.tui.browser.stories.conftest import machine as machine  # noqa: PLC0414  # a fixture
from tests.tui.browser.stories.conftest import shelf as shelf  # noqa: PLC0414  # a fixture
from tests.tui.browser.stories.visit import Visit, visiting
from tui.browser.layout import Outfit
from tui.browser.rooms.journals import JournalRoom
from tui.themes import Options, choose

SECTIONS = ("all", "tasks", "sessions", "claims", "tools", "events", "errors", "agents")

SIZES = (
    *((1, 1), (20, 6), (40, 12), (60, 16)),
    *((80, 24), (120, 36), (200, 50), (250, 70)),
)


def section(visit: Visit) -> str:
    """The current section."""
    room = visit.browser.parts.lists.room
    assert isinstance(room, JournalRoom)
    return room.section.name


def listed(visit: Visit) -> str:
    """Every row of the view."""
    return "\n".join(visit.pane("lists"))


async def test_sections_lead_from_view_to_view_and_around(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.press("5")
        seen: list[str] = []
        for _ in range(len(SECTIONS) + 1):
            seen.append(section(visit))
            await visit.press("right_square_bracket")
        assert seen == [*SECTIONS, "all"]
        assert visit.query == "kind:task"
        assert {getattr(visit.here, "kind", "")} == {"task"}

        await visit.press("left_square_bracket", "left_square_bracket")
        assert (visit.browser.parts.lists.kind, visit.query) == ("agents", "")
        await visit.press("left_square_bracket")
        assert (visit.browser.parts.lists.kind, visit.query) == ("events", "is:error")
        assert isinstance(visit.here, Event)
        assert visit.here.is_error
        await visit.press("H")
        assert section(visit) == "agents"


async def test_other_terms_stay_and_the_query_names_the_section(
    library: Library,
) -> None:
    async with visiting(library) as visit:
        await visit.press("5")
        await visit.ask("race kind:claim")
        assert section(visit) == "claims"
        await visit.press("left_square_bracket")
        assert (section(visit), visit.query.split()) == (
            "sessions",
            ["race", "kind:session"],
        )


@pytest.mark.parametrize("key", ["1", "7", "8", "9"])
async def test_a_section_does_not_filter_other_views(
    library: Library, key: str
) -> None:
    async with visiting(library) as visit:
        await visit.press(key)
        number = visit.table.count()
        await visit.press("5", "right_square_bracket")
        assert visit.query == "kind:task"

        await visit.press(key)
        assert (visit.query, visit.table.count()) == ("", number)
        await visit.press("H")
        assert (section(visit), visit.query) == ("tasks", "kind:task")


async def test_words_stay_in_other_views(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.press("9")
        await visit.ask("is:error race")
        await visit.press("1")
        assert visit.query == "race"


async def test_an_empty_section_can_be_left_by_the_same_key(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.press("5")
        await visit.ask("kind:task importance")
        assert visit.table.count() == 0
        await visit.press("right_square_bracket")
        assert section(visit) == "sessions"


async def test_a_task_of_four_hours_has_a_longer_bar_than_one_of_one_hour(
    tmp_path: Path,
) -> None:
    seconds = {f"other-{n}": 60 for n in range(30)} | {"long": 14_400, "short": 3_600}
    store = tmp_path / "stores/memory"
    told = jsonl(
        *({"kind": "task", "name": n, "duration_s": s} for n, s in seconds.items())
    )
    write(store, TASKS, told)
    (store / "traces").mkdir()
    shelf = Shelf(tmp_path / "catalogue.db", tmp_path / "stores")
    shelf.sync()
    with shelf.opened() as library:
        async with visiting(library, (160, 36)) as visit:
            await visit.press("5")
            await visit.ask("kind:task")
            lines = listed(visit).split("\n")
    long, short = (
        next(line for line in lines if took in line) for took in ("4h 00m", "1h 00m")
    )
    assert long.count("━") > 3 * short.count("━") > 0


async def test_a_section_is_clicked_and_the_range_stays(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.press("5", "Z", "Z")
        assert "per hour" in listed(visit)
        row = next(
            at for at, line in enumerate(visit.pane("lists")) if " errors" in line
        )
        column = visit.pane("lists")[row].index("errors")
        await visit.click("lists", column, row)
        assert section(visit) == "errors"
        assert "errors per hour" in listed(visit)


async def test_the_reader_keeps_its_own_tabs(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.press("5")
        assert "session   From 41 alerts a week to two" in visit.text
        await visit.press("enter")
        assert visit.scope == "reader"
        await visit.press("right_square_bracket")
        assert visit.reader.tab == "facts"
        assert section(visit) == "all"


async def test_enter_opens_existing_evidence_and_otherwise_the_claim(
    library: Library,
) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.press("5")
        await visit.ask("kind:claim race-as-a-test")
        await visit.press("enter")
        assert isinstance(visit.here, Measure)
        assert visit.here.name == "race-as-a-test"
        assert (visit.scope, visit.query) == ("journals", "")

        await visit.ask("kind:claim race-wave-2")
        await visit.press("enter")
        assert visit.scope == "reader"


@pytest.mark.parametrize("size", SIZES)
async def test_every_section_is_drawn_at_every_size(
    library: Library, size: tuple[int, int]
) -> None:
    async with visiting(library, size) as visit:
        await visit.press("5")
        for _ in SECTIONS:
            await visit.press("right_square_bracket")
            assert "cannot be drawn" not in visit.text


@pytest.mark.parametrize(
    ("width", "titles"),
    [
        (80, ["task", "duration", "exit", "when"]),
        (120, ["task", "duration", "exit", "metric", "when"]),
        (200, ["task", "duration", "exit", "metric", "when"]),
    ],
)
async def test_a_wide_list_has_more_columns(
    library: Library, width: int, titles: list[str]
) -> None:
    async with visiting(library, (width, 36)) as visit:
        await visit.press("5")
        await visit.ask("kind:task")
        head = next(line for line in visit.pane("lists") if " task " in line)
        named = re.sub("[━─▼▐]", " ", head).split()
        assert named[0] == "Journals"
        assert named[-len(titles) :] == titles


@pytest.mark.parametrize(("width", "days"), [(80, 74), (120, 90)])
async def test_the_width_determines_how_many_days_are_charted(
    library: Library, width: int, days: int
) -> None:
    async with visiting(library, (width, 24)) as visit:
        await visit.press("5")
        assert f"last {days} d" in listed(visit)


@pytest.mark.parametrize("theme", ["dark", "light", "high-contrast", "ansi", "none"])
async def test_sections_are_drawn_in_every_theme_and_in_ascii(
    library: Library, theme: str
) -> None:
    environment = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C"}
    chosen = choose(environment, None, Options(theme=theme, is_ascii=True))
    outfit = Outfit(chosen=chosen)
    async with visiting(library, (200, 50), outfit=outfit) as visit:
        await visit.press("5", "right_square_bracket")
        assert "3 durations" in listed(visit)
        assert listed(visit).isascii()
