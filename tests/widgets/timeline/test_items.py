"""Conversations in order of time, with days and pauses between them."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.derive.statistics import ALONE, UNDATED, Spans
from tests.widgets.timeline.made import HOUR, MINUTE, any_spans, at, spans_of
from widgets.timeline_lines import in_rows, in_time


@pytest.fixture(autouse=True)
def _at_greenwich(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


SPANS = spans_of(
    [
        (at(3, "09:00"), at(3, "10:00")),
        (at(1, "23:30"), at(2, "00:30")),
        (at(1, "08:00"), at(1, "08:20")),
        (at(3, "09:10"), at(3, "09:12")),
    ],
    parents=[ALONE, ALONE, ALONE, 0],
)


def test_the_oldest_comes_first_and_sub_agents_follow_their_parent() -> None:
    items = in_time(SPANS)

    assert list(items.positions) == [2, 1, 0, 3]
    assert list(items.owners) == [0, 1, 2, 2]
    assert list(items.kids) == [0, 0, 1, 0]
    assert list(items.bodies) == [2, 4, 4, 1]


def test_days_begin_where_the_calendar_says_so() -> None:
    items = in_time(SPANS)

    assert list(items.begins_day) == [1, 0, 1, 0]
    assert list(items.first_of_day) == [0, 2]
    assert [day.begin for day in items.days] == [at(1, "00:00"), at(3, "00:00")]


def test_pauses_are_shown_within_a_day_and_in_whole_days_between_two() -> None:
    items = in_time(SPANS)

    assert list(items.quiets) == [0, 15 * HOUR + 10 * MINUTE, -1, 0]


def test_the_newest_may_come_first() -> None:
    items = in_time(SPANS, newest_first=True)

    assert list(items.positions) == [0, 3, 1, 2]
    assert list(items.begins_day) == [1, 0, 1, 0]
    assert list(items.quiets) == [0, 0, -1, 15 * HOUR + 10 * MINUTE]


def test_a_pause_begins_at_the_latest_end() -> None:
    items = in_time(
        spans_of(
            [
                (at(1, "08:00"), at(1, "12:00")),
                (at(1, "09:00"), at(1, "09:10")),
                (at(1, "13:00"), at(1, "13:05")),
            ]
        )
    )

    assert list(items.quiets) == [0, 0, HOUR]


def test_the_calendar_uses_the_local_time_zone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    items = in_time(SPANS)

    assert list(items.begins_day) == [1, 1, 1, 0]
    assert list(items.quiets) == [0, 0, 0, 0]


def test_in_rows_each_has_a_line() -> None:
    items = in_rows(3)

    assert list(items.positions) == [0, 1, 2]
    assert list(items.bodies) == [1, 1, 1]
    assert not items.days


@given(any_spans(), st.booleans())
def test_everything_is_there_once_and_in_order(
    spans: Spans,
    newest_first: bool,  # noqa: FBT001  # drawn by Hypothesis
) -> None:
    items = in_time(spans, newest_first=newest_first)
    heads = [item for item in range(len(items)) if items.owners[item] == item]
    begins = [spans.begins[items.positions[head]] for head in heads]

    assert sorted(items.positions) == list(range(len(spans)))
    assert begins == sorted(begins, reverse=newest_first)
    assert all(1 <= body <= 4 for body in items.bodies)
    assert sum(items.kids) == len(items) - len(heads)
    for head in heads:
        family = range(head, head + items.kids[head] + 1)
        assert {items.owners[item] for item in family} == {head}


@given(any_spans())
def test_every_conversation_is_in_its_day(spans: Spans) -> None:
    items = in_time(spans)

    assert sum(items.begins_day) == len(items.days) == len(items.first_of_day)
    begins = [*items.first_of_day, len(items)]
    for day, (first, last) in zip(items.days, pairwise(begins), strict=True):
        for item in range(first, last):
            begin = spans.begins[items.positions[item]]
            if items.owners[item] == item:
                assert day.begin <= begin < day.end
                assert (begin == UNDATED) is (day.begin == UNDATED)
