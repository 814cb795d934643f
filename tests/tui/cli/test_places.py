"""Where stores are searched; searching changes nothing."""

import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import Recollect
from tests.tui.cli import promises
from tests.tui.cli.conftest import NOW
from tests.tui.cli.machine import Machine


@pytest.fixture
def copies(samples: Path, tmp_path: Path) -> Path:
    """Stores that a test may change."""
    return shutil.copytree(samples, tmp_path / "copies")


def paths(answer_rows: list[dict[str, str]]) -> set[str]:
    return {row["path"] for row in answer_rows}


def test_stores_may_be_named_before_and_after_the_command_and_often(
    machine: Machine, samples: Path
) -> None:
    one, other = samples / "cognitive-memory", samples / "code"

    both = machine.run("-s", one, "stores", "--json", "--store", other).rows

    apart = [
        machine.run("stores", "--json", "-s", place).rows for place in (one, other)
    ]
    assert paths(both) == paths(apart[0]) | paths(apart[1])
    assert paths(apart[0]) == {str(one)}
    assert len(apart[1]) > 1
    assert machine.run("-s", one, "-s", other, "stores", "--json").rows == both


def test_stores_may_be_named_in_the_environment(
    machine: Machine, samples: Path
) -> None:
    one, other = samples / "cognitive-memory", samples / "code"
    variable = os.pathsep.join([str(one), str(other)])

    both = machine.run("stores", "--json", RECOLLECT_STORES=variable).rows
    named = machine.run("stores", "--json", "-s", one, RECOLLECT_STORES=variable).rows

    assert paths(both) == paths(
        machine.run("stores", "--json", "-s", one, "-s", other).rows
    )
    assert paths(named) == {str(one)}


def test_without_a_name_the_machine_is_searched(
    machine: Machine, samples: Path
) -> None:
    shutil.copytree(samples / "claude", machine.home / ".claude")

    answer = machine.run("stores", "--json")

    assert answer.code == 0
    assert answer.rows
    assert all(
        Path(row["path"]).is_relative_to(machine.home / ".claude")
        for row in answer.rows
    )


def test_without_stores_the_searched_places_and_a_hint_are_shown(
    machine: Machine, tmp_path: Path
) -> None:
    (machine.home / ".claude" / "projects").mkdir(parents=True)
    empty = tmp_path / "empty"
    empty.mkdir()

    named = machine.run("list", "memories", "-s", empty)
    unnamed = machine.run("list", "memories")

    searched = ((named, str(empty), 1), (unnamed, "~/.claude/projects", 2))
    for answer, place, lines in searched:
        assert (answer.code, answer.out) == (1, "")
        assert place in answer.err
        assert "`recollect demo`" in answer.err
        assert answer.err.count("\n") == lines


@pytest.mark.parametrize("command", ["stores", "sync", "list memories", "show x"])
def test_a_path_that_does_not_exist_is_an_error(
    recollect: Recollect, tmp_path: Path, command: str
) -> None:
    missing = tmp_path / "missing"

    answer = recollect(*command.split(), "-s", str(missing))

    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr == f"recollect: {missing} does not exist.\n"


def test_a_missing_path_in_the_environment_is_reported_and_the_rest_opened(
    machine: Machine, samples: Path, tmp_path: Path
) -> None:
    missing = tmp_path / "missing"
    both = os.pathsep.join([str(missing), str(samples / "code")])

    answer = machine.run("stores", "--json", RECOLLECT_STORES=both)
    alone = machine.run("stores", RECOLLECT_STORES=str(missing))

    assert answer.err == f"recollect: RECOLLECT_STORES: {missing} does not exist.\n"
    assert paths(answer.rows) == paths(
        machine.run("stores", "--json", "-s", samples / "code").rows
    )
    assert machine.run("stores", "-s", samples, RECOLLECT_STORES=both).err == ""
    assert (alone.code, alone.err) == (1, f"recollect: {missing} does not exist.\n")


def test_without_sync_the_stores_are_not_read(machine: Machine, copies: Path) -> None:
    store = copies / "cognitive-memory"
    command = ("list", "memories", "--json", "-s", store, "--now", NOW)
    before = machine.run(*command)
    fixes = store / "graph" / "fixes"
    some = next(path for path in fixes.iterdir() if path.suffix == ".md")
    shutil.copy(some, fixes / "another.md")

    assert machine.run(*command, "--no-sync").rows == before.rows
    assert len(machine.run(*command).rows) == len(before.rows) + 1

    store.rename(copies / "gone")
    assert len(machine.run(*command, "--no-sync").rows) == len(before.rows) + 1
    assert machine.run(*command).code == 1


def test_no_command_changes_a_store(machine: Machine, copies: Path) -> None:
    def all_of_it() -> dict[Path, tuple[int, int, int, bytes]]:
        return {
            path: (s.st_mtime_ns, s.st_ctime_ns, s.st_mode, content)
            for path in sorted(copies.rglob("*"))
            for s in [path.stat()]
            for content in [path.read_bytes() if path.is_file() else b""]
        }

    before = all_of_it()
    ref = machine.run("list", "memories", "--json", "-s", copies).rows[0]["ref"]
    for command in ("stores", "sync", "sync --events", f"show {ref}", f"links {ref}"):
        assert machine.run(*command.split(), "-s", copies).code == 0
    for kind in promises.LISTS:
        assert machine.run("list", kind, "-s", copies).code == 0

    assert all_of_it() == before


def test_the_catalogue_is_private(new_machine: Machine, samples: Path) -> None:
    new_machine.run("sync", "-s", samples)

    kept = [new_machine.cache, *new_machine.cache.iterdir()]
    assert [oct(path.stat().st_mode & 0o077) for path in kept] == ["0o0"] * len(kept)
    assert not new_machine.state.exists()


def test_read_only_comes_from_the_command_line_and_the_environment(
    machine: Machine, samples: Path
) -> None:
    usual = machine.run("stores", "-s", samples)

    assert machine.run("stores", "--read-only", "-s", samples) == usual
    assert machine.run("--read-only", "stores", "-s", samples) == usual
    assert machine.run("stores", "-s", samples, RECOLLECT_READ_ONLY="1") == usual


def test_a_damaged_catalogue_is_set_aside_and_rebuilt(
    machine: Machine, samples: Path
) -> None:
    usual = machine.run("list", "edges", "--json", "-s", samples)
    catalogue = machine.cache / "catalogue.db"
    for path in machine.cache.iterdir():
        path.unlink()
    catalogue.write_bytes(b"this is no database" * 100)

    answer = machine.run("list", "edges", "--json", "-s", samples)

    assert answer.rows == usual.rows
    assert answer.err.startswith("recollect: ")
    assert answer.err.count("\n") == 1
