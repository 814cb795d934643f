"""Changes of several files: made completely, undone, and redone."""

import json
import os
import stat
from pathlib import Path

import pytest

from store.edits import journal
from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Draft, FileStep, ForeignLock, Marking
from store.errors import LockedError, NotPossibleError, NotWrittenError
from store.files import locks as lock_file
from tests.store.edits.trial import FILES, Trial, tree


def test_a_change_of_four_files_is_made_and_reported(trial: Trial) -> None:
    draft = trial.draft(
        trial.step("edges/e.md", b"edge\n"),
        trial.step("a.md", b"new a\n"),
        trial.step("b.md", None),
        trial.step("_index.json", b'{"count": 2}\n'),
    )

    applied = trial.engine.apply(trial.root, draft, ["m-1"])

    assert trial.raw("edges/e.md") == b"edge\n"
    assert trial.raw("a.md") == b"new a\n"
    assert trial.raw("b.md") is None
    assert trial.raw("_index.json") == b'{"count": 2}\n'
    assert applied.paths == ("edges/e.md", "a.md", "_index.json", "b.md")
    assert (applied.notes, applied.refs) == ((), ("m-1",))
    assert applied.backup == trial.changes / "blobs"


def test_undo_and_redo_restore_the_tree(trial: Trial) -> None:
    before = trial.tree()
    trial.apply(
        trial.step("deep/er/new.md", b"new\n"),
        trial.step("a.md", b"new a\n"),
        trial.step("notes/c.md", None),
    )
    after = trial.tree()

    trial.engine.undo()
    assert trial.tree() == before

    trial.engine.redo()
    assert trial.tree() == after

    trial.engine.undo()
    assert trial.tree() == before


def test_attributes_are_written_in_the_form_that_earlier_versions_read(
    trial: Trial,
) -> None:
    was = (trial.root / "a.md").stat()
    trial.apply(trial.step("a.md", b"new\n"))
    written = (trial.changes / "journal.jsonl").read_bytes()
    line = next(line for line in written.splitlines() if b'"begun"' in line)
    (deed,) = json.loads(line[line.index(b"{") :])["deeds"]

    assert deed["about"][:4] == [
        *(stat.S_IMODE(was.st_mode), was.st_uid, was.st_gid, was.st_mtime_ns)
    ]


def test_undo_restores_modification_times(trial: Trial) -> None:
    for number, path in enumerate(FILES):
        os.utime(trial.root / path, ns=(number, 10**18 + number))
    before = {path: (trial.root / path).stat().st_mtime_ns for path in FILES}
    trial.apply(trial.step("a.md", b"new\n"), trial.step("b.md", None))

    trial.engine.undo()

    assert before == {path: (trial.root / path).stat().st_mtime_ns for path in FILES}


def test_another_process_can_undo_the_change(trial: Trial) -> None:
    before = trial.tree()
    trial.apply(trial.step("a.md", b"new\n"))

    with Trial(trial.root, trial.places) as another:
        assert another.engine.recover() == []
        another.engine.undo()

    assert trial.tree() == before
    trial.engine.redo()
    assert trial.raw("a.md") == b"new\n"


def test_a_file_that_changed_since_is_not_written(trial: Trial) -> None:
    draft = trial.draft(trial.step("b.md", b"ours\n"), trial.step("a.md", b"ours\n"))
    (trial.root / "a.md").write_bytes(b"theirs\n")

    with pytest.raises(ChangedOnDiskError, match=r"'a\.md'") as caught:
        trial.engine.apply(trial.root, draft)

    assert trial.raw("a.md") == b"theirs\n"
    assert trial.raw("b.md") == FILES["b.md"]
    (conflict,) = caught.value.conflicts
    assert conflict.theirs == b"theirs\n"
    assert "+theirs" in conflict.diff


def test_a_step_without_changes_still_checks_its_file(
    trial: Trial,
) -> None:
    same = FileStep(path="b.md", before=b"other\n", after=b"other\n")

    with pytest.raises(ChangedOnDiskError, match=r"'b\.md'"):
        trial.apply(trial.step("a.md", b"ours\n"), same)


def test_undo_is_refused_if_a_file_changed_since(trial: Trial) -> None:
    trial.apply(trial.step("a.md", b"ours\n"), trial.step("b.md", b"b\n"))
    (trial.root / "a.md").write_bytes(b"theirs\n")

    with pytest.raises(
        ChangedOnDiskError,
        match=r"Another program has changed 'a\.md' in the meantime; nothing",
    ) as refused:
        trial.engine.undo()

    assert (trial.raw("a.md"), trial.raw("b.md")) == (b"theirs\n", b"b\n")
    (conflict,) = refused.value.conflicts
    assert (conflict.base, conflict.ours, conflict.theirs) == (
        b"ours\n",
        FILES["a.md"],
        b"theirs\n",
    )


