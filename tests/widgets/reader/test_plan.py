"""A plan names each file once."""

from store.records.reports import Plan, Step
from tests.widgets.reader.texts import said
from widgets.page import plan_body


def step(path: str, before: str | None, after: str | None, diff: str) -> Step:
    return Step(path=path, before=before, after=after, diff=diff)


def test_the_changes_of_a_file_are_one_line() -> None:
    steps = (
        step("one.md", "a\nb\n", "a\n", "--- a\n+++ b\n-b\n"),
        step("two.md", None, "x\n", "+x\n"),
        step("one.md", "a\n", "c\n", "-a\n+c\n"),
    )
    told = said(plan_body(Plan(action="fix", steps=steps, warnings=())))

    assert "2 files will change" in told
    files = [line.split() for line in told if line.endswith((".md", "-2"))]
    assert files == [["edit", "one.md", "+1", "-2"], ["new", "two.md"]]


def test_a_new_mode_is_shown_as_such() -> None:
    steps = (
        step("memories/.", "mode 0755\n", "mode 0700\n", "-mode 0755\n+mode 0700\n"),
    )
    told = said(plan_body(Plan(action="fix", steps=steps, warnings=())))

    assert "  mode   memories/.  0755 → 0700" in told
