"""A program in a terminal, with the driver and without."""

import os
import signal
import termios
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.tui.driver.session import Session

PROGRAM = "tests.tui.driver.program"
DOWN, PAGE_DOWN, UP = "\x1b[B", "\x1b[6~", "\x1b[A"
STOP = "\x1a"
MODES = [1000, 1003, 1006, 1004, 2004, 1049]


@contextmanager
def running(*arguments: str, columns: int = 80, lines: int = 24) -> Generator[Session]:
    session = Session("-m", PROGRAM, *arguments, columns=columns, lines=lines)
    try:
        session.until(lambda: session.shows("keys 0."))
        yield session
    finally:
        session.close()


@pytest.fixture
def both() -> Iterator[tuple[Session, Session]]:
    with running("plain") as plain, running("frugal") as frugal:
        yield plain, frugal


def become_same(both: tuple[Session, Session], text: str) -> None:
    plain, frugal = both

    def are_same() -> bool:
        plain.read(0.01)
        frugal.read(0.01)
        shown = plain.shows(text) and frugal.shows(text)
        return shown and plain.screen.seen() == frugal.screen.seen()

    frugal.until(are_same)


def test_keys_lead_to_the_same_screen(both: tuple[Session, Session]) -> None:
    become_same(both, "keys 0.")

    for count, key in enumerate([*[DOWN] * 20, *[PAGE_DOWN] * 3, UP, "\t", "é", "字"]):
        for session in both:
            session.press(key)
        become_same(both, f"keys {count + 1}.")

    plain, frugal = both
    assert len(frugal.received) < len(plain.received) / 5


@pytest.mark.parametrize("size", [(100, 30), (60, 12), (200, 50)])
def test_another_size_leads_to_the_same_screen(
    both: tuple[Session, Session], size: tuple[int, int]
) -> None:
    for session in both:
        session.press(DOWN)
    become_same(both, "keys 1.")

    for session in both:
        session.resize(*size)
    become_same(both, "keys 1. {}x{}".format(*size))

    for session in both:
        session.press(DOWN)
    become_same(both, "keys 2.")


def test_a_size_that_changed_for_a_moment_is_redrawn() -> None:
    with running("frugal") as session:
        session.press(DOWN)
        session.until(lambda: session.shows("keys 1."))
        session.screen.erase_in_display(2)

        os.kill(session.pid, signal.SIGWINCH)

        session.until(lambda: session.shows("joined") and session.shows("keys 1."))


def test_a_resumed_program_shows_the_same_screen_again() -> None:
    with running("frugal") as session:
        session.press(PAGE_DOWN)
        session.until(lambda: session.shows("keys 1."))
        before = termios.tcgetattr(session.descriptor)[3]

        session.press(STOP)
        session.until(session.has_stopped)
        session.until(lambda: not session.screen.has_mode(1049))
        while session.read():
            pass
        assert not any(map(session.screen.has_mode, MODES))
        assert termios.tcgetattr(session.descriptor)[3] & termios.ECHO
        session.screen.draw("what another program left")

        os.kill(session.pid, signal.SIGCONT)
        session.until(lambda: session.shows("keys 2."))
        assert not session.shows("another program")
        assert termios.tcgetattr(session.descriptor)[3] == before
        session.press(DOWN)
        session.until(lambda: session.shows("keys 3."))


@pytest.mark.parametrize("mode", ["frugal", "plain"])
@pytest.mark.parametrize("is_told", [True, False], ids=["told", "without a word"])
def test_stopping_restores_the_terminal(mode: str, *, is_told: bool) -> None:
    with running(mode) as session:
        session.press(PAGE_DOWN)
        session.until(lambda: session.shows("keys 1."))
        if is_told:
            session.press(STOP)
        else:
            os.kill(session.pid, signal.SIGSTOP)
        session.until(session.has_stopped)
        while session.read():
            pass
        session.screen.erase_in_display(2)

        os.kill(session.pid, signal.SIGCONT)
        session.until(lambda: session.shows("joined") and session.shows("keys "))
        session.press(DOWN)
        session.until(lambda: session.shows("keys 3." if is_told else "keys 2."))
        assert all(map(session.screen.has_mode, [1003, 1004, 2004, 1049]))
        session.press("\x11")

        assert session.exit_code() == 0
        while session.read():
            pass
        assert not any(map(session.screen.has_mode, MODES))
        assert session.received.count(b"\x1b[<u") == session.received.count(b"\x1b[>")
        assert termios.tcgetattr(session.descriptor)[3] & termios.ECHO


def test_quitting_leaves_the_terminal_as_it_was() -> None:
    with running("frugal") as session:
        session.press("\x11")

        assert session.exit_code() == 0
        while session.read():
            pass
        assert not any(map(session.screen.has_mode, MODES))
        assert termios.tcgetattr(session.descriptor)[3] & termios.ECHO


def test_inline_output_is_complete_and_uses_no_screen() -> None:
    with running("inline") as session:
        session.press(DOWN)
        session.until(lambda: session.shows("keys 1."))
        assert b"\x1b[?1049h" not in session.received
        session.press("\x11")

        assert session.exit_code() == 0
        while session.read():
            pass
        assert not any(map(session.screen.has_mode, MODES))
        assert termios.tcgetattr(session.descriptor)[3] & termios.ECHO


def test_overwritten_parts_are_redrawn() -> None:
    with running("frugal") as session:
        session.press(DOWN)
        session.until(lambda: session.shows("keys 1."))
        session.screen.cursor_position(5, 5)
        session.screen.draw("from another program")

        session.press("\x0c")

        session.until(lambda: session.shows("keys 2."))
        assert not session.shows("another")


def test_copied_text_reaches_the_clipboard() -> None:
    with running("frugal") as session:
        session.press("\x13")

        session.until(lambda: b"\x1b]52;c;Y29waWVk\x07" in session.received)


def test_no_key_waits_for_a_slow_terminal(tmp_path: Path) -> None:
    told = tmp_path / "told"
    with running("frugal", str(told)) as session:
        for _ in range(300):
            session.press(PAGE_DOWN)
            session.press(UP)
        session.press("\t")

        session.wait(lambda: told.exists() and told.stat().st_size == 601)
        session.until(lambda: session.shows("keys 601."))


def test_invalid_bytes_are_dropped() -> None:
    with running("frugal") as session:
        os.write(session.descriptor, b"\xff\xfe\xc3")

        def answers() -> bool:
            session.press(DOWN)
            return not session.shows("keys 0.")

        session.until(answers)


def test_a_closed_terminal_ends_the_program_quietly(tmp_path: Path) -> None:
    with running("frugal", str(tmp_path / "told"), "stubborn") as session:
        os.close(session.descriptor)
        session.descriptor = os.open(os.devnull, os.O_RDONLY)

        session.wait(session.has_ended)
        assert session.exit_code() == 128 + signal.SIGHUP
