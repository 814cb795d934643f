"""Ignored problems, listed and edited on the command line."""

from typing import Any

from tests.tui.cli.changes.stores import Desk


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows]


def test_one_problem_is_ignored_and_reported_again(graph: Desk) -> None:
    before = graph.rows("health")
    chosen, *others = ids(before)
    contents = graph.contents()

    done = graph.one("health", "--ignore", chosen)

    assert done["action"] == "ignore 1 problem"
    assert done["change"] is None
    assert ids(graph.rows("health")) == others
    assert [row["id"] for row in graph.rows("health", "--ignored")] == [chosen]
    assert graph.contents() == contents
    graph.machine.run(*done["undo"].split()[1:])
    assert graph.rows("health") == before
    assert graph.rows("health", "--ignored") == []


def test_a_list_says_that_some_are_ignored(graph: Desk) -> None:
    chosen, *_ = ids(graph.rows("health"))
    graph.run("health", "--ignore", chosen)

    answer = graph.run("health")

    assert "1 ignored problem not shown" in answer.err
    assert "--ignored" in answer.err
    assert chosen not in answer.out


def test_a_query_finds_ignored_problems(graph: Desk) -> None:
    before = graph.rows("list", "problems")
    graph.run("health", "--ignore", before[0]["id"])

    assert ids(graph.rows("list", "problems")) == ids(before)
    assert ids(graph.rows("list", "problems", "is:ignored")) == ids(before[:1])
    assert ids(graph.rows("list", "problems", "!is:ignored")) == ids(before[1:])


def test_a_unique_prefix_is_enough(graph: Desk) -> None:
    chosen, *others = ids(graph.rows("health"))

    graph.one("health", "--ignore", chosen[: len("problem:") + 8])
    assert ids(graph.rows("health")) == others

    refused = graph.run("health", "--ignore", "problem:")
    assert (refused.code, refused.out) == (1, "")
    assert ids(graph.rows("health")) == others


def test_show_takes_the_id_of_a_problem(graph: Desk) -> None:
    problem = next(row for row in graph.rows("health") if row["fix"])
    whole, short = problem["id"], problem["id"].partition(":")[2][:8]

    for name in (whole, short):
        shown = graph.run("show", name).out
        assert all(str(problem[key]) in shown for key in ("message", "path", "fix"))
        assert f"recollect health --ignore {whole}" in shown
        assert graph.one("show", name) == problem

    unknown = graph.run("show", "problem:0123456789ab")
    assert (unknown.code, unknown.out) == (1, "")
    assert unknown.err == "recollect: No problem matches 'problem:0123456789ab'.\n"
    assert "No record matches 'abcdef99'" in graph.run("show", "abcdef99").err


def test_a_record_means_all_of_its_problems(graph: Desk) -> None:
    before = graph.rows("health")
    ref = next(row["ref"] for row in before if row["ref"])

    graph.one("health", "--ignore", ref)

    left = [row["id"] for row in before if row["ref"] != ref]
    assert ids(graph.rows("health")) == left
    graph.one("health", "--unignore", ref)
    assert graph.rows("health") == before


def test_an_unknown_id_ignores_nothing(graph: Desk) -> None:
    chosen, *_ = ids(graph.rows("health"))

    answer = graph.run("health", "--ignore", chosen, "problem:nonsense")

    assert (answer.code, answer.out) == (1, "")
    assert "problem:nonsense" in answer.err
    assert graph.rows("health", "--ignored") == []


def test_a_dry_run_ignores_nothing(graph: Desk) -> None:
    chosen, *_ = ids(graph.rows("health"))

    plan = graph.one("health", "--ignore", chosen, "--dry-run")

    assert plan["action"] == "ignore 1 problem"
    assert graph.rows("health", "--ignored") == []


def test_ignored_problems_are_not_fixed_and_do_not_fail(graph: Desk) -> None:
    rows = graph.rows("health")
    codes = sorted({row["code"] for row in rows})
    graph.run("health", "--ignore", *ids(rows))
    before = graph.contents()

    assert graph.run("health", "--fail-on", "note").code == 0
    answer = graph.run("health", "--fix", *codes, "--yes")

    assert (answer.code, answer.out) == (0, "")
    assert "is ignored" in answer.err
    assert graph.contents() == before


def test_an_ignored_problem_is_reported_again_once_it_changes(graph: Desk) -> None:
    (row,) = (one for one in graph.rows("health") if one["code"] == "stale-title")
    graph.run("health", "--ignore", row["id"])
    assert "stale-title" not in {one["code"] for one in graph.rows("health")}
    edge = graph.store / row["path"]
    text = edge.read_text("utf-8")

    edge.write_text(text.replace('_title: "', '_title: "Another ', 1), "utf-8")

    assert "stale-title" in {one["code"] for one in graph.rows("health")}


def test_a_problem_is_found_by_its_id(graph: Desk) -> None:
    for row in graph.rows("health"):
        assert graph.rows("list", "problems", f"id:{row['id']}") == [row]
