"""Counts and durations per day of the results of a query."""

import time
from pathlib import Path

import pytest

from store.derive.statistics import Slot, Step
from tests.store.answers.journals import make, opened, task, tree
from tests.store.catalogue.stores import micros
from tests.store.formats.kei_stores import TASKS, jsonl, write


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> None:
    """Days begin at midnight in UTC."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


def test_days_and_hours_are_counted_and_timed(tmp_path: Path) -> None:
    with opened(tmp_path, make(tmp_path)) as library:
        query = tree("measures", "kind:task")
        assert library.counts.tally("measures", query).slots == {
            "2026-02-27": Slot(3, 6660.0)
        }
        assert library.counts.tally("measures", query, Step.HOUR).slots == {
            "2026-02-27T10": Slot(3, 6660.0)
        }
        assert library.counts.tally("events").slots["2026-02-27"].number == 3


def test_a_query_filters_the_counts(tmp_path: Path) -> None:
    with opened(tmp_path, make(tmp_path)) as library:
        query = tree("measures", "kind:task name:audit")
        assert list(library.counts.durations("measures", query).seconds) == [
            60.0,
            600.0,
        ]
        assert library.counts.tally("measures", query).slots["2026-02-27"] == Slot(
            2, 660.0
        )


def test_durations_are_limited_to_the_requested_time(tmp_path: Path) -> None:
    with opened(tmp_path, make(tmp_path)) as library:
        noon = micros("2026-02-27T10:30:00Z")
        later = library.counts.durations("measures", since=noon)
        assert list(later.seconds) == [90.0]
        earlier = library.counts.durations("measures", since=0, until=noon)
        assert (list(earlier.seconds), earlier.total) == ([60.0, 600.0, 6000.0], 6660.0)


def test_impossible_durations_and_missing_times_are_distinguished(
    tmp_path: Path,
) -> None:
    store = make(tmp_path)
    lines = (
        task("ages", 1e300),
        task("backwards", -5),
        task("brief", 2.5),
        task("once", 7, ts="yesterday"),
    )
    write(store, TASKS, jsonl(*lines))
    with opened(tmp_path, store) as library:
        query = tree("measures", "kind:task")
        assert list(library.counts.durations("measures", query).seconds) == [2.5, 7.0]
        tally = library.counts.tally("measures", query)
        assert (tally.slots["2026-02-27"], tally.undated) == (Slot(3, 2.5), 1)


def test_agents_take_the_time_of_their_ledger(tmp_path: Path) -> None:
    with opened(tmp_path, make(tmp_path)) as library:
        found = library.counts.durations("agents")
        assert len(found.seconds) <= library.lists.count("agents")
        assert all(each >= 0 for each in found.seconds)
        assert (
            sum(one.number for one in library.counts.tally("agents").slots.values()) > 0
        )


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/St_Johns"])
def test_days_are_those_of_calendars(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    store = make(tmp_path)
    moments = ("2026-02-27T18:29:59Z", "2026-02-27T18:30:00Z", "1969-12-31T23:00:00Z")
    write(store, TASKS, jsonl(*(task(at, 1, ts=at) for at in moments)))
    with opened(tmp_path, store) as library:
        for kind in ("measures", "events", "agents"):
            slots = library.counts.tally(kind).slots
            counted = {day: slot.number for day, slot in slots.items()}
            assert counted == library.counts.days(kind)
