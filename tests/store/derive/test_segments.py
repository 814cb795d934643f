"""Conversations are divided where entries are further apart than the gap."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from store.derive.conversations import MINUTE, USUAL, segments

GAP = USUAL.gap

Point = tuple[int | None, int | None, bool]


def entry(minute: float, end: float | None = None) -> Point:
    return int(minute * MINUTE), None if end is None else int(end * MINUTE), True


def other(minute: float | None) -> Point:
    return None if minute is None else int(minute * MINUTE), None, False


def test_an_hour_of_silence_keeps_a_conversation_together() -> None:
    assert segments([entry(0), entry(60)], GAP) == [0, 0]


def test_a_pause_longer_than_the_gap_begins_another_one() -> None:
    assert segments([entry(0), entry(60.001), entry(61)], GAP) == [0, 1, 1]


def test_a_pause_begins_at_the_last_line_of_a_message() -> None:
    assert segments([entry(0, 10), entry(65)], GAP) == [0, 0]


def test_entries_are_ordered_by_time_and_not_by_line() -> None:
    assert segments([entry(0), entry(100), entry(50)], GAP) == [0, 0, 0]


def test_other_lines_bridge_no_gap() -> None:
    assert segments([entry(0), other(45), entry(90)], GAP) == [0, 0, 1]


def test_other_lines_go_to_the_nearer_side_of_a_gap() -> None:
    points = [entry(0), other(10), other(110), entry(120), other(500)]
    assert segments(points, GAP) == [0, 0, 1, 1, 1]


def test_a_line_without_a_time_stays_with_the_one_before_it() -> None:
    points = [other(None), entry(0), other(None), entry(200), other(None)]
    assert segments(points, GAP) == [0, 0, 0, 1, 1]


def test_without_any_time_everything_is_one_conversation() -> None:
    nowhere = (None, None, True)
    assert segments([nowhere, other(None), nowhere], GAP) == [0, 0, 0]


def test_nothing_is_no_conversation() -> None:
    assert segments([], GAP) == []


@given(st.lists(st.integers(0, 2000)), st.integers(1, 300))
def test_entries_are_divided_by_the_rule(minutes: list[int], gap: int) -> None:
    numbers = segments([entry(minute) for minute in minutes], gap * MINUTE)
    placed = sorted(zip(minutes, numbers, strict=True))
    for (one, first), (two, second) in itertools.pairwise(placed):
        assert second - first == (1 if two - one > gap else 0)
    assert min(numbers, default=0) == 0


@given(
    st.lists(
        st.tuples(
            st.none() | st.integers(0, 10**10),
            st.none() | st.integers(0, 10**10),
            st.booleans(),
        )
    ),
    st.integers(0, 10**9),
)
def test_every_message_is_in_one_conversation_and_none_is_empty(
    points: list[Point], gap: int
) -> None:
    numbers = segments(points, gap)
    assert len(numbers) == len(points)
    assert set(numbers) == set(range(len(set(numbers))))
