from pathlib import Path

import pytest

from tests.conftest import Recollect
from tests.tui.cli import promises
from tests.tui.cli.conftest import NOW
from tests.tui.cli.machine import Machine


def files(folder: Path) -> dict[Path, bytes]:
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_demo_stores_are_created_and_listed(
    machine: Machine, tmp_path: Path
) -> None:
    answer = machine.run("demo", tmp_path / "a", "--make", "--json")

    assert (answer.code, answer.err) == (0, "")
    assert all(list(row) == promises.STORE for row in answer.rows)
    assert all(Path(row["path"]).is_dir() for row in answer.rows)
    assert not machine.cache.exists()


def test_the_same_time_makes_the_same_demo(machine: Machine, tmp_path: Path) -> None:
    for name in "ab":
        machine.run("demo", tmp_path / name, "--make", "--now", NOW)

    assert files(tmp_path / "a") == files(tmp_path / "b") != {}


def test_a_demo_is_created_in_a_folder_inside_the_current_one(
    recollect: Recollect,
) -> None:
    answer = recollect("demo", "here", "--make")

    assert answer.returncode == 0
    browse, use = answer.stderr.splitlines()
    assert browse.startswith("recollect: To browse them: recollect /")
    assert use.endswith("/here list")
    assert "/here/" in answer.stdout


def test_a_folder_with_content_is_left_alone(machine: Machine, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "kept.txt").write_text("kept")

    into_folder = machine.run("demo", mine, "--make")
    into_file = machine.run("demo", mine / "kept.txt", "--make")

    for answer in (into_folder, into_file):
        assert (answer.code, answer.out) == (1, "")
        assert str(mine) in answer.err
        assert answer.err.count("\n") == 1
    assert files(mine) == {Path("kept.txt"): b"kept"}


@pytest.mark.parametrize("flag", [[], ["--json"]])
def test_a_demo_is_found_by_the_commands(
    machine: Machine, tmp_path: Path, flag: list[str]
) -> None:
    machine.run("demo", tmp_path / "a", "--make", "--now", NOW)

    answer = machine.run("list", "memories", "-s", tmp_path / "a", *flag)

    assert len(answer.out.splitlines()) > 150


def test_a_demo_without_a_screen_lists_its_temporary_stores(machine: Machine) -> None:
    answer = machine.run("demo")

    assert answer.code == 0
    assert "cognitive-memory" in answer.out
    assert "`recollect demo DIR` keeps them" in answer.err
