"""Without a command the program browses; without a screen it prints its first list."""

from pathlib import Path

from tests.tui.cli.machine import Machine


def test_a_path_alone_prints_its_memories(machine: Machine, samples: Path) -> None:
    answer = machine.run(samples)

    assert answer.code == 0
    assert answer.out == machine.run("list", "memories", "-s", samples).out


def test_options_alone_browse_too(machine: Machine, samples: Path) -> None:
    assert machine.run("-s", samples).out == machine.run(samples).out


def test_several_paths_are_opened_together(machine: Machine, samples: Path) -> None:
    both = machine.run(samples / "code", samples / "graphs", "--json").rows
    alone = machine.run(samples / "graphs", "--json").rows

    assert alone
    assert {row["ref"] for row in alone} < {row["ref"] for row in both}


def test_a_path_without_stores_says_so(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    answer = machine.run(tmp_path / "empty")

    assert (answer.code, answer.out) == (1, "")
    assert "recollect: No memory stores found in" in answer.err


def test_a_path_can_be_used_with_a_query(machine: Machine, samples: Path) -> None:
    assert machine.run(samples, "--help").out.startswith("usage: recollect")


def test_a_long_word_that_is_not_a_path_is_wrong_use(machine: Machine) -> None:
    answer = machine.run("a" * 300)

    assert (answer.code, answer.out) == (2, "")


def test_a_kind_alone_suggests_list(machine: Machine) -> None:
    assert "`recollect list episodes`" in machine.run("episodes").err


def test_help_is_help(machine: Machine) -> None:
    assert machine.run("help").out == machine.run("--help").out


def test_without_sync_an_empty_catalogue_says_so(
    new_machine: Machine, samples: Path
) -> None:
    answer = new_machine.run("stores", "-s", samples, "--no-sync")

    assert (answer.code, answer.out) == (1, "")
    assert "Nothing is indexed here" in answer.err
