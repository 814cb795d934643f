from hypothesis import given
from hypothesis import strategies as st

from store.derive.statistics import between, histogram, middle

DURATIONS = st.lists(st.floats(0, 1e9), max_size=50)


def test_the_median_of_two_is_the_longer_one_or_between_them() -> None:
    assert (middle([4, 1]), between([4, 1])) == (4, 2.5)
    assert (middle([9, 1, 5]), between([9, 1, 5])) == (5, 5)
    assert (middle([]), between([])) == (None, None)


@given(DURATIONS, st.integers(1, 40))
def test_every_duration_is_in_one_bin(durations: list[float], bins: int) -> None:
    found = histogram(durations, bins)

    assert len(found) == (bins if durations else 0)
    assert sum(one.size for one in found) == len(durations)
    if durations:
        assert found[0].start <= min(durations)
        assert found[-1].end >= max(durations)


def test_equal_durations_share_a_bin() -> None:
    assert [one.size for one in histogram([5, 5], 2)] == [0, 2]
