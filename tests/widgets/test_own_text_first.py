"""The diff of a plan shows what the user changed, then what is set by itself."""

from store.records.reports import Plan, Step
from widgets.page import diff_body
from widgets.text import Look, plain

DATE = "@@ -1,3 +1,3 @@\n type: fix\n-updated: 2026\n+updated: 2027\n"
TEXT = "@@ -9 +9 @@\n-the kiln cools slowly\n+the kiln cools at night, its door shut\n"


def shown(diff: str) -> list[str]:
    step = Step(path="kiln.md", before="", after="", diff=f"--- a\n+++ b\n{diff}")
    plan = Plan(action="edit", steps=(step,), warnings=())
    return [plain(line.runs).rstrip() for line in diff_body(plan).lines(Look(30))]


def test_a_date_set_by_itself_is_one_line_after_the_text() -> None:
    assert shown(DATE + TEXT) == [
        "kiln.md",
        "@@ -9 +9 @@",
        "- the kiln cools slowly",
        "+ the kiln cools at night, its",
        "  door shut",
        "also sets the date in updated",
    ]


def test_a_date_alone_is_shown() -> None:
    assert "+ updated: 2027" in shown(DATE)
