"""The calculation of floors."""

import pytest

from tests.bench.baseline import Measure, best, slow
from tests.bench.conversations import mix


@pytest.mark.parametrize(
    ("times", "told"),
    [([3.0], 3), ([2.0, 1.0], 2), (list(range(20)), 18), (list(range(40)), 37)],
)
def test_the_95th_percentile_covers_nineteen_of_twenty(
    times: list[float], told: float
) -> None:
    assert slow(times) == told


def test_the_shortest_of_several_runs_counts() -> None:
    runs: list[int] = []

    assert best(lambda: runs.append(1), 3) >= 0
    assert len(runs) == 3


def test_queries_of_all_kinds_are_mixed_the_same_each_time() -> None:
    asked = list(mix())

    assert asked == list(mix())
    assert len(asked) >= 40
    assert sum(text.startswith('"') for text in asked) >= 5
    assert sum(":" in text for text in asked) >= 5


def test_a_measure_is_met_up_to_its_bound() -> None:
    def measure(value: float) -> Measure:
        return Measure(
            name="it", value=value, unit="s", floor="that", floor_value=2, bound=3
        )

    assert measure(3).met
    assert not measure(3.1).met
    assert measure(3).ratio == 1.5
