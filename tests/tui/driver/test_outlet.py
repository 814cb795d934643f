"""Only the newest frame of the screen is sent, and everything else."""

import os
import select
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.tui.driver.pair import ABLE
from tui.driver.driver import Outlet
from tui.driver.painter import Painter
from tui.driver.screen import Frame, Grid

MUCH = "\x07" * 1_000_000


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        with suppress(OSError):
            os.close(end)


def frame(number: int) -> Frame:
    grid = Grid(20, 3)
    grid.write(f"\x1b[1;1Hframe <{number}>\x1b[1;1H")
    return Frame(grid.rows(), grid.cursor, generation=0, is_synchronized=False)


def outlet_to(pipe: tuple[int, int]) -> Outlet:
    return Outlet(pipe[1], Painter(ABLE), lambda: None)


def everything(pipe: tuple[int, int]) -> str:
    data = b""
    while block := os.read(pipe[0], 1 << 16):
        data += block
    return data.decode()


def until_full(pipe: tuple[int, int]) -> None:
    """Wait until the terminal takes no more."""
    while select.select([], [pipe[1]], [], 0)[1]:
        select.select([], [], [], 0.001)


def test_frames_that_would_not_be_seen_are_not_sent(pipe: tuple[int, int]) -> None:
    outlet = outlet_to(pipe)
    outlet.send(MUCH)
    until_full(pipe)

    for number in range(1000):
        outlet.send(frame(number))
    sent = ""
    while "<999>" not in sent:
        sent += os.read(pipe[0], 1 << 16).decode()
    outlet.close()

    assert sent.count("frame") == 1
    assert sent.count("\x07") == len(MUCH)


def test_other_sequences_are_sent_in_order(pipe: tuple[int, int]) -> None:
    outlet = outlet_to(pipe)

    outlet.send("first")
    outlet.send(frame(1))
    outlet.send("last")
    outlet.close()
    os.close(pipe[1])

    sent = everything(pipe)
    assert sent.startswith("first")
    assert "frame <1>" in sent
    assert sent.endswith("last")


def test_an_unchanged_frame_sends_nothing() -> None:
    painter = Painter(ABLE)
    assert painter.paint(frame(1))

    assert not painter.paint(frame(1))


def test_a_closed_terminal_is_reported_once(pipe: tuple[int, int]) -> None:
    told: list[str] = []
    os.close(pipe[0])
    outlet = Outlet(pipe[1], Painter(ABLE), lambda: told.append("lost"))

    outlet.send("anything")
    outlet.send(frame(1))
    outlet.close()

    assert told == ["lost"]


def test_a_slow_terminal_gets_the_rest_later(
    pipe: tuple[int, int],
) -> None:
    os.set_blocking(pipe[1], False)
    outlet = outlet_to(pipe)

    outlet.send(MUCH)
    until_full(pipe)
    sent = 0
    while sent < len(MUCH):
        sent += len(os.read(pipe[0], 1 << 16))
    outlet.close()

    assert sent == len(MUCH)
