"""The pane of facets summarises a result and edits the query."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from store.search.parse import parse
from store.search.tree import EVERYTHING
from tests.tui.browser.host import Host
from tests.widgets.hostile import SIZES, TEXTS, unfit
from tui.browser.filters import (
    Counted,
    Facet,
    FacetPane,
    Gathered,
    Toggled,
    facets,
    gather,
)
from tui.browser.layout import TEXTUAL_THEMES, palette_of
from widgets.sheet import Sheet

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
    pane = FacetPane(Sheet(id="facets"))
    pane.show(gathered)
    return pane


def texts(app: Host) -> list[str]:
    """The reports of the pane."""
    return [one.text for one in app.told(Toggled)]


async def drawn(app: Host, pilot: Pilot[None]) -> list[str]:
    """The rows below the head."""
    await pilot.pause()
    _head, *rows = app.shown()
    return [row for row in rows if row]


async def test_the_result_is_shown_by_group() -> None:
    app = Host(a_pane().lines.sheet)
    async with app.at(32, 20) as pilot:
        assert await drawn(app, pilot) == [
            " stage",
            "  ◆ pinned          ──────    1",
            "  ◐ fading          ━━━───   20",
            " type",
            "    fix             ━━━───   20",
            "    solution        ━─────    8",
            " tag",
            "  # redis           ━━━━━━   40",
            " month",
            "    2026-02         ━━━━╸─   30",
            " review queues",
            "    orphans         ━─────    6",
            " saved queries",
            "    stale decisions           0",
        ]


async def test_the_head_shows_the_number_of_hits() -> None:
    pane = a_pane()
    pane.tell(12, 226)
    app = Host(pane.lines.sheet)
    async with app.at(64, 20) as pilot:
        await pilot.pause()
        head = app.shown()[0]
        assert head.startswith("─ Filters ─ 12 of 226 ─")
        assert head.endswith("esc cancels")


async def test_an_unmoved_cursor_stays_at_the_top_of_new_values() -> None:
    few = Gathered("memories", 0, {}, GATHERED.queues, ())
    pane = a_pane(few)
    app = Host(pane.lines.sheet)
    async with app.at(32, 6) as pilot:
        await drawn(app, pilot)
        assert pane.chosen
        assert pane.chosen.name == "orphans"

        pane.show(GATHERED)
        assert (await drawn(app, pilot))[0].rstrip(" ▐") == " stage"
        assert pane.chosen.name == "pinned"

        pane.lines.move(2)
        pane.show(few)
        pane.show(GATHERED)
        assert pane.lines.cursor > 0


async def test_times_are_listed_newest_first() -> None:
    months = {"month": [("2025-12", 9), ("2026-02", 3), ("2026-01", 1)]}
    app = Host(a_pane(Gathered("memories", 13, months, (), ())).lines.sheet)
    async with app.at(20, 6) as pilot:
        rows = await drawn(app, pilot)

        assert [row.split()[0] for row in rows[1:]] == ["2026-02", "2026-01", "2025-12"]


async def test_narrow_panes_have_no_bars() -> None:
    app = Host(a_pane().lines.sheet)
    async with app.at(20, 20) as pilot:
        rows = await drawn(app, pilot)

        assert rows[2] == "  ◐ fading       20"


async def test_a_chosen_value_is_written_into_the_query() -> None:
    pane = a_pane()
    app = Host(pane.lines.sheet)
    async with app.at(32, 20) as pilot:
        await pilot.pause()
        pane.ask("redis")
        pane.toggle()
        pane.lines.move(2)
        pane.toggle()
        pane.negate()
        pane.lines.bottom()
        pane.toggle()
        await pilot.pause()

    assert texts(app) == [
        "redis stage:vault",
        "redis type:fix",
        "redis -type:fix",
        "redis type:decision accessed>30d",
    ]


async def test_the_pane_shows_the_terms_of_the_query() -> None:
    pane = a_pane()
    app = Host(pane.lines.sheet)
    async with app.at(32, 24) as pilot:
        pane.ask("type:fix -tag:redis -is:orphan type:gone")
        rows = await drawn(app, pilot)

        assert "✓  fix" in rows[4]
        assert [row.split() for row in rows if "gone" in row] == [["✓", "gone", "0"]]
        assert [row.split()[:2] for row in rows if "redis" in row] == [["-#", "redis"]]
        assert [row.split()[:2] for row in rows if "orphans" in row] == [
            ["-", "orphans"]
        ]


async def test_choosing_a_value_again_removes_it() -> None:
    pane = a_pane()
    app = Host(pane.lines.sheet)
    async with app.at(32, 20) as pilot:
        await pilot.pause()
        pane.toggle()
        await pilot.pause()
        pane.ask(texts(app)[-1])
        pane.toggle()
        await pilot.pause()

    assert texts(app) == ["stage:vault", ""]


async def test_the_cursor_stays_with_its_value_when_counts_change() -> None:
    pane = a_pane()
    app = Host(pane.lines.sheet)
    async with app.at(32, 20) as pilot:
        await pilot.pause()
        pane.lines.move(3)
        pane.show(Gathered("memories", 8, {"type": [("solution", 8)]}))
        pane.toggle()
        await pilot.pause()

    assert texts(app) == ["type:solution"]


async def test_a_click_toggles_and_a_heading_does_nothing() -> None:
    app = Host(a_pane().lines.sheet)
    async with app.at(32, 20) as pilot:
        await pilot.pause()
        await pilot.click(offset=(5, 4))
        await pilot.click(offset=(5, 5))
        await pilot.pause()

    assert texts(app) == ["type:fix"]


async def test_an_empty_pane_does_no_harm() -> None:
    pane = a_pane(Gathered())
    app = Host(pane.lines.sheet)
    async with app.at(32, 20) as pilot:
        pane.toggle()
        pane.lines.move(1)
        assert await drawn(app, pilot) == []

    assert texts(app) == []


@pytest.mark.parametrize("size", [*SIZES, (40, 12)])
async def test_any_size_works(size: tuple[int, int]) -> None:
    pane = a_pane()
    app = Host(pane.lines.sheet)
    async with app.at(*size) as pilot:
        pane.lines.bottom()
        rows = await drawn(app, pilot)

        assert max(map(len, rows), default=0) <= size[0]


@pytest.mark.parametrize("text", TEXTS)
async def test_nothing_in_a_store_does_harm(text: str) -> None:
    share = [(text, 3)]
    gathered = Gathered(
        "memories", 3, {"type": share, "tags": share, "store": share, "stage": share}
    )
    pane = a_pane(gathered)
    app = Host(pane.lines.sheet)
    async with app.at(40, 20) as pilot:
        await pilot.pause()
        assert unfit(app.shown()) == set()

        pane.toggle()
        await pilot.pause()
    assert len(texts(app)) == 1


@pytest.mark.parametrize("theme", TEXTUAL_THEMES)
async def test_the_pane_is_drawn_in_every_theme_and_in_ascii(theme: str) -> None:
    pane = a_pane()
    app = Host(pane.lines.sheet, theme=theme)
    async with app.at(32, 20) as pilot:
        pane.lines.sheet.palette = palette_of(theme, is_ascii=True)
        pane.ask("type:fix")

        assert "".join(await drawn(app, pilot)).isascii()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("facets")
    stores = demo.write(folder / "stores", NOW)
    now = int(NOW.timestamp()) * 1_000_000
    with Library(folder / "cache" / "catalogue.db", now) as opened:
        opened.stores.choose(beneath(stores, FORMATS).stores)
        opened.sync()
        yield opened


def test_counts_match_the_results_of_the_queries(library: Library) -> None:
    tree = parse("redis", ["memories"]).tree
    gathered = gather(
        library, "memories", tree, {"fixes": "type:fix", "tools": "tool:x"}
    )

    assert gathered.total == library.lists.count("memories", tree) > 0
    for one in (*gathered.queues, *gathered.saved):
        both = parse(f"redis {one.query} ", ["memories"]).tree
        assert one.count == library.lists.count("memories", both)
    assert [one.name for one in gathered.saved] == ["fixes"]
    assert len(gathered.queues) == 5


@pytest.mark.parametrize(
    "kind", ["edges", "episodes", "conversations", "events", "problems", "agents"]
)
def test_every_kind_can_be_counted(library: Library, kind: str) -> None:
    gathered = gather(library, kind, parse("", [kind]).tree, {})

    assert gathered.total == library.lists.count(kind)
    assert bool(gathered.shares) == bool(gathered.total)
    fields = {row.field for row in facets(gathered, "") if isinstance(row, Facet)}
    assert gathered.shares.keys() - {""} == fields - {""}, "a field is not shown"


@pytest.mark.parametrize("kind", ["conversations", "agents"])
def test_tokens_are_counted_by_range(library: Library, kind: str) -> None:
    ranges = gather(library, kind, EVERYTHING, {}).ranges["tokens"]
    used = library.lists.count(kind, parse("tokens>=0", [kind]).tree)

    assert sum(one.count for one in ranges) == used > 0
    for one in ranges:
        assert one.count == library.lists.count(kind, parse(one.query, [kind]).tree)


@pytest.mark.parametrize("field", ["project", "session"])
def test_memories_are_counted_by_their_origin(library: Library, field: str) -> None:
    origins = gather(library, "memories", EVERYTHING, {}).shares[field]

    assert origins
    for value, count in origins:
        query = parse(f'{field}:"{value}"', ["memories"])
        assert count == library.lists.count("memories", query.tree)


@pytest.mark.parametrize("field", ["stage", "type", "store"])
def test_a_second_value_of_a_field_can_be_chosen(library: Library, field: str) -> None:
    every = gather(library, "memories", parse("redis", ["memories"]).tree, {})
    first, _ = every.shares[field][0]
    chosen = parse(f'redis {field}:"{first}"', ["memories"]).tree
    gathered = gather(library, "memories", chosen, {})

    assert gathered.shares[field] == every.shares[field]
    for value, count in gathered.shares[field]:
        both = parse(f'redis {field}:"{value}"', ["memories"]).tree
        assert count == library.lists.count("memories", both)


def test_tags_are_counted_together_with_those_of_the_query(library: Library) -> None:
    tree = parse("tag:redis", ["memories"]).tree
    gathered = gather(library, "memories", tree, {})

    assert dict(gathered.shares["tags"])["redis"] == gathered.total