def test_undo_names_the_later_change_that_builds_on_it(trial: Trial) -> None:
    first = trial.apply(trial.step("a.md", b"first\n"))
    later = trial.apply(trial.step("a.md", b"second\n"))
    last = trial.apply(trial.step("a.md", b"third\n"))

    for change in (last, later):
        with pytest.raises(
            ChangedOnDiskError, match=f"Undo that first: recollect undo {change.change}"
        ):
            trial.engine.undo(first.change)
        trial.engine.undo(change.change)
    trial.engine.undo(first.change)

    assert trial.raw("a.md") == FILES["a.md"]


def test_at_first_there_is_nothing_to_undo_or_redo(trial: Trial) -> None:
    with pytest.raises(NotPossibleError, match="nothing to undo"):
        trial.engine.undo()
    with pytest.raises(NotPossibleError, match="nothing to redo"):
        trial.engine.redo()
    assert trial.engine.recover() == []


def test_undo_and_redo_go_step_by_step(trial: Trial) -> None:
    for number in range(3):
        trial.apply(trial.step("a.md", b"%d\n" % number))
    seen: list[bytes | None] = []

    for act in (trial.engine.undo, trial.engine.undo, trial.engine.redo):
        act()
        seen.append(trial.raw("a.md"))
    trial.engine.undo()
    trial.apply(trial.step("b.md", b"another way\n"))

    assert seen == [b"1\n", b"0\n", b"1\n"]
    with pytest.raises(NotPossibleError, match="nothing to redo"):
        trial.engine.redo()


def test_any_change_can_be_undone_by_name_if_nothing_conflicts(trial: Trial) -> None:
    first = trial.apply(trial.step("a.md", b"a\n"))
    trial.apply(trial.step("b.md", b"b\n"))

    trial.engine.undo(first.change[:6])

    assert (trial.raw("a.md"), trial.raw("b.md")) == (FILES["a.md"], b"b\n")
    with pytest.raises(NotPossibleError, match="already"):
        trial.engine.undo(first.change)
    with pytest.raises(NotPossibleError, match="No change"):
        trial.engine.undo("nothing")


def test_the_history_lists_changes_and_undos(trial: Trial) -> None:
    for number in range(3):
        trial.apply(trial.step("a.md", b"%d\n" % number))
    trial.engine.undo()

    assert [past.undone for past in trial.engine.past()] == [True, False, False]
    assert {past.store for past in trial.engine.past()} == {str(trial.root)}
    kept = trial.engine.backups(trial.root, "a.md")
    raws = [trial.engine.blob(backup.backup) for backup in kept]
    assert raws == [b"2\n", b"1\n", b"0\n", FILES["a.md"]]
    assert Path(kept[-1].kept).read_bytes() == FILES["a.md"]


def test_an_undo_can_be_previewed(trial: Trial) -> None:
    before = trial.raw("a.md")
    trial.apply(trial.step("a.md", b"new\n"), trial.step("new.md", b"new\n"))

    root, draft = trial.engine.undo_draft()

    assert root == trial.root
    assert list(draft.steps) == [
        FileStep(path="a.md", before=b"new\n", after=before),
        FileStep(path="new.md", before=b"new\n", after=None),
    ]


