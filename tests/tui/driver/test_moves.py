"""The cursor arrives, by the shortest sequence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.driver.pair import place
from tests.tui.driver.terminal import Terminal
from tui.driver.painter import move

PLACES = st.tuples(st.integers(0, 39), st.integers(0, 119))


@given(start=PLACES, goal=PLACES, known=st.sampled_from(["place", "row"]))
def test_the_cursor_arrives(
    start: tuple[int, int], goal: tuple[int, int], known: str
) -> None:
    terminal = Terminal(120, 40)
    terminal.cursor_position(start[0] + 1, start[1] + 1)
    column = start[1] if known == "place" else None

    terminal.feed(move(start[0], column, *goal))

    assert place(terminal) == goal


@pytest.mark.parametrize(
    ("start", "goal", "way"),
    [
        ((3, 3), (3, 3), ""),
        ((3, 3), (0, 0), "\x1b[H"),
        ((3, 3), (9, 0), "\x1b[10H"),
        ((3, 30), (4, 0), "\r\n"),
        ((3, 3), (3, 0), "\r"),
        ((3, 3), (3, 2), "\b"),
        ((3, 3), (3, 4), "\x1b[C"),
        ((3, 30), (9, 30), "\x1b[6B"),
        ((9, 30), (3, 30), "\x1b[6A"),
        ((3, 30), (9, 31), "\x1b[10;32H"),
    ],
)
def test_the_shortest_move_is_sent(
    start: tuple[int, int], goal: tuple[int, int], way: str
) -> None:
    assert move(*start, *goal) == way
