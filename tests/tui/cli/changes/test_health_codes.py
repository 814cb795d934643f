"""For scripts: the exit codes of `health`, and the notes of a change."""

import pytest

from store.findings import Severity
from tests.tui.cli.changes.stores import Desk
from tests.tui.cli.machine import Machine

LINK = "one-sided-link"


@pytest.mark.parametrize("severity", Severity)
def test_a_problem_of_a_severity_or_worse_is_exit_code_5(
    graph: Desk, severity: Severity
) -> None:
    rows = graph.rows("health")
    worst = list(Severity)[: list(Severity).index(severity) + 1]
    count = sum(row["severity"] in worst for row in rows)

    answer = graph.run("health", "--fail-on", severity, "--json")

    assert answer.rows == rows
    assert answer.code == (5 if count else 0)
    if count:
        assert f"{count} problem" in answer.err


def test_fixed_problems_do_not_count(graph: Desk) -> None:
    before = graph.contents()
    codes = sorted({row["code"] for row in graph.rows("health")})
    fixes = ("health", "--fail-on", "note", "--yes", "--fix", *codes)

    dry = graph.run(*fixes, "--dry-run")
    assert (dry.code, graph.contents()) == (5, before)
    assert graph.run(*fixes).code == 0
    assert graph.run("health", "--fail-on", "note").code == 0


def test_codes_may_be_joined_by_commas(graph: Desk) -> None:
    codes = sorted({row["code"] for row in graph.rows("health")})
    assert len(codes) > 1

    apart, joined = (
        graph.one("health", "--fix", *words, "--dry-run")
        for words in (codes, [",".join(codes)])
    )

    assert joined["action"] == apart["action"]
    assert len(joined["steps"]) == len(apart["steps"])


def test_an_unknown_severity_is_wrong_use(graph: Desk) -> None:
    answer = graph.run("health", "--fail-on", "warnings")

    assert (answer.code, answer.out) == (2, "")
    assert "'warnings'" in answer.err


def test_an_unknown_code_is_wrong_use_and_fixes_nothing(graph: Desk) -> None:
    before = graph.contents()

    answer = graph.run("health", "--fix", LINK, "stale-tilte")

    assert (answer.code, answer.out) == (2, "")
    assert "'stale-tilte'" in answer.err
    assert "'stale-title'" in answer.err
    assert graph.contents() == before


def test_a_code_without_problems_is_not_an_error(graph: Desk) -> None:
    """A script can fix the same codes repeatedly."""
    answer = graph.run("health", "--fix", "nul-tail")

    assert (answer.code, answer.out) == (0, "")
    assert "No problem has the code 'nul-tail'" in answer.err


def test_a_path_that_does_not_exist_is_an_error(machine: Machine) -> None:
    for words in (["/nonexistent"], ["./nope", "--json"], ["~/nowhere"]):
        answer = machine.run(*words)

        assert (answer.code, answer.out) == (1, "")
        assert words[0] in answer.err


def test_the_notes_of_a_fix_list_what_was_left_out(agents: Desk) -> None:
    lines = agents.store / "core_memories.jsonl"
    lines.write_bytes(lines.read_bytes() + b'{"id": "x", "conte\n')
    codes = {row["code"] for row in agents.rows("health") if row["fix"]}

    answer = agents.run("health", "--fix", *sorted(codes), "--json", "--yes")

    (change,) = answer.rows
    assert any("Skipped " in note for note in change["notes"])
    assert answer.err.splitlines() == [f"recollect: {one}" for one in change["notes"]]


def test_the_notes_of_a_change_contain_its_warnings(graph: Desk) -> None:
    memory = graph.memory("type:fix")

    answer = graph.run("new", "--title", memory["title"], "--type", "fix", "--json")

    (change,) = answer.rows
    assert any(memory["path"] in note for note in change["notes"])
    assert answer.err.splitlines() == [f"recollect: {one}" for one in change["notes"]]


def test_the_notes_name_matching_records_that_cannot_be_changed(
    graph: Desk,
) -> None:
    pinned = graph.memories("is:pinned")
    assert pinned

    answer = graph.run("archive", "--query", "redis|deploy", "--json", "--yes")

    found = {one["ref"] for one in graph.memories("is:pinned redis|deploy")}
    notes = " ".join(answer.rows[0]["notes"])
    assert found
    assert all(f"Skipped {ref}:" in notes for ref in found)