def test_a_change_of_two_stores_is_one_change(trial: Trial, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    before = trial.tree()
    there = FileStep(path="in/a.md", before=None, after=FILES["a.md"], root=other)

    applied = trial.apply(there, trial.step("a.md", None), lock=".lock")

    assert applied.paths == (str(other / "in/a.md"), "a.md")
    assert trial.raw("a.md") is None
    assert (other / "in/a.md").read_bytes() == FILES["a.md"]
    trial.engine.undo()
    assert trial.tree() == before
    assert tree(other) == {}


@pytest.mark.parametrize("held", ["store", "other"])
def test_a_change_of_two_stores_needs_the_locks_of_both(
    trial: Trial, tmp_path: Path, held: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock_file, "PATIENCE", 0)
    other = tmp_path / "other"
    other.mkdir()
    there = FileStep(path="a.md", before=None, after=FILES["a.md"], root=other)
    place = trial.root if held == "store" else other
    lock = place / ".lock"
    lock.write_text(str(os.getppid()))
    before = trial.raw("a.md")

    with pytest.raises(LockedError):
        trial.apply(there, trial.step("a.md", None), lock=".lock")

    assert trial.raw("a.md") == before
    assert tree(other).keys() <= {".lock"}


def test_marks_are_set_with_a_change_and_reverted_by_undo(trial: Trial) -> None:
    mark = Marking(path="a.md", name="pinned", is_set=True, root=trial.root)
    draft = Draft(action="pin", steps=(), marks=(mark,))

    trial.engine.apply(trial.root, draft)
    assert trial.marks[-1] == mark
    _, back = trial.engine.undo_draft()
    assert back.marks == (mark.reversed,)
    trial.engine.undo()
    assert trial.marks[-1] == mark.reversed
    trial.engine.redo()
    assert trial.marks[-1] == mark


def test_a_copy_of_a_private_file_is_private(trial: Trial) -> None:
    (trial.root / "a.md").chmod(0o600)

    trial.apply(trial.step("copy.md", FILES["a.md"]), trial.step("a.md", None))

    assert (trial.root / "copy.md").stat().st_mode & 0o777 == 0o600


def test_another_kind_of_lock_prevents_a_change_while_it_counts(trial: Trial) -> None:
    lock = trial.root / ".busy"
    lock.touch()
    step = trial.step("a.md", b"new\n")
    draft = Draft(
        action="x", steps=(step,), foreign_locks=(ForeignLock(path=".busy", age=3600),)
    )

    with pytest.raises(LockedError, match=r"'\.busy'"):
        trial.engine.apply(trial.root, draft)
    os.utime(lock, (0, 0))
    trial.engine.apply(trial.root, draft)

    lock.touch()
    with pytest.raises(LockedError):
        trial.engine.undo()
    assert trial.raw("a.md") == b"new\n"


def test_only_one_process_makes_changes_at_a_time(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "PATIENCE", 0)
    trial.apply(trial.step("a.md", b"first\n"))

    with journal.ChangeFolder(trial.changes).turn(), pytest.raises(LockedError):
        trial.apply(trial.step("a.md", b"second\n"))

    assert trial.raw("a.md") == b"first\n"


def test_an_empty_change_is_not_recorded(trial: Trial) -> None:
    with pytest.raises(NotPossibleError, match=r"No changes\."):
        trial.apply(trial.step("a.md", FILES["a.md"]))


def test_two_steps_for_one_file_are_refused(trial: Trial) -> None:
    with pytest.raises(NotPossibleError, match="twice"):
        trial.apply(trial.step("a.md", b"1\n"), trial.step("a.md", b"2\n"))


def test_nothing_is_written_if_no_backup_can_be_made(trial: Trial) -> None:
    trial.places.state.parent.mkdir(exist_ok=True)
    trial.places.state.write_bytes(b"a file where the folder should be")

    with pytest.raises(NotWrittenError):
        trial.apply(trial.step("a.md", b"new\n"))

    assert trial.raw("a.md") == FILES["a.md"]


def test_appended_lines_are_undone_even_while_the_file_is_being_read(
    trial: Trial,
) -> None:
    lines = trial.root / "lines.jsonl"
    lines.write_bytes(b"{}\n")
    (trial.root / "a.md").chmod(0o444)
    before = trial.tree()

    with lines.open("rb"), pytest.raises(NotWrittenError, match="Nothing was written"):
        trial.apply(trial.adding("lines.jsonl", b"{}"), trial.step("a.md", b"new\n"))

    assert trial.tree() == before
    assert trial.engine.recover() == []


def test_lines_appended_again_leave_the_file_as_old_as_it_was_then(
    trial: Trial,
) -> None:
    trial.apply(trial.adding("a.md", b"first"))
    trial.engine.undo()
    os.utime(trial.root / "a.md", ns=(0, 10**18))
    trial.engine.redo()

    trial.engine.undo()

    assert (trial.root / "a.md").stat().st_mtime_ns == 10**18


def test_backups_are_private(trial: Trial) -> None:
    umask = os.umask(0)
    try:
        trial.apply(trial.step("a.md", b"new\n"), trial.step("new/n.md", b"n\n"))
        trial.engine.unsaved.keep("a", b"text")
    finally:
        os.umask(umask)

    for path in trial.changes.rglob("*"):
        if path.parent.name != "limbo":
            assert path.stat().st_mode & 0o077 == 0, path
