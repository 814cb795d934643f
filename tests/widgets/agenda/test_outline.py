"""The outline of a log: where its days begin, in any order."""

from datetime import date
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from store.derive.statistics import Moment, Timing
from widgets.agenda import Outline, days_between

DAYS = st.lists(
    st.sampled_from(["2026-02-20", "2026-02-19", "2026-01-01", "someday", ""]),
    max_size=30,
)


def outline(*days: str) -> Outline:
    return Outline.of(Timing.of(Moment(day, None, 0) for day in days))


@given(DAYS)
def test_days_begin_where_another_date_begins(days: list[str]) -> None:
    found = outline(*days)
    runs = [(day, len(list(run))) for day, run in groupby(days)]

    assert [days[at] for at in found.begins] == [day for day, _ in runs]
    assert found.is_in_order == (
        [day for day, _ in runs] in (sorted(set(days)), sorted(set(days), reverse=True))
    )
    at = 0
    for number, (_, length) in enumerate(runs):
        for entry in range(at, at + length):
            assert found.begin_of_day(entry, 0) == at
            assert found.entries_of_day(entry, len(days)) == length
            assert (found.begin_of_day(entry, -1) is None) == (number == 0)
        at += length


def test_the_size_of_an_unfinished_day_is_unknown() -> None:
    known = outline("2026-02-20", "2026-02-20", "2026-02-19")

    assert known.entries_of_day(0, 100) == 2
    assert known.entries_of_day(2, 100) is None
    assert known.entries_of_day(2, 3) == 1
    assert outline().entries_of_day(0, 0) is None


@given(st.lists(st.dates(), min_size=1, unique=True), st.dates())
def test_the_nearest_day(days: list[date], wanted: date) -> None:
    found = outline(*(day.isoformat() for day in days), "someday")
    at = found.nearest(wanted.toordinal())

    assert at is not None
    assert abs(days[at] - wanted) == min(abs(day - wanted) for day in days)


def test_without_days_none_is_near() -> None:
    assert outline("someday").nearest(1) is None
    assert days_between("someday", "2026-02-20") == 0
    assert days_between("2026-02-19", "2026-02-20") == 1
