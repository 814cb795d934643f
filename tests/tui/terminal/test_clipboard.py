"""A text is copied in the most reliable way, and to a file; the way is reported."""

import base64
import shlex
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.terminal.programs import LIMIT, Copied, NotPastableError, copy, pastable


class Desk:
    """A machine with some programs, and the output to its terminal."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "bin"
        self.runtime = folder / "run"
        self.programs.mkdir()
        self.runtime.mkdir()
        self.sent: list[str] = []

    def has(self, program: str, *, code: int = 0) -> None:
        """Install a program that records its input and its arguments."""
        path = self.programs / program
        path.write_text(
            f'#!/bin/sh\n/bin/cat > "$0.got"\necho "$*" > "$0.words"\nexit {code}\n'
        )
        path.chmod(0o755)

    def got(self, program: str) -> str:
        return (self.programs / f"{program}.got").read_text(encoding="utf-8")

    def words(self, program: str) -> str:
        return (self.programs / f"{program}.words").read_text(encoding="utf-8").strip()

    def copy(self, text: str, **environment: str) -> Copied:
        paths = {"PATH": str(self.programs), "XDG_RUNTIME_DIR": str(self.runtime)}
        return copy(text, paths | environment, self.sent.append)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_tmux_comes_first_because_it_drops_other_sequences(desk: Desk) -> None:
    desk.has("tmux")

    copied = desk.copy("naïve", TMUX="socket,1,0", SSH_CONNECTION="1 2 3 4")

    assert desk.got("tmux") == "naïve"
    assert desk.words("tmux") == "load-buffer -w -"
    assert desk.sent == []
    assert copied.sentence == (
        f"Copied (also saved to {desk.runtime / 'recollect-clip'})."
    )


@pytest.mark.parametrize(
    ("program", "environment", "words"),
    [
        ("wl-copy", {"WAYLAND_DISPLAY": "wayland-0"}, ""),
        ("xclip", {"DISPLAY": ":0"}, "-selection clipboard"),
        ("xsel", {"DISPLAY": ":0"}, "--clipboard --input"),
        ("pbcopy", dict[str, str](), ""),
    ],
)
def test_a_local_display_has_a_clipboard_program(
    desk: Desk, program: str, environment: dict[str, str], words: str
) -> None:
    desk.has(program)

    assert desk.copy("text", **environment).way == program
    assert desk.got(program) == "text"
    assert desk.words(program) == words
    assert desk.sent == []


def test_over_ssh_the_terminal_is_used_and_no_program(desk: Desk) -> None:
    desk.has("xclip")

    copied = desk.copy("naïve", DISPLAY=":0", SSH_CONNECTION="1 2 3 4")

    encoded = base64.b64encode("naïve".encode()).decode()
    assert desk.sent == [f"\x1b]52;c;{encoded}\x07"]
    assert copied.way == "the terminal"


def test_a_program_that_fails_is_followed_by_the_next_way(desk: Desk) -> None:
    desk.has("wl-copy", code=1)
    desk.has("xclip")

    copied = desk.copy("text", WAYLAND_DISPLAY="wayland-0", DISPLAY=":0")

    assert copied.way == "xclip"


def test_a_program_that_cannot_be_started_is_skipped(desk: Desk) -> None:
    (desk.programs / "pbcopy").write_bytes(b"\x7fELF no program at all")
    (desk.programs / "pbcopy").chmod(0o755)

    assert desk.copy("text").way == "the terminal"


def test_text_too_long_for_terminals_is_in_the_file(desk: Desk) -> None:
    text = "x" * LIMIT

    copied = desk.copy(text)

    path = desk.runtime / "recollect-clip"
    assert desk.sent == []
    assert copied.sentence == f"Saved to {path}; no clipboard available."
    assert path.read_text() == text


def test_the_file_is_private(desk: Desk) -> None:
    copied = desk.copy("text")

    assert copied.file
    assert stat.S_IMODE(copied.file.stat().st_mode) == 0o600


def test_without_its_folder_the_file_is_with_the_programs_own(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    desk.runtime.rmdir()
    desk.runtime.write_text("a file where a folder should be")

    assert desk.copy("text").file == tmp_path / "state/recollect/recollect-clip"


def test_a_lone_surrogate_can_be_copied(desk: Desk) -> None:
    copied = desk.copy("a\udc80b")

    assert copied.file
    assert copied.file.read_text() == "a?b"


def test_only_line_ends_and_tabs_are_copied_of_controls(desk: Desk) -> None:
    copied = desk.copy("a\x1b[201~\r\n\tb\x9b\x07\0c\n")

    assert copied.file
    assert copied.file.read_text() == "a[201~\n\tbc\n"


def test_the_outcome_is_one_sentence() -> None:
    assert Copied("", None).sentence.startswith("Not copied")
    assert Copied("tmux", None).sentence == "Copied."


SIGNS = st.sampled_from(["", "\x1b]0;", "\r", "\n", "\x9b", "\u2028", "\udc80"])
PLAIN = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"])
)


@given(PLAIN, SIGNS)
def test_a_command_is_copied_exactly_or_refused(text: str, sign: str) -> None:
    command = shlex.join(["cat", text + sign])
    if sign:
        with pytest.raises(NotPastableError, match="control characters"):
            pastable(command)
        return

    sent: list[str] = []
    with TemporaryDirectory() as runtime:
        environment = {"PATH": "", "XDG_RUNTIME_DIR": runtime}
        copy(pastable(command), environment, sent.append)

    raw = base64.b64decode(sent[0].removeprefix("\x1b]52;c;").removesuffix("\x07"))
    assert shlex.split(raw.decode()) == ["cat", text]
