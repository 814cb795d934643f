"""Without a command the program browses; without a screen it prints a beginning."""

from pathlib import Path

from tests.tui.cli.machine import Machine


def test_a_path_alone_prints_what_is_there(machine: Machine, samples: Path) -> None:
    answer = machine.run(samples)

    stores = machine.run("stores", "-s", samples).out
    memories = machine.run("list", "memories", "-s", samples, "--limit", "15").out
    assert answer.code == 0
    assert answer.out == stores + memories


def test_options_alone_browse_too(machine: Machine, samples: Path) -> None:
    assert machine.run("-s", samples).out == machine.run(samples).out


def test_several_paths_are_looked_at_together(machine: Machine, samples: Path) -> None:
    both = machine.run(samples / "code", samples / "graphs", "--json").rows
    alone = machine.run("stores", "-s", samples / "graphs", "--json").rows

    paths = {row["path"] for row in both if "path" in row and "bytes" in row}
    assert {row["path"] for row in alone} < paths


def test_a_path_without_stores_says_so(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    answer = machine.run(tmp_path / "empty")

    assert (answer.code, answer.out) == (1, "")
    assert "No store was found" in answer.err
