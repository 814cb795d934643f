"""The terminal is always restored, without any text of a memory on it."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import ROOT
from tests.tui.terminal.specimen import SECRET
from tests.tui.terminal.terminal import Terminal, terminal

SPECIMEN = "tests.tui.terminal.specimen"
RESETTING = "from tui.terminal.streams import reset_terminal; reset_terminal()"

ENTERED = (b"\x1b[?1049h", b"\x1b[?1003h", b"\x1b[?2004h", b"\x1b[?25l")
LEFT = (b"\x1b[?1049l", b"\x1b[?1003l", b"\x1b[?2004l", b"\x1b[?25h")


def is_left_as_it_was(opened: Terminal) -> bool:
    """Whether every mode that was switched on was switched off later."""
    return opened.attributes == opened.at_first and all(
        0 <= opened.shown.rfind(on) < opened.shown.rfind(off)
        for on, off in zip(ENTERED, LEFT, strict=True)
    )


def report(home: Path) -> str:
    (path,) = (home / "state" / "recollect" / "reports").iterdir()
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)],
)
def test_a_signal_ends_it_politely(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    with terminal(SPECIMEN, home=tmp_path) as opened:
        opened.until("READY")
        opened.program.send_signal(number)

        assert opened.end() == code
        assert is_left_as_it_was(opened)


def test_it_ends_with_its_terminal(tmp_path: Path) -> None:
    with terminal(SPECIMEN, home=tmp_path) as opened:
        opened.until("READY")

        assert opened.hang_up() == 129


def test_it_can_be_suspended_and_resumed(tmp_path: Path) -> None:
    with terminal(SPECIMEN, home=tmp_path) as opened:
        opened.until("READY")
        opened.type(b"\x1a")
        opened.until_stopped()
        opened.until("\x1b[?1049l")

        opened.program.send_signal(signal.SIGCONT)
        opened.until("\x1b[?1049h")
        opened.type(b"k")
        opened.until("key k")
        opened.type(b"q")

        assert opened.end() == 0
        assert is_left_as_it_was(opened)


@pytest.mark.parametrize("key", [b"x", b"w", b"t", b"s"])
def test_an_unexpected_error_is_a_sentence_and_a_report(
    tmp_path: Path, key: bytes
) -> None:
    with terminal(SPECIMEN, home=tmp_path) as opened:
        opened.until("READY")
        opened.type(key)

        assert opened.end() == 1
        assert is_left_as_it_was(opened)
    after = opened.shown.rpartition(b"\x1b")[2].decode()
    assert "lspecimen: Internal error (ValueError)" in after
    assert after.count("\n") == 1
    assert SECRET not in opened.shown.decode()
    assert "Traceback" not in opened.shown.decode()
    assert SECRET not in report(tmp_path)
    assert "specimen.py:" in report(tmp_path)


def test_an_expected_error_is_only_its_sentence(tmp_path: Path) -> None:
    with terminal(SPECIMEN, home=tmp_path) as opened:
        opened.until("READY")
        opened.type(b"n")

        assert opened.end() == 1
    assert opened.shown.endswith(b"specimen: There is no such thing.\r\n")
    assert not (tmp_path / "state/recollect/reports").exists()


def test_invalid_bytes_are_survived(tmp_path: Path) -> None:
    with terminal(SPECIMEN, home=tmp_path) as opened:
        opened.until("READY")
        opened.type(b"\xff\xfe\xc3d")
        opened.until("key d END")
        opened.type(b"q")

        assert opened.end() == 0


def test_a_paste_stays_a_paste_whatever_bytes_it_has(tmp_path: Path) -> None:
    with terminal(SPECIMEN, home=tmp_path) as opened:
        opened.until("READY")
        opened.type(b"\x1b[200~caf\xe9 q")
        opened.type(b"x\x1b[201~")
        opened.until("[1] paste 'caf\ufffd qx' END")
        opened.type(b"q")

        assert opened.end() == 0


def test_answers_meant_for_other_programs_are_not_typed(tmp_path: Path) -> None:
    answers = b"\x1b]10;rgb:dddd/dddd/dddd\x1b\\\x1b]11;rgb:0/0/0\x07\x1b[?6;22c\x1b[0n"
    with terminal(SPECIMEN, home=tmp_path) as opened:
        opened.until("READY")
        opened.type(answers + b"\x1bP>|xterm(367)\x1b\\k")
        opened.until("[1] key k END")
        opened.type(b"q")

        assert opened.end() == 0


def test_a_character_may_arrive_in_parts(tmp_path: Path) -> None:
    with terminal(SPECIMEN, home=tmp_path) as opened:
        opened.until("READY")
        opened.type(b"\xc3")
        opened.type(b"\xbc")
        opened.until("[1] key ü END")
        opened.type(b"\x1b")
        opened.until("[2] key escape END")
        opened.type(b"\x1bj")
        opened.until("[3] key alt+j END")
        opened.type(b"q")

        assert opened.end() == 0


def colours_of(opened: Terminal) -> set[str]:
    """Every requested colour, by its source."""
    styles = re.findall(rb"\x1b\[([\d;]*)m", opened.shown)
    return {
        found.decode()
        for style in styles
        for found in re.findall(
            rb"[34]8;[25]|(?<![\d;])(?:3[0-7]|4[0-7]|9[0-7]|10[0-7])(?!\d)", style
        )
    }


@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"NO_COLOR": "1"}, set[str]()),
        ({"NO_COLOR": "1", "TERM": "xterm"}, set[str]()),
        ({"COLORTERM": "truecolor"}, {"38;2", "48;2"}),
        ({"NO_COLOR": ""}, {"38;5", "48;5"}),
    ],
)
def test_the_terminal_gets_the_colours_that_it_supports(
    tmp_path: Path, environment: dict[str, str], colours: set[str]
) -> None:
    with terminal(SPECIMEN, home=tmp_path, size=(80, 24), **environment) as opened:
        opened.until("READY")
        opened.type(b"q")

        assert opened.end() == 0
    assert colours_of(opened) == colours


def test_sixteen_colours_are_the_terminals_own(tmp_path: Path) -> None:
    with terminal(SPECIMEN, home=tmp_path, TERM="xterm") as opened:
        opened.until("READY")
        opened.type(b"q")

        assert opened.end() == 0
    assert colours_of(opened)
    assert not [colour for colour in colours_of(opened) if ";" in colour]


def test_a_terminal_left_in_a_bad_state_is_reset(tmp_path: Path) -> None:
    with terminal(SPECIMEN, home=tmp_path) as opened:
        opened.until("READY")
        its = os.open(opened.name, os.O_RDWR | os.O_NOCTTY)
        opened.program.kill()
        opened.program.wait()
        assert not is_left_as_it_was(opened)

        subprocess.run(
            [sys.executable, "-c", RESETTING],
            stdin=its,
            stdout=its,
            stderr=its,
            check=True,
            cwd=ROOT,
        )
        opened.until("The terminal was restored")
        os.close(its)

        assert is_left_as_it_was(opened)
