"""The pane of facets tells what a result is made of, and writes the query."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from store.search.language.parsing import parse
from tests.tui.browser.host import Host
from tests.widgets.hostile import SIZES, TEXTS, unfit
from tui.browser.facets.facet_pane import FacetPane
from tui.browser.facets.gathered import Counted, Gathered, gather
from tui.browser.facets.toggled import Toggled
from tui.themes.themes import TEXTUAL_THEMES, palette_of

NOW = datetime(2026, 3, 1, tzinfo=UTC)

GATHERED = Gathered(
    "memories",
    40,
    {
        "type": [("fix", 20), ("solution", 8)],
        "stage": [("fading", 20), ("vault", 1)],
        "tags": [("redis", 40)],
        "month": [("2026-02", 30)],
    },
    (Counted("orphans", "is:orphan", 6),),
    (Counted("stale decisions", "type:decision seen>30d", 0),),
)


def a_pane(gathered: Gathered = GATHERED) -> FacetPane:
    pane = FacetPane(id="facets")
    pane.show(gathered)
    return pane


def texts(app: Host) -> list[str]:
    """What the pane reported."""
    return [one.text for one in app.told(Toggled)]


async def drawn(app: Host, pilot: Pilot[None]) -> list[str]:
    await pilot.pause()
    return [row for row in app.shown() if row]


async def test_the_result_is_told_by_group() -> None:
    app = Host(a_pane())
    async with app.at(32, 20) as pilot:
        assert await drawn(app, pilot) == [
            " stage",
            "  ◆ vault           ──────    1",
            "  ◐ fading          ━━━───   20",
            " type",
            "  • fix             ━━━───   20",
            "  • solution        ━─────    8",
            " tag",
            "  # redis           ━━━━━━   40",
            " month",
            "  · 2026-02         ━━━━╸─   30",
            " review queues",
            "  ! orphans         ━─────    6",
            " saved queries",
            "  ◈ stale decisions           0",
        ]


async def test_who_has_not_moved_stays_at_the_top_of_what_comes() -> None:
    few = Gathered("memories", 0, {}, GATHERED.queues, ())
    pane = a_pane(few)
    app = Host(pane)
    async with app.at(32, 6) as pilot:
        await drawn(app, pilot)
        assert pane.chosen
        assert pane.chosen.name == "orphans"

        pane.show(GATHERED)
        assert (await drawn(app, pilot))[0] == " stage"
        assert pane.chosen.name == "vault"

        pane.move(2)
        pane.show(few)
        pane.show(GATHERED)
        assert pane.cursor > 0


async def test_times_are_told_from_the_newest_on() -> None:
    months = {"month": [("2025-12", 9), ("2026-02", 3), ("2026-01", 1)]}
    app = Host(a_pane(Gathered("memories", 13, months, (), ())))
    async with app.at(20, 6) as pilot:
        rows = await drawn(app, pilot)

        assert [row.split()[1] for row in rows[1:]] == ["2026-02", "2026-01", "2025-12"]


async def test_narrow_panes_have_no_bars() -> None:
    app = Host(a_pane())
    async with app.at(20, 20) as pilot:
        rows = await drawn(app, pilot)

        assert rows[2] == "  ◐ fading       20"


async def test_what_is_chosen_is_written_into_the_query() -> None:
    pane = a_pane()
    app = Host(pane)
    async with app.at(32, 20) as pilot:
        await pilot.pause()
        pane.ask("redis")
        pane.action_toggle_facet()
        pane.action_move(2)
        pane.action_toggle_facet()
        pane.action_negate_facet()
        pane.action_bottom()
        pane.action_toggle_facet()
        await pilot.pause()

    assert texts(app) == [
        "redis stage:vault",
        "redis type:fix",
        "redis -type:fix",
        "redis type:decision accessed>30d",
    ]


async def test_the_pane_tells_what_the_query_asks_for() -> None:
    pane = a_pane()
    app = Host(pane)
    async with app.at(32, 24) as pilot:
        pane.ask("type:fix -tag:redis -is:orphan type:gone")
        rows = await drawn(app, pilot)

        assert "✓• fix" in rows[4]
        assert [row.split() for row in rows if "gone" in row] == [["✓•", "gone", "0"]]
        assert [row.split()[:2] for row in rows if "redis" in row] == [["-#", "redis"]]
        assert [row.split()[:2] for row in rows if "orphans" in row] == [
            ["-!", "orphans"]
        ]


async def test_chosen_once_more_it_is_asked_for_no_more() -> None:
    pane = a_pane()
    app = Host(pane)
    async with app.at(32, 20) as pilot:
        await pilot.pause()
        pane.action_toggle_facet()
        await pilot.pause()
        pane.ask(texts(app)[-1])
        pane.action_toggle_facet()
        await pilot.pause()

    assert texts(app) == ["stage:vault", ""]


async def test_the_cursor_stays_with_its_value_when_counts_change() -> None:
    pane = a_pane()
    app = Host(pane)
    async with app.at(32, 20) as pilot:
        await pilot.pause()
        pane.action_move(3)
        pane.show(Gathered("memories", 8, {"type": [("solution", 8)]}))
        pane.action_toggle_facet()
        await pilot.pause()

    assert texts(app) == ["type:solution"]


async def test_a_click_toggles_and_a_heading_does_nothing() -> None:
    app = Host(a_pane())
    async with app.at(32, 20) as pilot:
        await pilot.pause()
        await pilot.click(offset=(5, 3))
        await pilot.click(offset=(5, 4))
        await pilot.pause()

    assert texts(app) == ["type:fix"]


async def test_nothing_to_tell_is_no_harm() -> None:
    pane = a_pane(Gathered())
    app = Host(pane)
    async with app.at(32, 20) as pilot:
        pane.action_toggle_facet()
        pane.action_move(1)
        assert await drawn(app, pilot) == []

    assert texts(app) == []


@pytest.mark.parametrize("size", [*SIZES, (40, 12)])
async def test_any_size_will_do(size: tuple[int, int]) -> None:
    pane = a_pane()
    app = Host(pane)
    async with app.at(*size) as pilot:
        pane.action_bottom()
        rows = await drawn(app, pilot)

        assert max(map(len, rows), default=0) <= size[0]


@pytest.mark.parametrize("text", TEXTS)
async def test_nothing_that_stores_hold_harms(text: str) -> None:
    share = [(text, 3)]
    gathered = Gathered(
        "memories", 3, {"type": share, "tags": share, "store": share, "stage": share}
    )
    pane = a_pane(gathered)
    app = Host(pane)
    async with app.at(40, 20) as pilot:
        await pilot.pause()
        assert unfit(app.shown()) == set()

        pane.action_toggle_facet()
        await pilot.pause()
    assert len(texts(app)) == 1


@pytest.mark.parametrize("theme", TEXTUAL_THEMES)
async def test_it_can_be_drawn_in_every_theme_and_in_ascii(theme: str) -> None:
    pane = a_pane()
    app = Host(pane, theme=theme)
    async with app.at(32, 20) as pilot:
        pane.palette = palette_of(theme, is_ascii=True)
        pane.ask("type:fix")

        assert "".join(await drawn(app, pilot)).isascii()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("facets")
    stores = demo.write(folder / "stores", NOW)
    now = int(NOW.timestamp()) * 1_000_000
    with Library(folder / "cache" / "catalogue.db", now) as opened:
        opened.choose(beneath(stores, FORMATS).stores)
        opened.sync()
        yield opened


def test_what_is_gathered_is_what_the_queries_would_find(library: Library) -> None:
    tree = parse("redis", ["memories"]).tree
    gathered = gather(
        library, "memories", tree, {"fixes": "type:fix", "tools": "tool:x"}
    )

    assert gathered.total == library.count("memories", tree) > 0
    for one in (*gathered.queues, *gathered.saved):
        both = parse(f"redis {one.query} ", ["memories"]).tree
        assert one.count == library.count("memories", both)
    assert [one.name for one in gathered.saved] == ["fixes"]
    assert len(gathered.queues) == 4


@pytest.mark.parametrize(
    "kind", ["edges", "episodes", "conversations", "events", "problems", "agents"]
)
def test_every_kind_can_be_gathered(library: Library, kind: str) -> None:
    gathered = gather(library, kind, parse("", [kind]).tree, {})

    assert gathered.total == library.count(kind)
    assert bool(gathered.shares) == bool(gathered.total)
