"""State folders of another user, or unreadable ones: one sentence."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import ROOT
from tests.store.catalogue.stores import NOON, linked, own_id
from tests.tui.cli.machine import Answer, Machine

NOBODY = 65534
LIMITED = ("setpriv", "--bounding-set=-chown,-fowner,-dac_override,-dac_read_search")
"""Take from root what lets it use the files of others."""

READING = (
    ("list", "memories"),
    ("search", "body"),
    ("show", own_id(1)),
    ("health",),
    ("stores",),
    ("vault",),
    ("list", "memories", "--at", "2026-01-01"),
)
CHANGING = (("tag", own_id(1), "+x", "--yes"), ("undo", "--yes"), ("doctor",))


@pytest.fixture
def used(machine: Machine) -> Machine:
    """A machine with a change and a pin."""
    linked(machine.home / "stores/a")
    for words in (("tag", own_id(1), "+y"), ("pin", own_id(1))):
        machine.run(*words, "--yes", "-s", machine.home / "stores")
    (machine.state / "vault").mkdir(exist_ok=True)
    return machine


def give_away(folder: Path, mode: int) -> None:
    """Give a folder and its content to another user."""
    if os.geteuid():
        pytest.skip("only root can give a folder away")
    for path in (folder, *folder.rglob("*")):
        path.chmod(mode if path.is_dir() else mode & 0o666)
        os.chown(path, NOBODY, NOBODY)


def run(machine: Machine, *words: str) -> Answer:
    """Run a command as a user who is not root, or as root without its privileges."""
    if not os.geteuid() and not shutil.which(LIMITED[0]):
        pytest.skip("root may use all folders here")
    program = [sys.executable, "-P", ROOT / "tui/start.py"]
    done = subprocess.run(
        [
            *(() if os.geteuid() else LIMITED),
            *(*program, *words, "-s", machine.home / "stores", "--now", NOON),
        ],
        env=machine.variables(PYTHONPATH=str(ROOT)),
        check=False,
        capture_output=True,
        text=True,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("words", [*READING, *CHANGING], ids=lambda words: words[0])
@pytest.mark.parametrize("part", ["", "changes", "vault"])
def test_a_state_folder_of_another_owner_is_reported_in_one_sentence(
    used: Machine, part: str, words: tuple[str, ...]
) -> None:
    give_away(used.state / part, 0o700)

    answer = run(used, *words)

    assert (answer.code, answer.out) == (1, "")
    assert answer.err.count("\n") == 1
    assert f"Can't read {used.state / part}: " in answer.err
    assert "belongs to " in answer.err
    assert "XDG_STATE_HOME" in answer.err


def test_a_closed_state_folder_is_reported_in_one_sentence(used: Machine) -> None:
    used.state.chmod(0)
    try:
        answer = run(used, "list", "memories")
    finally:
        used.state.chmod(0o700)

    assert answer.code == 1
    assert answer.err.count("\n") == 1
    assert "Permission denied" in answer.err


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_a_readable_state_folder_of_another_owner_is_enough_to_look(
    used: Machine, words: tuple[str, ...]
) -> None:
    before = run(used, *words)
    give_away(used.state, 0o755)

    answer = run(used, *words)

    assert (answer.code, answer.out) == (0, before.out)


@pytest.mark.parametrize("words", CHANGING, ids=lambda words: words[0])
def test_no_change_is_made_without_a_journal(
    used: Machine, words: tuple[str, ...]
) -> None:
    give_away(used.state, 0o755)
    file = used.home / "stores/a/graph/fixes/one.md"
    pinned = used.home / "stores/a/vault/one.md"
    path = file if file.exists() else pinned
    before = path.read_bytes()

    answer = run(used, *words)

    assert answer.code == 1
    assert answer.err.count("\n") == 1
    assert "belongs to " in answer.err
    assert path.read_bytes() == before
