"""Events, metrics and agents of journals and ledgers."""

from pathlib import Path

import pytest

from tests.tui.cli import promises
from tests.tui.cli.kiln import make_journals, register
from tests.tui.cli.machine import Machine


@pytest.fixture
def store(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Path:
    register(monkeypatch)
    return make_journals(machine.home)


def cells(machine: Machine, store: Path, kind: str) -> list[list[str]]:
    """The output to a pipe."""
    out = machine.run("list", kind, "-s", store).out
    return [line.split("\t") for line in out.splitlines()]


@pytest.mark.parametrize("kind", promises.JOURNALS)
def test_lists_have_the_promised_fields_in_order(
    machine: Machine, store: Path, kind: str
) -> None:
    rows = machine.run("list", kind, "--json", "-s", store).rows

    assert {tuple(row) for row in rows} == {tuple(promises.JOURNALS[kind])}


def test_events_are_classed_for_people_or_as_the_kit_does(
    machine: Machine, store: Path
) -> None:
    command = ("list", "events", "--json", "-s", store)

    ours = machine.run(*command).rows
    theirs = machine.run(*command, "--as-kei").rows

    assert [list(row) for row in theirs] == [promises.EVENT] * len(theirs)
    assert {row["ref"] for row in theirs} <= {row["ref"] for row in ours}
    assert [row["event_class"] for row in ours] != [r["event_class"] for r in theirs]


def test_only_events_have_classes(machine: Machine) -> None:
    answer = machine.run("list", "measures", "--as-kei")

    assert (answer.code, answer.out) == (2, "")
    assert (
        answer.err == "recollect: --as-kei only applies to events, not to measures.\n"
    )
    assert not machine.cache.exists()


def test_an_event_that_went_wrong_is_marked(machine: Machine, store: Path) -> None:
    rows = machine.run("list", "events", "--json", "-s", store).rows

    marks = {row[0]: row[2] for row in cells(machine, store, "events")}

    assert marks == {row["ref"]: "✗" if row["is_error"] else "" for row in rows}
    assert "✗" in marks.values()


def test_a_task_shows_duration_evidence_and_amounts(
    machine: Machine, store: Path
) -> None:
    rows = cells(machine, store, "measures")

    told = {row[2]: row for row in rows if row[2] != "claim"}
    assert told["session"][4] == "3800.0"
    claims = {row[6]: row[7] for row in rows if row[2] == "claim"}
    assert claims == {
        "REAL ✓": '{"tests":12,"share":0.33333333}',
        "ESTIMATE-HTC ✗": "twice as fast",
    }


def test_a_task_in_full_has_the_other_fields_of_its_line(
    machine: Machine, store: Path
) -> None:
    for row in machine.run("list", "measures", "--json", "-s", store).rows:
        (whole,) = machine.run("show", row["ref"], "--json", "-s", store).rows
        assert list(whole) == promises.MEASURE_IN_FULL
        assert {name: whole[name] for name in row} == row


def test_an_agent_has_the_columns_of_its_ledger(machine: Machine, store: Path) -> None:
    rows = machine.run("list", "agents", "--json", "-s", store).rows

    assert [list(row)[:3] for row in rows] == [promises.AGENT] * 2
    assert {(row["id"], row["status"]) for row in rows} == {
        ("toolu_1", "done"),
        ("toolu_2", "running"),
    }
    for row in rows:
        assert machine.run("show", row["ref"], "--json", "-s", store).rows == [row]


def test_a_list_of_agents_shows_when_they_began(machine: Machine, store: Path) -> None:
    rows = {row[1]: row for row in cells(machine, store, "agents")}

    assert rows["toolu_1"][3] == "2023-11-14T22:13:20Z"
    assert rows["toolu_2"][4] == "agent/fix"
    assert rows["toolu_1"][7] == "110000"
