"""Impossibly fast keys are distinguished from a held key."""

from hypothesis import given
from hypothesis import strategies as st

from tui.keys import MOMENT, MOST, Bursts


def test_more_keys_than_fingers_can_press_are_a_burst() -> None:
    bursts = Bursts()

    told = [bursts.take(number * MOMENT / (MOST + 1)) for number in range(MOST + 5)]

    assert told == [False] * MOST + [True] * 5
    assert not bursts.take(1.0)


@given(st.lists(st.floats(MOMENT / MOST * 1.01, 1), max_size=60))
def test_slower_keys_are_not_a_burst(pauses: list[float]) -> None:
    bursts, now = Bursts(), 0.0
    for pause in pauses:
        now += pause
        assert not bursts.take(now)
