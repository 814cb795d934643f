"""Derived files are updated if others allow it, and never prevent a change."""

import pytest

from store.edits.draft import FileStep, Remake
from store.errors import NotWrittenError, WriteProtectedError
from tests.store.edits.trial import FILES, Trial

INDEX = "_index.json"
STALE = f"{INDEX} could not be updated and is out of date. Another program {{}}"


def marked(raw: bytes | None) -> bytes:
    """Rebuilt from any state."""
    return (raw or b"") + b"ours\n"


def refused(_raw: bytes | None) -> None:
    """It cannot be rebuilt."""


def index_step(trial: Trial, remake: Remake) -> FileStep:
    return trial.step(INDEX, marked(trial.raw(INDEX)), remake)


def test_a_derived_file_written_meanwhile_is_rebuilt_from_that(trial: Trial) -> None:
    step = index_step(trial, marked)
    (trial.root / INDEX).write_bytes(b"theirs\n")

    applied = trial.apply(trial.step("a.md", b"new\n"), step)

    assert trial.raw(INDEX) == b"theirs\nours\n"
    assert applied.notes == ()
    trial.engine.undo()
    assert trial.raw(INDEX) == b"theirs\n"


def test_a_derived_file_that_cannot_be_rebuilt_is_reported(trial: Trial) -> None:
    step = index_step(trial, refused)
    (trial.root / INDEX).write_bytes(b"theirs\n")

    applied = trial.apply(trial.step("a.md", b"new\n"), step)

    assert trial.raw(INDEX) == b"theirs\n"
    assert trial.raw("a.md") == b"new\n"
    assert applied.notes == (STALE.format("has changed it."),)
    assert applied.paths == ("a.md",)
    assert trial.engine.past()[0].paths == ("a.md",)
    trial.engine.undo()
    assert (trial.raw("a.md"), trial.raw(INDEX)) == (FILES["a.md"], b"theirs\n")


def test_a_derived_file_that_keeps_changing_is_given_up(trial: Trial) -> None:
    step = index_step(trial, lambda raw: busy(trial, raw))

    (trial.root / INDEX).write_bytes(b"theirs\n")
    applied = trial.apply(trial.step("a.md", b"new\n"), step)

    assert applied.notes == (STALE.format("keeps changing it."),)
    assert trial.raw(INDEX) == b"theirs\n" + b"more\n" * 5
    assert sorted(path.name for path in trial.root.iterdir()) == [
        INDEX,
        "a.md",
        "b.md",
        "notes",
    ]


def busy(trial: Trial, raw: bytes | None) -> bytes:
    """While it is rebuilt, the other program writes again."""
    with (trial.root / INDEX).open("ab") as file:
        file.write(b"more\n")
    return marked(raw)


def test_undo_rebuilds_a_derived_file_written_since(trial: Trial) -> None:
    trial.apply(trial.step("a.md", b"new\n"), index_step(trial, marked))
    trial.apply(trial.step("b.md", b"new\n"), index_step(trial, marked))
    first = trial.engine.past()[1].change

    undone = trial.engine.undo(first, lambda _root, _path: lambda _raw: b"rebuilt\n")

    assert undone.notes == ()
    assert trial.raw(INDEX) == b"rebuilt\n"


def test_undo_reports_a_derived_file_that_it_cannot_rebuild(trial: Trial) -> None:
    trial.apply(trial.step("a.md", b"new\n"), index_step(trial, marked))
    trial.apply(trial.step("b.md", b"new\n"), index_step(trial, marked))
    first = trial.engine.past()[1].change

    undone = trial.engine.undo(first)

    assert undone.notes == (STALE.format("has changed it."),)
    assert trial.raw("a.md") == FILES["a.md"]


def test_a_missing_derived_file_is_created_and_removed_by_undo(trial: Trial) -> None:
    step = trial.step("derived/new.json", b"{}\n", marked)
    before = trial.tree()

    trial.apply(trial.step("a.md", b"new\n"), step)
    assert trial.raw("derived/new.json") == b"{}\n"

    trial.engine.undo()
    assert trial.tree() == before


def test_a_write_protected_derived_file_prevents_the_whole_change(
    trial: Trial,
) -> None:
    (trial.root / INDEX).chmod(0o444)
    before = trial.tree()

    with pytest.raises(WriteProtectedError, match="Nothing was written"):
        trial.apply(trial.step("a.md", b"new\n"), index_step(trial, marked))

    assert trial.tree() == before
    assert trial.engine.past() == []


def test_undo_of_a_change_does_not_need_its_derived_file(trial: Trial) -> None:
    trial.apply(trial.step("a.md", b"new\n"), index_step(trial, marked))
    (trial.root / INDEX).chmod(0o444)

    undone = trial.engine.undo()

    assert trial.raw("a.md") == FILES["a.md"]
    assert undone.paths == ("a.md",)
    (note,) = undone.notes
    assert "is out of date" in note
    assert "write-protected" in note


def test_a_change_of_a_derived_file_alone_is_refused_if_it_fails(trial: Trial) -> None:
    step = index_step(trial, refused)
    (trial.root / INDEX).write_bytes(b"theirs\n")
    before = trial.tree()

    with pytest.raises(NotWrittenError, match="Nothing was written"):
        trial.apply(step)

    assert trial.tree() == before
    assert trial.engine.past() == []
    assert all(one.is_good for one in trial.engine.verify())
