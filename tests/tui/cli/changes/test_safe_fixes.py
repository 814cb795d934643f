"""`health --fix safe` deletes nothing, and each row of a plan says what is done."""

from tests.tui.cli.changes.stores import Desk

TORN = b'{"id": "x", "conte\n'


def test_what_deletes_a_text_is_not_safe(agents: Desk, graph: Desk) -> None:
    for desk, code in ((agents, "duplicate-id"), (graph, "dangling-link")):
        desk.one("health", "--fix", "safe")

        left = [row["code"] for row in desk.rows("health") if row["fix"]]
        assert left == [code]

    plan = agents.one("health", "--fix", "duplicate-id", "--dry-run")
    (warning,) = plan["warnings"]
    assert warning == (
        "Removes line 1 of learnings.jsonl; line 9 has another text and stays."
    )
    plan = graph.one("health", "--fix", "dangling-link", "--dry-run")
    assert "The dashboard that went with Celery" in plan["warnings"][0]


def test_each_row_says_what_its_fix_does_and_the_rest_is_counted(graph: Desk) -> None:
    answer = graph.run("health", "--fix", "safe", "--dry-run")

    rows = [row[12:] for row in answer.out.splitlines() if row.startswith("  ")]
    assert any(row.startswith("update title: Outdated title in ") for row in rows)
    assert any(row.startswith("link back: One-way ") for row in rows)


def test_one_problem_is_fixed_by_its_id(graph: Desk) -> None:
    first, second, *_ = (
        row for row in graph.rows("health") if row["code"] == "index-drift"
    )

    plan = graph.one("health", "--fix", first["id"].partition(":")[2][:8], "--dry-run")

    assert plan["count"] == 1
    assert first["id"] != second["id"]
    assert graph.run("health", "--fix", "0000000").code == 2


def test_a_damaged_line_without_a_copy_is_not_offered_a_fix(agents: Desk) -> None:
    with (agents.store / "learnings.jsonl").open("ab") as file:
        file.write(TORN)

    (problem,) = (
        row
        for row in agents.rows("health")
        if row["code"] == "damaged-line" and not row["fix"]
    )
    answer = agents.run("health", "--fix", "damaged-line")

    assert problem["line"] == 11
    assert answer.err.count(":11: Line 11 of learnings.jsonl is damaged") == 1
