"""Messages spread_over over time, and drawn as bars."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.derive.statistics import UNDATED, Spans
from tests.widgets.timeline.made import DAY, HOUR, any_spans, at, spans_of
from widgets.charts import Recent, activity, spark, spread_over
from widgets.sheet import following


def test_messages_are_spread_over_their_time() -> None:
    spans = spans_of([(0, HOUR), (3 * HOUR, 3 * HOUR)], messages=[10, 6])

    counts = spread_over(spans, range(2), 0, 4 * HOUR - 1, 4)

    assert list(counts) == [5, 5, 0, 6]


def test_parts_outside_the_window_count_in_proportion() -> None:
    spans = spans_of([(-HOUR, HOUR)], messages=[30])

    assert list(spread_over(spans, [0], 0, 2 * HOUR - 1, 2)) == [10, 10]


def test_bars_are_scaled_to_the_highest() -> None:
    assert spark([0, 1, 4, 8], 4) == " ▁▄█"
    assert spark([0, 1, 4, 8], 2) == "▁█"
    assert spark([5], 3) == "███"
    assert spark([], 3) == "   "
    assert spark([1], 0) == ""


def test_a_window_ends_now_or_with_the_newest() -> None:
    spans = spans_of(
        [(at(1, "08:00"), at(1, "09:00")), (at(9, "08:00"), at(9, "09:00"))]
    )
    now, later = at(10, "00:00"), at(28, "00:00")

    lately = activity(spans, Recent.WEEK, now)
    assert (lately.end, lately.is_now) == (now, True)
    assert sum(lately.counts) == pytest.approx(10)

    before = activity(spans, Recent.WEEK, later)
    assert (before.end, before.is_now) == (at(9, "09:00"), False)
    assert sum(activity(spans, Recent.ALL, later).counts) == pytest.approx(20)


def test_without_conversations_there_is_no_activity() -> None:
    assert not activity(spans_of([]), Recent.ALL, 0).counts
    assert not activity(spans_of([(UNDATED, UNDATED)]), Recent.WEEK, 0).counts


def test_windows_cycle() -> None:
    window = Recent.WEEK
    seen = [window := following(window) for _ in Recent]

    assert seen == [Recent.MONTH, Recent.ALL, Recent.DAY, Recent.WEEK]


@given(any_spans(), st.integers(1, 40), st.integers(1, 20 * DAY))
def test_no_message_is_counted_twice(spans: Spans, parts: int, length: int) -> None:
    counts = spread_over(spans, range(len(spans)), 0, length, parts)

    assert len(counts) == parts
    assert all(count >= -1e-6 for count in counts)
    assert sum(counts) <= sum(spans.messages) + 1e-6


@given(st.lists(st.floats(0, 1e9), max_size=50), st.integers(0, 60))
def test_bars_are_as_wide_as_requested(counts: list[float], width: int) -> None:
    drawn = spark(counts, width)

    assert len(drawn) == width
    assert set(drawn) <= set(" ▁▂▃▄▅▆▇█")
    if any(counts) and width:
        assert "█" in drawn


@given(any_spans(), st.sampled_from(Recent), st.integers(-(10**15), 10**16))
def test_every_window_can_be_shown(spans: Spans, window: Recent, now: int) -> None:
    seen = activity(spans, window, now)

    assert all(count >= -1e-6 for count in seen.counts)
