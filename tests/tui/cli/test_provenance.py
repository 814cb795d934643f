"""`recollect blame` and `recollect versions`: who wrote which line, and when."""

from pathlib import Path

import pytest

from tests.tui.cli.machine import Machine

NOTE = "path:errors-point"


@pytest.fixture
def ref(machine: Machine, samples: Path) -> str:
    """A note that a session of the samples wrote."""
    listed = machine.run("list", "memories", NOTE, "-s", samples, "--json")
    (note,) = listed.rows
    return note["ref"]


def test_blame_names_the_message_of_each_line(
    machine: Machine, samples: Path, ref: str
) -> None:
    answer = machine.run("blame", ref, "-s", samples, "--json")

    (blame,) = answer.rows
    (lines,) = blame["lines"]
    assert list(blame) == ["ref", "store", "path", "lines", "written", "maybe"]
    assert (blame["ref"], blame["maybe"]) == (ref, [])
    assert blame["written"] == [lines["ref"]]
    assert (lines["by"], lines["what"], lines["first"]) == ("call", "Write", 1)
    shown = machine.run("show", lines["ref"], "-s", samples, "--json").rows[0]
    assert lines["conversation"] == shown["conversation"]


def test_a_person_reads_the_file_with_its_authors(
    machine: Machine, samples: Path, ref: str
) -> None:
    answer = machine.in_terminal("blame", ref, "-s", samples, columns=100)

    first, second, *_ = answer.out.splitlines()
    assert answer.code == 0
    assert "Write" in first
    assert first.endswith(" 1) ---")
    assert first.index("1)") < 40
    assert "2) name: errors point" in second


def test_lines_without_a_call_say_so(machine: Machine, samples: Path) -> None:
    listed = machine.run("list", "memories", "path:guild-ids", "-s", samples, "--json")

    answer = machine.run("blame", listed.rows[0]["ref"], "-s", samples)

    assert answer.out.startswith("origin unknown")


def test_versions_are_listed_and_distinguished(
    machine: Machine, samples: Path, ref: str
) -> None:
    (version,) = machine.run("versions", ref, "-s", samples, "--json").rows
    cells = machine.run("versions", ref, "-s", samples).out.split("\t")
    diff = machine.run("versions", ref, "-s", samples, "--diff").out

    assert (version["by"], version["what"], version["removed"]) == ("call", "Write", 0)
    assert version["diff"].startswith("--- /dev/null\n")
    assert cells[:4] == [version["ref"], cells[1], "call", "Write"]
    assert f"  call  Write  {version['ref']}\n--- /dev/null\n" in diff
    assert "\n+name: errors point at" in diff
    shown = machine.in_terminal("versions", ref, "-s", samples).out
    assert f"+{version['added']} -0" in shown


def test_a_file_without_a_history_has_no_versions(
    machine: Machine, samples: Path
) -> None:
    listed = machine.run("list", "memories", "path:guild-ids", "-s", samples, "--json")

    answer = machine.in_terminal("versions", listed.rows[0]["ref"], "-s", samples)

    assert "No history found for this file." in answer.out


def test_a_record_without_a_file_has_neither(machine: Machine, samples: Path) -> None:
    listed = machine.run("list", "messages", "-s", samples, "--json", "--limit", "1")

    answer = machine.run("blame", listed.rows[0]["ref"], "-s", samples)

    assert answer.code == 1
    assert answer.err == "recollect: This record has no file of its own.\n"
