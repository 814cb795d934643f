"""The preview follows a single key at once, and waits while keys repeat."""

from tui.browser.reader import Pace


def test_a_key_alone_is_followed_at_once() -> None:
    pace = Pace()

    assert not pace.is_passing(10.0)
    assert not pace.is_passing(10.3)


def test_a_held_key_is_waited_for() -> None:
    pace = Pace()
    pace.is_passing(10.0)

    assert all(pace.is_passing(10.0 + 0.033 * number) for number in range(1, 40))
    assert not pace.is_passing(12.0)
