"""However the browser ends, it restores the terminal and leaves nothing behind."""

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.store.catalogue.stores import cognitive
from tests.tui.browser.live.processes import children, ends
from tests.tui.browser.safety.sent import sent
from tests.tui.browser.safety.walking import Stores, walking
from tests.tui.terminal.terminal import Terminal, terminal

PROGRAM = "tui.start"

ENTERED = (b"\x1b[?1049h", b"\x1b[?1003h", b"\x1b[?2004h", b"\x1b[?25l", b"\x1b[?7l")
LEFT = (b"\x1b[?1049l", b"\x1b[?1003l", b"\x1b[?2004l", b"\x1b[?25h", b"\x1b[?7h")
SHOWN = "Memory 2"
"""What a store of ours says, once it was read."""

QUIT = b"\x11"

DRAWINGS = pytest.mark.parametrize("drawing", ["frugal", "plain"])


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return cognitive(tmp_path / "store", 3)


@contextmanager
def opening(store: Path, drawing: str) -> Generator[Terminal]:
    """The program in a terminal."""
    how = ["--no-frugal"] if drawing == "plain" else []
    home = store.parent
    with terminal(
        PROGRAM, *how, str(store), home=home, COLORTERM="truecolor"
    ) as opened:
        yield opened


@contextmanager
def browsing(store: Path, drawing: str) -> Generator[tuple[Terminal, list[int]]]:
    """The program in a terminal while it reads its store, and its children."""
    with opening(store, drawing) as opened:
        opened.until(SHOWN)
        while not (found := children(opened.program.pid)):
            opened.type(b"\x0c")
            opened.until(SHOWN)
        yield opened, found


def assert_left(opened: Terminal) -> None:
    """The terminal is exactly as before."""
    for begins, ends_ in zip(ENTERED, LEFT, strict=True):
        assert opened.shown.rfind(ends_) > opened.shown.rfind(begins) >= 0
    assert opened.shown.rfind(b"\x1b[<u") > opened.shown.rfind(b"\x1b[>")
    assert sent(opened.shown, is_shown=False).acting == ()
    assert opened.attributes == opened.at_first


@DRAWINGS
def test_after_invalid_bytes_and_the_quit_key(store: Path, drawing: str) -> None:
    with browsing(store, drawing) as (opened, found):
        opened.type(b"\xff\xfe\xc3j\xc3/yes\xe9")
        opened.until("yes")
        opened.type(QUIT)

        assert opened.end() == 0
        assert_left(opened)
    assert all(map(ends, found))


@pytest.mark.parametrize(
    ("number", "drawing"),
    [
        (signal.SIGTERM, "frugal"),
        (signal.SIGTERM, "plain"),
        (signal.SIGHUP, "frugal"),
        (signal.SIGINT, "frugal"),
    ],
)
def test_after_a_signal(store: Path, drawing: str, number: signal.Signals) -> None:
    with browsing(store, drawing) as (opened, found):
        opened.program.send_signal(number)

        assert opened.end() == 128 + number
        assert_left(opened)
    assert all(map(ends, found))


@DRAWINGS
def test_after_a_very_early_signal(store: Path, drawing: str) -> None:
    with opening(store, drawing) as opened:
        opened.until("\x1b[?1049h")
        opened.program.send_signal(signal.SIGTERM)

        assert opened.end() == 128 + signal.SIGTERM
        assert opened.attributes == opened.at_first
        assert opened.shown.rfind(b"\x1b[?1049l") > opened.shown.rfind(b"\x1b[?1049h")


def test_after_keys_before_there_is_a_list(store: Path) -> None:
    with opening(store, "frugal") as opened:
        opened.until("\x1b[?2004h")
        opened.type(b"3j2k" + QUIT)

        assert opened.end() == 0
        assert_left(opened)


@DRAWINGS
def test_after_the_connection_was_dropped(store: Path, drawing: str) -> None:
    with browsing(store, drawing) as (opened, found):
        opened.type(b"jk" * 200)

        assert opened.hang_up() == 128 + signal.SIGHUP
    assert all(map(ends, found))


def test_a_killed_browser_leaves_no_child(store: Path) -> None:
    with browsing(store, "frugal") as (opened, found):
        opened.program.kill()

        assert opened.program.wait() == -signal.SIGKILL
        assert all(map(ends, found))


def test_a_crash_report_contains_no_text_of_a_memory(at_home: Stores) -> None:
    reports = at_home.home / "state" / "recollect" / "reports"
    before = set(reports.iterdir()) if reports.is_dir() else set[Path]()
    with walking(at_home, [["1", "j"], ["fail"]], "frugal") as opened:
        code = opened.end()

        assert code == 1
        assert opened.attributes == opened.at_first
    after = opened.shown.rpartition(b"\x1b[?1006l")[2].decode()
    (report,) = set(reports.iterdir()) - before
    told = report.read_text(encoding="utf-8")
    assert after.strip() == (
        f"walked: Internal error (ValueError); report saved to {report}."
    )
    assert sent(after.encode()).acting == ()
    assert "walked.py:" in told
    assert "PWNED" not in told
    assert "memory" not in told
    assert report.stat().st_mode & 0o777 == 0o600


def test_a_catalogue_that_breaks_does_not_break_the_terminal(store: Path) -> None:
    with browsing(store, "frugal") as (opened, _):
        catalogue = next(store.parent.rglob("catalogue.db"))
        os.truncate(catalogue, 0)
        opened.type(b"jj2")
        opened.type(QUIT)

        assert opened.end() in {0, 1}
        assert_left(opened)
        assert b"Traceback" not in opened.shown
