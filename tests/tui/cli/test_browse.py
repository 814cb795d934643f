"""Without a command the program browses; without a screen it prints its first list."""

from pathlib import Path

from tests.tui.cli.machine import Machine


def test_a_path_alone_prints_its_memories(machine: Machine, samples: Path) -> None:
    answer = machine.run(samples)

    assert answer.code == 0
    assert answer.out == machine.run("list", "memories", "-s", samples).out


def test_options_alone_browse_too(machine: Machine, samples: Path) -> None:
    assert machine.run("-s", samples).out == machine.run(samples).out


def test_several_paths_are_looked_at_together(machine: Machine, samples: Path) -> None:
    both = machine.run(samples / "code", samples / "graphs", "--json").rows
    alone = machine.run(samples / "graphs", "--json").rows

    assert alone
    assert {row["ref"] for row in alone} < {row["ref"] for row in both}


def test_a_path_without_stores_says_so(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    answer = machine.run(tmp_path / "empty")

    assert (answer.code, answer.out) == (1, "")
    assert "No store was found" in answer.err


def test_a_path_can_be_asked_about(machine: Machine, samples: Path) -> None:
    assert machine.run(samples, "--help").out.startswith("usage: recollect")


def test_a_word_that_is_no_path_by_its_length_is_wrong_use(machine: Machine) -> None:
    answer = machine.run("a" * 300)

    assert (answer.code, answer.out) == (2, "")


def test_a_kind_alone_was_meant_to_be_listed(machine: Machine) -> None:
    assert "`recollect list episodes`" in machine.run("episodes").err


def test_help_is_help(machine: Machine) -> None:
    assert machine.run("help").out == machine.run("--help").out


def test_the_catalogue_alone_says_when_nothing_was_read(
    machine: Machine, samples: Path
) -> None:
    answer = machine.run("stores", "-s", samples, "--no-sync")

    assert (answer.code, answer.out) == (1, "")
    assert "Nothing was read" in answer.err
