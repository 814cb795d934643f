"""The timeline in the browser: queries, expiry, cost, layout."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.geometry import Offset

from store.derive.conversations import Price, Tokens
from store.derive.statistics import Closeup
from store.discover import beneath
from store.formats.register import FORMATS
from store.kinds.conversations import Conversation
from store.library import Library
from store.settings import Pricing, Settings
from tests.store.catalogue.stores import micros
from tests.store.formats.transcripts_stores import assistant, put, says, user
from tests.tui.browser.stories.conftest import library as library  # noqa: PLC0414  # a fixture
from tests.tui.browser.stories.conftest import machine as machine  # noqa: PLC0414  # a fixture
from tests.tui.browser.stories.conftest import shelf as shelf  # noqa: PLC0414  # a fixture
from tests.tui.browser.stories.visit import Visit, visiting
from tui.browser.rooms.timeline import pricing
from tui.browser.session import Kept
from widgets.timeline import Timeline

NOON = micros("2026-03-02T12:00:00Z")
DAY = 86_400_000_000

PRICES = Pricing({"claude-opus": Price(1000, 1000, 1000, 1000)})
"""A token of whatever kind costs a thousandth."""


@pytest.fixture
def cleaned(tmp_path: Path) -> Iterator[Library]:
    """The agent's own folder: transcripts expiring in 3 days, in 29, and any time."""
    root = tmp_path / ".claude" / "projects"
    for name, age in (("soon", 27), ("late", 1), ("due", 40)):
        file = put(
            root / "-home-mira-kiln" / f"{name}.jsonl",
            user(f"{name}-a", f"the one that goes {name}"),
            assistant(f"{name}-b", says("yes"), second=60),
        )
        written = (NOON - age * DAY) * 1000
        os.utime(file, ns=(written, written))
    with Library(tmp_path / "catalogue.db", NOON) as opened:
        opened.stores.choose(beneath([root], FORMATS).stores)
        opened.sync()
        yield opened


def listed(visit: Visit) -> str:
    """Every row of the list."""
    return "\n".join(visit.pane("list-conversations"))


async def test_expiry_is_counted_down(cleaned: Library) -> None:
    async with visiting(cleaned, (140, 30)) as visit:
        await visit.press("4")
        assert "expires in 3 d" in listed(visit)
        assert "expires in 29 d" in listed(visit)
        assert "may expire any time" in listed(visit)
        warning = visit.pane("lists")[0].index("2 expire within 7 days")
        assert "$" not in listed(visit)
        ends: list[str] = []
        for _ in range(3):
            place = Offset(warning + 1, 0)
            await visit.pilot.click("#room-conversations", offset=place)
            await visit.settle()
            assert isinstance(visit.here, Conversation)
            ends.append(visit.here.title.split()[-1])
        assert "due soon late" in " ".join(ends * 2)


async def test_costs_are_shown_with_prices(cleaned: Library) -> None:
    kept = Kept(Settings(prices=PRICES))
    async with visiting(cleaned, (220, 30), kept=kept) as visit:
        await visit.press("4")
        assert "$0.03" in listed(visit)


def test_a_partly_unknown_cost_has_a_plus() -> None:
    tokens = Tokens(input=1000, output=0, cache_read=0, cache_creation=0)
    price = pricing(PRICES)

    assert price(Closeup()) == ""
    assert price(Closeup(spent={"gpt-5": tokens})) == ""
    assert price(Closeup(spent={"claude-opus-4-6": tokens})) == "$1.00"
    both = {"claude-opus-4-6": tokens, "gpt-5": tokens}
    assert price(Closeup(spent=both)) == "$1.00+"
    little = Tokens(input=1, output=0, cache_read=0, cache_creation=0)
    assert price(Closeup(spent={"claude-opus": little})) == "<$0.01"


async def test_search_results_are_still_a_timeline(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.press("4")
        await visit.ask("project:kilnbook")
        timeline = visit.table.face
        assert isinstance(timeline, Timeline)
        assert timeline.shown.is_in_time
        assert " d quiet ─" in listed(visit)
        await visit.ask("booking")
        assert timeline.shown.is_in_time
        best = visit.here
        assert isinstance(best, Conversation)
        assert visit.table.cursor == 0


async def test_in_another_order_there_are_no_pauses(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.press("4")
        visit.browser.parts.lists.order.sort("messages")
        await visit.settle()
        timeline = visit.table.face
        assert isinstance(timeline, Timeline)
        assert not timeline.shown.is_in_time
        assert "quiet" not in listed(visit)
        assert "▼" in visit.pane("list-conversations")[0]
        visit.browser.parts.lists.order.sort("last", reverse=True)
        await visit.settle()
        assert timeline.shown.is_in_time
        begins = [
            record.first
            for position in timeline.laid.in_view(0, 20)
            if isinstance(record := visit.table.record(position), Conversation)
        ]
        assert begins == sorted(begins, key=lambda one: one or "", reverse=True)


async def test_a_click_filters_by_status(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.press("4")
        await visit.click("status", visit.status.index("∅"), 0)
        assert visit.query == "status:skipped"
        assert visit.table.count() == 3


async def test_nothing_is_skipped_where_no_program_processes(
    cleaned: Library,
) -> None:
    """Short conversations are skipped by the librarian alone."""
    async with visiting(cleaned, (140, 30)) as visit:
        await visit.press("4")
        record = visit.here
        assert isinstance(record, Conversation)
        assert record.status == "skipped"
        assert "skipped" not in visit.text
        assert "∅" not in visit.text


async def test_on_a_narrow_screen_the_list_fills_it(library: Library) -> None:
    async with visiting(library, (80, 24)) as visit:
        side = visit.browser.parts.display.base.query_one("#side")
        await visit.press("4")
        assert not side.display
        assert visit.browser.parts.display.base.query_one("#lists").region.width == 80
        await visit.press("enter")
        assert side.display
        await visit.press("escape", "1")
        assert side.display


async def test_on_a_wide_screen_it_is_the_larger_half(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.press("4")
        width = visit.browser.parts.display.base.query_one("#lists").region.width
        assert 60 < width < 65
        await visit.press("plus")
        assert visit.browser.parts.display.base.query_one("#lists").region.width > 65


async def test_early_keys_are_not_lost(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.press("4", "k", "k", "j")
        table = visit.table
        timeline = table.face
        assert isinstance(timeline, Timeline)
        items = timeline.laid.items
        assert timeline.laid.item_of(table.cursor) == len(items) - 2
