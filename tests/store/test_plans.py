"""The plan of a change, shown before it is made."""

from pathlib import Path

import pytest

from store.edits.draft import Draft, FileStep, ForeignLock, RowStep, Step
from store.edits.plan import Planned, together

HERE, THERE = Path("/here"), Path("/there")


BUSY = ForeignLock(path=".busy", age=60)


def planned(
    *steps: Step,
    root: Path = HERE,
    lock: str | None = None,
    foreign_locks: tuple[ForeignLock, ...] = (),
    count: int = 1,
) -> Planned:
    action = f"tag {count} memories"
    draft = Draft(action=action, steps=steps, lock=lock, foreign_locks=foreign_locks)
    refs = tuple(f"memory:{root.name}{number}" for number in range(count))
    return Planned(draft=draft, root=root, word="tag", refs=refs, count=count)


def changed(path: str = "a.md", before: bytes = b"a\n", after: bytes = b"b\n") -> Step:
    return FileStep(path=path, before=before, after=after)


def test_a_plan_shows_the_file_before_and_after_and_the_diff() -> None:
    plan = planned(changed()).plan

    (step,) = plan.steps
    assert plan.action == "tag 1 memories"
    assert (step.path, step.before, step.after) == ("a.md", "a\n", "b\n")
    assert step.diff.endswith("@@ -1 +1 @@\n-a\n+b\n")


def test_a_step_without_changes_is_not_shown() -> None:
    plan = planned(changed(), changed("b.md", b"x", b"x")).plan

    assert [step.path for step in plan.steps] == ["a.md"]


def test_a_created_or_deleted_file_is_shown_as_such() -> None:
    made = FileStep(path="new", before=None, after=b"a\n")
    gone = FileStep(path="old", before=b"a\n", after=None)

    first, second = planned(made, gone).plan.steps

    assert (first.before, second.after) == (None, None)
    assert first.diff.startswith("--- /dev/null\n+++ b/new\n")
    assert second.diff.startswith("--- a/old\n+++ /dev/null\n")


def test_a_row_is_shown_column_by_column() -> None:
    row = RowStep(
        path="anima.db",
        table="conversations",
        key={"id": 7},
        before={"status": "ready", "summary": None},
        after={"status": "queued", "summary": "Näh"},
    )

    (step,) = planned(row).plan.steps

    assert step.path == "anima.db:conversations"
    assert step.before == 'id: 7\nstatus: "ready"\nsummary: null\n'
    assert step.after == 'id: 7\nstatus: "queued"\nsummary: "Näh"\n'
    assert '-status: "ready"\n' in step.diff


@pytest.mark.parametrize(
    ("steps", "is_idle"),
    [((), True), ((changed("a", b"x", b"x"),), True), ((changed(),), False)],
)
def test_a_plan_without_changes_is_idle(steps: tuple[Step, ...], is_idle: bool) -> None:  # noqa: FBT001  # a case
    assert planned(*steps).is_idle is is_idle


def test_the_same_in_two_stores_is_one_change() -> None:
    (both,) = together(
        [planned(changed(), count=2), planned(changed(), root=THERE, count=3)]
    )

    assert both.draft.action == "tag 5 records in 2 stores"
    assert (both.root, both.roots, both.count) == (HERE, (HERE, THERE), 5)
    assert [step.path for step in both.plan.steps] == ["a.md", "/there/a.md"]
    diffs = [step.diff.splitlines()[:2] for step in both.plan.steps]
    assert diffs == [
        [f"--- a/{store}/a.md", f"+++ b/{store}/a.md"] for store in ("here", "there")
    ]
    assert len(both.refs) == 5


def test_a_step_into_a_third_store_stays_there() -> None:
    third = FileStep(path="c", before=None, after=b"", root=Path("/third"))

    (both,) = together([planned(changed()), planned(third, root=THERE)])

    assert both.roots == (HERE, Path("/third"))


def test_each_store_is_locked_in_its_own_way() -> None:
    own = planned(changed(), root=THERE, lock=".lock", foreign_locks=(BUSY,))

    (both,) = together([planned(changed()), own])

    assert (both.draft.lock, both.draft.locks) == (None, ((THERE, ".lock"),))
    assert both.draft.foreign_locks == (BUSY,)


def test_correct_records_are_left_out() -> None:
    same = planned(changed("a", b"x", b"x"), root=THERE)

    assert together([planned(changed()), same]) == [planned(changed()), same]


def test_databases_and_shared_files_are_changed_separately() -> None:
    row = planned(
        RowStep(path="x.db", table="t", key={}, before={}, after={"a": 1}), root=THERE
    )
    into = FileStep(path="a.md", before=b"", after=b"x", root=HERE)

    for other in (row, planned(into, root=THERE)):
        assert together([planned(changed()), other]) == [planned(changed()), other]


def test_one_change_or_none_is_left_unchanged() -> None:
    assert together([]) == []
    assert together([planned(changed())]) == [planned(changed())]
