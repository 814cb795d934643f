"""The plan of a change, shown before it is made."""

from pathlib import Path

import pytest

from store.edits.draft import Draft, FileStep, ForeignLock, ModeStep, RowStep, Step
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


def lines(*words: str) -> bytes:
    return "".join(f"{word}\n" for word in words).encode()


def test_a_moved_file_is_shown_as_git_shows_it() -> None:
    made = FileStep(path="b/new.md", before=None, after=lines("id", "x", "y", "new"))
    other = FileStep(path="c.md", before=None, after=lines("id", "z", "u", "v"))
    gone = FileStep(path="a.md", before=lines("id", "x", "y", "old"), after=None)
    plan = planned(made, other, gone).plan

    moved, created, removed = plan.steps
    assert moved.brief == (
        "rename from a.md\nrename to b/new.md\n--- a/a.md\n+++ b/b/new.md\n"
        "@@ -1,4 +1,4 @@\n id\n x\n y\n-old\n+new\n"
    )
    assert moved.diff.startswith("--- /dev/null\n+++ b/b/new.md\n")
    assert (created.brief, removed.brief) == (None, "")
    assert [step.amount for step in plan.steps] == [(1, 1), (4, 0), (0, 0)]


def test_a_file_that_only_moves_has_no_lines() -> None:
    same = lines("id", "x")
    made = FileStep(path="new.md", before=None, after=same)
    gone = FileStep(path="old.md", before=same, after=None)

    moved, _ = planned(made, gone).plan.steps

    assert moved.brief == "rename from old.md\nrename to new.md\n"


def test_each_of_many_files_is_moved_once() -> None:
    names = [f"{number}.md" for number in range(30)]
    texts = [lines("---", "type: fix", f"id: {name}", f"{name} text") for name in names]
    made = [
        FileStep(path=f"vault/{n}", before=None, after=t)
        for n, t in zip(names, texts, strict=True)
    ]
    gone = [
        FileStep(path=n, before=t, after=None)
        for n, t in zip(names, texts, strict=True)
    ]

    steps = planned(*made, *reversed(gone)).plan.steps

    assert [one.brief for one in steps[:30]] == [
        f"rename from {name}\nrename to vault/{name}\n" for name in names
    ]
    assert {one.brief for one in steps[30:]} == {""}


def test_a_new_mode_is_one_line() -> None:
    (step,) = planned(ModeStep(path="", before=0o755, after=0o700)).plan.steps

    assert step.brief == "mode 0755 → 0700  .\n"
    assert step.amount == (0, 0)


def test_a_file_that_moves_to_another_store_has_whole_paths() -> None:
    same = lines("id", "x")
    made = FileStep(path="a.md", before=None, after=same, root=THERE)
    gone = FileStep(path="a.md", before=same, after=None)

    moved, _ = planned(made, gone).plan.steps

    assert moved.brief == "rename from /here/a.md\nrename to /there/a.md\n"
