"""The level of a day depends on the other days only."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.calendar import WARMEST, bounds, level

COUNTS = st.lists(st.integers(0, 10_000), min_size=1, max_size=400)


def heats(counts: list[int]) -> list[int]:
    """The level of each day among all of them."""
    among = bounds(counts)
    return [level(count, among) for count in counts]


@pytest.mark.parametrize(
    ("counts", "warm"),
    [
        ([], []),
        ([0, 0], [0, 0]),
        ([7], [1]),
        ([1, 1, 1], [1, 1, 1]),
        ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4]),
        ([1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 2, 2, 3, 3, 4, 4]),
        ([1, 1, 1, 1, 1, 1, 1, 9], [1, 1, 1, 1, 1, 1, 1, 4]),
    ],
)
def test_quartiles_divide_the_days(counts: list[int], warm: list[int]) -> None:
    assert heats(counts) == warm


@given(COUNTS)
def test_more_is_never_a_lower_level_and_nothing_is_level_zero(
    counts: list[int],
) -> None:
    warm = dict(zip(counts, heats(counts), strict=True))
    ranked = sorted(warm)

    assert [warm[count] for count in ranked] == sorted(warm.values())
    assert all((warm[count] == 0) == (count == 0) for count in ranked)
    assert all(0 <= heat <= WARMEST for heat in warm.values())


@given(COUNTS)
def test_no_level_but_the_first_has_more_than_its_share(counts: list[int]) -> None:
    among = [count for count in counts if count]
    held = Counter(heat for heat in heats(counts) if heat)

    for heat in range(2, WARMEST + 1):
        warmer = sum(number for at, number in held.items() if at >= heat)
        assert warmer * WARMEST <= len(among) * (WARMEST - heat + 1)


@given(COUNTS, st.integers(2, 50))
def test_levels_depend_on_the_store(counts: list[int], factor: int) -> None:
    assert heats([count * factor for count in counts]) == heats(counts)
