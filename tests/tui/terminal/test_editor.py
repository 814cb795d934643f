"""The user's editor works on a private copy, and its result is not trusted."""

import shlex
import signal
import stat
import sys
from pathlib import Path

import pytest

from tui.terminal.programs import Editor, EditorError


def editing(script: str, *words: str) -> Editor:
    """An editor that runs some Python with the file as its last argument."""
    return Editor((sys.executable, "-c", script, *words))


APPENDS = "import sys; open(sys.argv[-1], 'ab').write(b'more')"


def test_the_edited_copy_is_read_back() -> None:
    assert editing(APPENDS).edit(b"some ", "memory-5b1c.md") == b"some more"


def test_the_copy_is_private_and_removed(tmp_path: Path) -> None:
    told = tmp_path / "told"
    script = (
        "import os, sys; p = sys.argv[-1]; "
        f"open({str(told)!r}, 'w').write(' '.join([p, oct(os.stat(p).st_mode), "
        "oct(os.stat(os.path.dirname(p)).st_mode)])); open(p, 'ab').write(b'x')"
    )

    editing(script).edit(b"", "memory-5b1c.md")

    path, mode, folder = told.read_text().split()
    assert Path(path).is_absolute()
    assert Path(path).name == "memory-5b1c.md"
    assert stat.S_IMODE(int(mode, 8)) == 0o600
    assert stat.S_IMODE(int(folder, 8)) == 0o700
    assert not Path(path).parent.exists()


def test_the_file_is_one_argument_after_the_words_of_the_command(
    tmp_path: Path,
) -> None:
    told = tmp_path / "told"
    script = (
        "import sys; "
        f"open({str(told)!r}, 'w').write(repr(sys.argv[1:-1])); "
        "open(sys.argv[-1], 'ab').write(b'x')"
    )
    command = shlex.join([sys.executable, "-c", script, "--wait", "a b; rm -rf x"])

    Editor.of({"EDITOR": command}).edit(b"", "note.md")

    assert told.read_text() == "['--wait', 'a b; rm -rf x']"


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"VISUAL": "code --wait", "EDITOR": "ed"}, ("code", "--wait")),
        ({"VISUAL": " ", "EDITOR": "ed"}, ("ed",)),
        ({"EDITOR": "'/my tools/vim' -n"}, ("/my tools/vim", "-n")),
        ({}, ("vi",)),
    ],
)
def test_visual_comes_before_editor_and_either_is_split_as_a_shell_does(
    environment: dict[str, str], words: tuple[str, ...]
) -> None:
    assert Editor.of(environment).words == words


def test_unmatched_quotes_are_reported() -> None:
    with pytest.raises(EditorError, match=r"^Invalid \$EDITOR"):
        Editor.of({"EDITOR": "vim 'x"})


def test_a_missing_editor_is_reported(tmp_path: Path) -> None:
    missing = str(tmp_path / "no-such-editor")
    with pytest.raises(EditorError, match=r"Can't run the editor .*: No such file"):
        Editor((missing,)).edit(b"", "note.md")


def test_an_editor_that_returns_unchanged_at_once_did_not_wait() -> None:
    with pytest.raises(EditorError, match="GUI editors need --wait"):
        Editor(("true",)).edit(b"text", "note.md")


def test_a_failed_editor_leaves_its_text_behind() -> None:
    failing = editing(f"{APPENDS}.__class__; sys.exit(3)")

    with pytest.raises(EditorError, match="failed with exit code 3") as failed:
        failing.edit(b"some ", "note.md")

    assert failed.value.made == b"some more"


def test_a_copy_removed_by_the_editor_is_reported() -> None:
    with pytest.raises(EditorError, match="Can't read the edited file"):
        editing("import os, sys; os.unlink(sys.argv[-1])").edit(b"text", "note.md")


HANGS_UP = (
    "import os, signal, sys; p = sys.argv[-1]; open(p, 'ab').write(b'more'); "
    "open({told!r}, 'w').write(p); {before}; "
    "os.kill(os.getppid(), signal.{signal}); signal.pause()"
)
"""An editor whose program loses its terminal while it is open."""


@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
@pytest.mark.parametrize("is_stubborn", [False, True])
def test_a_signal_leaves_no_copy_and_loses_no_saved_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, *, is_stubborn: bool
) -> None:
    monkeypatch.setattr("tui.terminal.programs._OFTEN", 0.05)
    told, kept = tmp_path / "told", list[bytes]()
    before = f"signal.signal(signal.{name}, signal.SIG_IGN)" if is_stubborn else "0"
    script = HANGS_UP.format(told=str(told), before=before, signal=name)

    with pytest.raises(EditorError, match=name) as caught:
        editing(script).edit(b"some ", "note.md", kept.append)

    assert caught.value.made == b"some more"
    assert kept[-1:] == [b"some more"]
    assert not Path(told.read_text()).parent.exists()


def test_an_ignored_signal_ends_no_editor() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    script = (
        "import os, signal, sys; os.kill(os.getppid(), signal.SIGHUP); "
        "open(sys.argv[-1], 'ab').write(b'more')"
    )
    try:
        assert editing(script).edit(b"some ", "note.md") == b"some more"
    finally:
        signal.signal(signal.SIGHUP, before)
