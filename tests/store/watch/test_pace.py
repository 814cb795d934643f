"""The more a check costs, the rarer it is."""

import time

from store.watch import Pace


def work(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_cheap_checks_are_as_frequent_as_allowed() -> None:
    pace = Pace()

    assert pace.seconds(least=30) == 30
    assert pace.breath() == 0


def test_checking_takes_less_than_half_a_percent_of_the_time() -> None:
    pace = Pace()
    with pace.look():
        work(0.05)

    assert 0.05 / pace.seconds(least=1) < 0.005


def test_checks_leave_room_for_others_but_never_wait_long() -> None:
    pace = Pace()
    with pace.look():
        work(0.05)
    assert pace.breath() >= 0.1

    with pace.look():
        work(0.6)
    assert pace.breath() == 1
