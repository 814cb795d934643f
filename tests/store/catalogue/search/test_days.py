"""Counts per day match `on:`, and times are in the requested order."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.derive.statistics import UNTOLD, Moment, Parts, Timing
from store.kinds import KINDS
from store.kinds.pages import Episode
from store.library import Library, Page
from store.search.parse import parse
from tests.store.catalogue.stores import Shelf, cognitive, memory, write
from tests.store.formats.claudia_stores import page, small_tree

LOG = """\
# 2026-02-14

## 9:02 - Second
- **Summary:** It works.

## 13:33 - Third
- **Memory:** [one](../graph/fixes/memory-1.md)
- **Summary:** It works still.

## Without a time

## 08:59 - First
"""


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    store = cognitive(tmp_path / "store", 1)
    created = "2026-02-10T12:00:00+00:00"
    changed = "2026-02-14T12:00:00+00:00"
    write(store, "graph/fixes/two.md", memory(2, created=created, updated=changed))
    write(store, "episodes/2026-02-14.md", LOG)
    write(store, "episodes/2026-02-15.md", "# 2026-02-15\n\n## 10:00 - Later\n")
    shelf = Shelf(tmp_path / "cache" / "catalogue.db", store)
    shelf.sync()
    with shelf.opened() as opened:
        yield opened


@pytest.mark.parametrize(
    "kind", [name for name, kind in KINDS.items() if kind.is_dated]
)
def test_a_day_counts_the_records_found_on_it(samples: Library, kind: str) -> None:
    days = samples.counts.days(kind)

    for day, number in days.items():
        assert samples.lists.count(kind, parse(f"on:{day}", [kind]).tree) == number


def test_a_query_filters_the_days(library: Library) -> None:
    found = library.counts.days("episodes", parse("works", ["episodes"]).tree)

    assert library.counts.days("episodes") == {"2026-02-14": 4, "2026-02-15": 1}
    assert found == {"2026-02-14": 2}


def test_a_memory_counts_on_the_days_it_was_created_and_changed(
    library: Library,
) -> None:
    days = library.counts.days("memories")

    assert days == {"2026-02-10": 1, "2026-02-14": 1, "2026-03-01": 1}


def test_times_are_in_the_order_of_the_rows(library: Library) -> None:
    rows = library.lists.order("episodes", Page(sort="title"))
    found = library.lists.numbered("episodes", rows)
    timing = library.counts.timing(rows)

    titles = [one.title for row in rows if isinstance(one := found[row], Episode)]
    assert titles == ["First", "Later", "Second", "Third", "Without a time"]
    assert list(timing.days) == ["2026-02-14", "2026-02-15", *["2026-02-14"] * 3]
    assert list(timing.minutes) == [539, 600, 542, 813, UNTOLD]
    both = Parts.SUMMARY | Parts.LINK
    assert list(timing.parts) == [0, 0, Parts.SUMMARY, both, 0]


def test_entries_are_sorted_by_time_in_any_notation(
    tmp_path: Path,
) -> None:
    small_tree(tmp_path)
    times = ("9:02 PM", "12:15 AM", "10:15 PM", "9:30 AM", "12:30 PM", "1:05 PM")
    log = "".join(f"## {time}\n\nSaid at {time}.\n\n" for time in times)
    page(tmp_path, "episodes/2026-04/2026-04-14.md", log)
    shelf = Shelf(tmp_path / "cache" / "catalogue.db", tmp_path)
    shelf.sync()

    found = [one.time for one in shelf.episodes() if one.date == "2026-04-14"]
    assert found == [
        "10:15 PM",
        "9:02 PM",
        "1:05 PM",
        "12:30 PM",
        "9:30 AM",
        "12:15 AM",
    ]


def test_deleted_records_count_on_no_day(library: Library) -> None:
    assert library.counts.timing([10**6]) == Timing.of([Moment("", None, 0)])
    assert len(library.counts.timing([])) == 0
