"""The distribution of values: quantiles, and bins with each value exactly once."""

from itertools import pairwise
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.derive.statistics import quantile, spread

FIGURES = st.lists(
    st.floats(0, 3e11, allow_nan=False, allow_infinity=False), min_size=1
).map(sorted)
SHARES = st.floats(0, 1)


def test_no_values_have_no_quantile() -> None:
    assert quantile([], 0.5) is None
    assert spread([], 10) is None


def test_a_quantile_between_two_values_is_interpolated() -> None:
    assert quantile([10, 20], 0.5) == 15
    assert quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 0.9) == 10


@given(FIGURES)
def test_the_median_is_half_of_all_and_the_ends_are_the_ends(
    ordered: list[float],
) -> None:
    assert quantile(ordered, 0.5) == pytest.approx(median(ordered))
    assert quantile(ordered, 0) == ordered[0]
    assert quantile(ordered, 1) == ordered[-1]


@given(FIGURES, SHARES, SHARES)
def test_a_larger_share_is_never_below_a_smaller_one(
    ordered: list[float], one: float, other: float
) -> None:
    less, more = (quantile(ordered, share) for share in sorted((one, other)))
    assert less is not None
    assert more is not None
    assert ordered[0] <= less <= more <= ordered[-1]


@given(FIGURES, st.integers(1, 200))
def test_every_value_is_in_one_bin(ordered: list[float], bins: int) -> None:
    found = spread(ordered, bins)
    assert found is not None
    assert len(found.counts) == bins
    assert sum(found.counts) == len(ordered)
    places = [found.place(figure) for figure in ordered]
    assert all(before <= after for before, after in pairwise(places))
    assert all(found.counts[place] for place in places)


def test_bins_grow_so_that_seconds_and_hours_are_both_visible() -> None:
    found = spread([1, 10, 100, 1000, 10_000], 5)
    assert found is not None
    assert found.counts == (1, 1, 1, 1, 1)
