"""The full check, the score of each day, safe fixes, and one file checked again."""

from tests.tui.cli.changes.stores import Desk

SECOND = "graph/fixes/second.md"


def test_the_full_check_adds_to_the_problems_until_files_change(graph: Desk) -> None:
    page = next(path for path in graph.store.glob("graph/fixes/*.md"))
    text = page.read_text()
    (graph.store / SECOND).write_text(text.replace("id: ", "id: 1", 1))

    def doubles(*options: str) -> int:
        rows = graph.rows("health", *options)
        return [row["code"] for row in rows].count("near-duplicate")

    before = doubles()
    found = doubles("--full")

    assert before == 0 < found == doubles()
    (graph.store / SECOND).unlink()
    assert doubles() == found - 1


def test_the_score_is_kept_day_by_day(graph: Desk) -> None:
    (first,) = graph.rows("health", "--score", "--now", "2026-03-01T12:00:00Z")
    days = graph.rows("health", "--score", "--now", "2026-03-05T12:00:00Z")

    assert set(first) == {"day", "score", "errors", "warnings", "notes"}
    assert 0 <= first["score"] < 100
    assert [row["day"] for row in days] == ["2026-03-01", "2026-03-05"]


def test_all_that_is_safe_is_fixed_at_once_and_undone(graph: Desk) -> None:
    before = graph.contents()
    assert any(row["fix"] for row in graph.rows("health"))

    graph.one("health", "--fix", "safe", "--yes")

    left = {row["code"] for row in graph.rows("health") if row["fix"]}
    assert left <= {"lost-link", "dangling-link"}
    graph.machine.run("undo", "--yes")
    assert graph.contents() == before


def test_one_problem_is_checked_again(graph: Desk) -> None:
    problem = next(row for row in graph.rows("health") if row["ref"])

    rows = graph.rows("health", "--recheck", problem["id"])

    assert problem["id"] in {row["id"] for row in rows}
    assert {row["path"] for row in rows} == {problem["path"]}
