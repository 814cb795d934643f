"""The dearer a look, the rarer it is."""

import time

from store.watching.pace import Pace


def work(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_looks_that_cost_nothing_are_as_frequent_as_they_may() -> None:
    pace = Pace()

    assert pace.seconds(least=30) == 30
    assert pace.breath() == 0


def test_looking_takes_less_than_half_a_percent_of_the_time() -> None:
    pace = Pace()
    with pace.look():
        work(0.05)

    assert 0.05 / pace.seconds(least=1) < 0.005


def test_between_looks_there_is_room_for_others_but_never_a_long_wait() -> None:
    pace = Pace()
    with pace.look():
        work(0.05)
    assert pace.breath() >= 0.1

    with pace.look():
        work(0.6)
    assert pace.breath() == 1
