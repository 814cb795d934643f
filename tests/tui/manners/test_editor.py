"""The user's editor works on a private copy, and nothing that it says is trusted."""

import shlex
import stat
import sys
from pathlib import Path

import pytest

from tui.manners.editor import Editor, EditorError


def editing(script: str, *words: str) -> Editor:
    """An editor that runs some Python with the file as its last argument."""
    return Editor((sys.executable, "-c", script, *words))


APPENDS = "import sys; open(sys.argv[-1], 'ab').write(b'more')"


def test_what_is_written_into_the_copy_comes_back() -> None:
    assert editing(APPENDS).edit(b"some ", "memory-5b1c.md") == b"some more"


def test_the_copy_is_for_its_owner_alone_and_goes_again(tmp_path: Path) -> None:
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


def test_the_file_is_one_argument_behind_the_words_of_the_command(
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


def test_quotes_that_do_not_match_are_told() -> None:
    with pytest.raises(EditorError, match=r"^\$EDITOR is no command"):
        Editor.of({"EDITOR": "vim 'x"})


def test_an_editor_that_is_not_there_is_told(tmp_path: Path) -> None:
    missing = str(tmp_path / "no-such-editor")
    with pytest.raises(EditorError, match="cannot be run: No such file"):
        Editor((missing,)).edit(b"", "note.md")


def test_one_that_comes_back_at_once_unchanged_did_not_wait() -> None:
    with pytest.raises(EditorError, match="has to wait, with `--wait`"):
        Editor(("true",)).edit(b"text", "note.md")


def test_one_that_fails_leaves_what_was_written_behind() -> None:
    failing = editing(f"{APPENDS}.__class__; sys.exit(3)")

    with pytest.raises(EditorError, match="ended with 3") as failed:
        failing.edit(b"some ", "note.md")

    assert failed.value.made == b"some more"


def test_a_copy_that_the_editor_removed_is_told() -> None:
    with pytest.raises(EditorError, match="cannot be read"):
        editing("import os, sys; os.unlink(sys.argv[-1])").edit(b"text", "note.md")
