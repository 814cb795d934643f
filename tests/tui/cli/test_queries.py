"""`queries`: saved and recent ones."""

from pathlib import Path

import pytest

from tests.tui.cli.machine import Machine


def kept(machine: Machine) -> list[tuple[str | None, str]]:
    """The listed queries."""
    rows = machine.run("queries", "--json").rows
    assert all(list(row) == ["query", "name"] for row in rows)
    return [(row["name"], row["query"]) for row in rows]


def test_a_saved_query_is_listed_and_used_by_its_name(
    machine: Machine, samples: Path
) -> None:
    saving = machine.run("queries", "--save", "cold", "redis", "-timeout")

    assert (saving.code, saving.out) == (0, "")
    assert saving.err == "recollect: Saved; use it with --saved cold.\n"
    assert kept(machine) == [("cold", "redis -timeout")]
    by_name = machine.run("list", "memories", "--saved", "cold", "-s", samples)
    assert by_name == machine.run("list", "memories", "redis -timeout", "-s", samples)
    more = machine.run("list", "memories", "--saved", "cold", "client", "-s", samples)
    assert more.err == ""
    assert set(more.out.splitlines()) < set(by_name.out.splitlines())
    found = machine.run("search", "--saved", "cold", "-s", samples, "--json")
    assert found.rows


def test_saving_a_name_again_replaces_the_query(machine: Machine) -> None:
    machine.run("queries", "--save", "cold", "redis")
    machine.run("queries", "--save", "cold", "valkey")

    assert kept(machine) == [("cold", "valkey")]


def test_a_deleted_query_is_gone(machine: Machine, samples: Path) -> None:
    machine.run("queries", "--save", "cold", "redis")
    machine.run("queries", "--save", "warm", "kiln")

    assert (
        "Deleted the saved query 'cold'"
        in machine.run("queries", "--delete", "cold").err
    )
    assert kept(machine) == [("warm", "kiln")]
    assert machine.run("queries", "--delete", "cold").code == 1
    answer = machine.run("list", "memories", "--saved", "cold", "-s", samples)
    assert (answer.code, answer.out) == (2, "")
    assert "warm" in answer.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--save", "x", "titel:x"),
        ("--save", "x"),
        ("--save", " ", "redis"),
        ("--save", "two\nlines", "redis"),
        ("redis",),
        ("--save", "x", "--delete", "y"),
    ],
)
def test_an_invalid_query_is_not_saved(
    machine: Machine, arguments: tuple[str, ...]
) -> None:
    answer = machine.run("queries", *arguments)

    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert kept(machine) == []


def test_searches_are_remembered_newest_first_and_each_once(
    machine: Machine, samples: Path
) -> None:
    for query in ("redis", "kiln", "redis"):
        machine.run("search", query, "-s", samples)
    machine.run("search", "titel:x", "-s", samples)

    assert kept(machine) == [(None, "redis"), (None, "kiln")]


def test_a_session_that_is_read_only_saves_and_deletes_no_query(
    machine: Machine,
) -> None:
    machine.run("queries", "--save", "x", "redis")

    for words in (("--save", "y", "kiln"), ("--delete", "x")):
        assert machine.run("queries", *words, "--read-only").code == 4

    assert kept(machine) == [("x", "redis")]


def test_before_the_first_query_nothing_is_saved(machine: Machine) -> None:
    answer = machine.in_terminal("queries")

    assert answer.code == 0
    assert "No saved or recent queries" in answer.out


def test_a_damaged_history_is_reported_and_the_rest_is_shown(
    machine: Machine, samples: Path
) -> None:
    machine.run("search", "redis", "-s", samples)
    with (machine.state / "queries").open("ab") as file:
        file.write(b"{broken\n")
    answer = machine.run("queries", "--json")

    assert [row["query"] for row in answer.rows] == ["redis"]
    assert "could not be read" in answer.err


def test_without_a_writable_history_a_search_still_answers(
    new_machine: Machine, samples: Path
) -> None:
    for name in ("state", "cache", "config"):
        (new_machine.home / name).write_bytes(b"no folder")
    answer = new_machine.run("search", "redis", "-s", samples, "--json")
    saving = new_machine.run("queries", "--save", "cold", "redis")

    assert answer.code == 0
    assert answer.rows
    assert "Traceback" not in answer.err
    assert saving.code == 1
    about_settings, refusal = saving.err.splitlines()
    assert "config.toml" in about_settings
    assert "writing.lock" in refusal
