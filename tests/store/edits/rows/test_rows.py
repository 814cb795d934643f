"""Changes of rows: only expected values, all or none, and undone exactly."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.edits import rows as writing
from store.edits.conflict import ChangedOnDiskError
from store.errors import LockedError, NotPossibleError, NotWrittenError, UnreadableError
from tests.examples import examples
from tests.store.edits.rows.databases import Columns, make, rows, run, step
from tests.store.edits.trial import Trial

TRIGGER = (
    "CREATE TRIGGER told AFTER UPDATE ON memories "
    "BEGIN INSERT INTO tags VALUES (new.id, 'changed'); END"
)


@pytest.fixture(params=[False, True], ids=["journal", "log"])
def database(request: pytest.FixtureRequest, trial: Trial) -> Path:
    return make(trial.root / "memory.db", logged=request.param)


def test_rows_are_changed_inserted_and_deleted_along_with_a_file(
    trial: Trial, database: Path
) -> None:
    first, before = rows(database), trial.tree()
    trial.apply(
        step("m9", None, {"title": "ninth"}),
        step("m1", {"title": "first"}, {"title": "premier", "weight": None}),
        step("m3", {"title": "third"}, None),
        trial.step("a.md", b"told\n"),
    )
    titles = [row[2] for row in rows(database)]
    assert titles == ["premier", "second", "ninth"]

    trial.engine.undo()
    assert rows(database) == first
    assert trial.tree() == before

    trial.engine.redo()
    assert [row[2] for row in rows(database)] == titles


def test_a_row_changed_meanwhile_cancels_the_whole_change(
    trial: Trial, database: Path
) -> None:
    run(database, "UPDATE memories SET title = 'theirs' WHERE id = 'm2'")
    before = rows(database)

    with pytest.raises(ChangedOnDiskError) as caught:
        trial.apply(
            trial.step("a.md", b"ours\n"),
            step("m1", {"title": "first"}, {"title": "ours"}),
            step("m2", {"title": "second"}, {"title": "ours"}),
        )

    assert rows(database) == before
    assert trial.raw("a.md") != b"ours\n"
    (conflict,) = caught.value.conflicts
    assert conflict.path == "memory.db:memories"
    assert b"theirs" in (conflict.theirs or b"")
    assert "+" in conflict.diff


@pytest.mark.parametrize(
    ("key", "before", "after"),
    [
        ("m1", None, {"title": "there is one"}),
        ("m8", {"title": "there is none"}, {"title": "x"}),
        ("m8", {"title": "there is none"}, None),
        ("m1", {"title": "first", "weight": 0.25}, {"weight": 1.0}),
    ],
)
def test_a_row_with_unexpected_values_is_a_conflict(
    trial: Trial,
    database: Path,
    key: str,
    before: Columns | None,
    after: Columns | None,
) -> None:
    first = rows(database)

    with pytest.raises(ChangedOnDiskError):
        trial.apply(step(key, before, after))

    assert rows(database) == first


def test_undo_is_refused_if_a_row_changed_since(trial: Trial, database: Path) -> None:
    trial.apply(step("m1", {"title": "first"}, {"title": "ours"}))
    run(database, "UPDATE memories SET title = 'theirs' WHERE id = 'm1'")

    with pytest.raises(ChangedOnDiskError):
        trial.engine.undo()

    assert rows(database)[0][2] == "theirs"


def test_a_trigger_is_run_only_if_the_format_knows_it(
    trial: Trial, database: Path
) -> None:
    run(database, TRIGGER)
    change: tuple[str, Columns, Columns] = ("m1", {"title": "first"}, {"title": "ours"})

    with pytest.raises(NotPossibleError, match="triggers"):
        trial.apply(step(*change))
    trial.apply(step(*change, triggers=(TRIGGER.replace(" ", "  "),)))

    assert run(database, "SELECT count(*) FROM tags") == [(2,)]


def test_a_change_that_would_affect_other_rows_is_not_made(
    trial: Trial, database: Path
) -> None:
    before = rows(database)

    with pytest.raises(NotPossibleError, match="other rows"):
        trial.apply(step("m2", {"title": "second"}, None))

    assert rows(database) == before
    assert run(database, "SELECT * FROM tags") == [("m2", "kept")]


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ({"title": None}, "NOT NULL"),
        ({"nowhere": 1}, "no column 'nowhere'"),
        ({"long": "x"}, r"'memory\.db': 'memories' does not store the computed column"),
        (
            {"weight": 2**60 + 1},
            r"'memory\.db': 'memories' stored a different value than the",
        ),
        ({"title": ["a"]}, r"Invalid value for the column 'title'\."),
    ],
)
def test_a_constraint_violation_is_reported(
    trial: Trial, database: Path, after: Columns, said: str
) -> None:
    before = rows(database)

    with pytest.raises((NotPossibleError, UnreadableError), match=said):
        trial.apply(step("m1", {"title": "first"}, after))

    assert rows(database) == before


def test_a_locked_database_is_left_alone(
    trial: Trial, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "PATIENCE", 0)
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LockedError):
            trial.apply(step("m1", {"title": "first"}, {"title": "ours"}))
        other.execute("ROLLBACK")

    trial.apply(step("m1", {"title": "first"}, {"title": "ours"}))


def test_the_database_is_copied_once_before_the_first_write(
    trial: Trial, database: Path
) -> None:
    trial.apply(step("m1", {"title": "first"}, {"title": "ours"}))
    trial.apply(step("m1", {"title": "ours"}, {"title": "ours again"}))

    (copy,) = (trial.changes / "databases").iterdir()
    assert rows(copy)[0][2] == "first"
    assert copy.stat().st_mode & 0o777 == 0o600
    mode = run(database, "PRAGMA journal_mode")
    assert mode in ([("wal",)], [("delete",)])


def test_a_damaged_database_is_not_written(trial: Trial) -> None:
    path = make(trial.root / "memory.db")
    run(path, "CREATE INDEX by_title ON memories (title)")
    raw = bytearray(path.read_bytes())
    raw[-4096:-4000] = b"\xff" * 96
    path.write_bytes(raw)

    with pytest.raises((NotPossibleError, NotWrittenError)):
        trial.apply(step("m1", {"title": "first"}, {"weight": 2.0}))

    assert path.read_bytes() == raw
    assert list((trial.changes / "databases").iterdir()) == []


def test_only_the_last_copies_are_kept(trial: Trial) -> None:
    make(trial.root / "memory.db")
    for number in range(4):
        with Trial(trial.root, trial.places) as another:
            another.now = trial.now = trial.now + 1_000_000
            another.apply(step("m1", {"title": "first"}, {"weight": number}))

    assert len(list((trial.changes / "databases").iterdir())) == 2


def test_a_file_that_is_not_a_database_is_not_written(trial: Trial) -> None:
    (trial.root / "memory.db").write_bytes(b"what is this, no database at all\n" * 9)

    with pytest.raises(
        UnreadableError,
        match=r"'memory\.db' isn't a SQLite database, or is encrypted\.",
    ):
        trial.apply(step("m1", None, {"title": "first"}))


@examples(15, keeps_fixtures=True)
@given(
    st.dictionaries(
        st.sampled_from(["title", "weight", "seen"]),
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
        min_size=1,
    )
)
def test_any_text_is_written_and_undone(trial: Trial, after: dict[str, str]) -> None:
    path = trial.root / "memory.db"
    path.unlink(missing_ok=True)
    make(path)
    run(path, "DROP TABLE memories")
    run(path, "CREATE TABLE memories (id TEXT, title, weight, seen)")
    run(path, "INSERT INTO memories VALUES ('m1', 'first', x'00', 2.5)")
    first = rows(path)

    trial.apply(step("m1", {"title": "first", "seen": 2.5}, dict(after)))
    written = dict(
        zip(["id", "title", "weight", "seen"], rows(path)[0][1:], strict=True)
    )
    trial.engine.undo()

    assert {name: written[name] for name in after} == after
    assert rows(path) == first
