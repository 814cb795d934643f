"""What is changed is written, read, told, and can be taken back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from msgspec.structs import replace

from store.edits.refusals import (
    ChangedOnDiskError,
    NotPossibleError,
    ReadOnlyError,
)
from store.errors import NothingFoundError
from store.library import Library, Page
from store.records.intents import Create, Delete, Relate, Rename, Set
from tests.store.answers import plain
from tests.store.formats.contract import tree


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return plain.make(tmp_path / "garden")


@pytest.fixture
def library(tmp_path: Path, store: Path) -> Iterator[Library]:
    with plain.opened(tmp_path, store) as library:
        library.permit(store)
        yield library


def soil(library: Library) -> str:
    return plain.memory(library, "Soil").ref


def retyped(library: Library, word: str) -> str:
    """Change the type of a memory; the change's name."""
    return library.change(
        library.plan(Set(name="type", value=word), [soil(library)])
    ).change


def titles(library: Library) -> set[str]:
    return {getattr(one, "title", "") for one in library.page("memories", Page())}


def test_a_change_is_written_and_the_next_answer_knows_it(
    library: Library, store: Path
) -> None:
    planned = library.plan(Set(name="type", value="earth"), [soil(library)])

    change = library.change(planned)

    assert (store / "soil").read_bytes() == b"Soil | earth | "
    assert plain.memory(library, "Soil").type == "earth"
    assert (change.refs, change.paths) == ((soil(library),), ("soil",))
    assert change.undo == f"recollect undo {change.change}"
    assert change.backup is not None
    assert Path(change.backup).is_dir()


def test_a_store_that_nobody_allowed_to_be_changed_is_left_alone(
    tmp_path: Path, store: Path
) -> None:
    before = tree(store)
    with plain.opened(tmp_path, store) as library:
        planned = library.plan(Set(name="type", value="earth"), [soil(library)])
        with pytest.raises(ReadOnlyError, match="until you allow"):
            library.change(planned)
        assert tree(store) == before
        library.change(planned, is_permitted=True)
        with pytest.raises(ReadOnlyError, match="until you allow"):
            library.undo()
        library.undo(is_permitted=True)
        with pytest.raises(ReadOnlyError, match="until you allow"):
            library.redo()
    assert (store / "soil").read_bytes() == b"Soil | fact | "


def test_a_session_that_only_looks_changes_nothing_whatever_is_permitted(
    tmp_path: Path, library: Library, store: Path
) -> None:
    before = tree(store)
    with plain.opened(tmp_path, store, is_forbidden=True) as looking:
        planned = looking.plan(Set(name="type", value="earth"), [soil(library)])
        with pytest.raises(ReadOnlyError, match="session is read-only"):
            looking.change(planned, is_permitted=True)
    assert tree(store) == before


def test_what_is_so_already_is_no_change(library: Library) -> None:
    planned = library.plan(Set(name="type", value="fact"), [soil(library)])

    with pytest.raises(NotPossibleError, match="Nothing would differ"):
        library.change(planned)
    assert library.changes() == []


def test_what_was_written_meanwhile_is_never_overwritten(
    library: Library, store: Path
) -> None:
    planned = library.plan(Set(name="type", value="earth"), [soil(library)])
    (store / "soil").write_bytes(b"Soil | of another | ")

    with pytest.raises(ChangedOnDiskError) as refused:
        library.change(planned)

    assert refused.value.exit_code == 3
    assert (store / "soil").read_bytes() == b"Soil | of another | "


def test_a_new_memory_goes_by_its_new_ref(library: Library) -> None:
    change = library.change(library.plan(Create(title="Rain barrel")))

    assert change.refs == (plain.memory(library, "Rain barrel").ref,)


def test_a_link_tells_its_ends_and_the_edge(library: Library) -> None:
    beans = plain.memory(library, "Water the beans").ref
    planned = library.plan(Relate(type="link"), [soil(library), beans])

    change = library.change(planned)

    (edge,) = set(change.refs) - {soil(library), beans}
    assert edge.startswith("edge:")
    assert change.refs[:2] == (soil(library), beans)


def test_what_was_deleted_is_told_by_the_ref_that_it_had(library: Library) -> None:
    ref = soil(library)

    change = library.change(library.plan(Delete(), [ref]))

    assert change.refs == (ref,)
    assert "Soil" not in titles(library)
    assert library.undo().refs == (ref,)
    assert soil(library) == ref


def test_undo_and_redo_go_back_and_forth_and_are_told(
    library: Library, store: Path
) -> None:
    first, second = retyped(library, "earth"), retyped(library, "loam")

    back = library.undo()
    assert (back.change, back.undo) == (second, "recollect redo")
    assert back.action.startswith("undo set ")
    assert (store / "soil").read_bytes() == b"Soil | earth | "
    assert [(p.change, p.undone) for p in library.changes()] == [
        (second, True),
        (first, False),
    ]

    forth = library.redo()
    assert (forth.change, forth.undo) == (second, f"recollect undo {second}")
    assert plain.memory(library, "Soil").type == "loam"


def test_an_older_change_is_undone_by_its_name_or_a_beginning_of_it(
    library: Library, store: Path
) -> None:
    older = library.change(library.plan(Rename(title="Earth"), [soil(library)])).change
    beans = plain.memory(library, "Water the beans")
    library.change(library.plan(Rename(title="Eat the beans"), [beans]))

    library.undo(older[:-1])

    assert titles(library) >= {"Soil", "Eat the beans"}
    assert (store / "soil").read_bytes() == b"Soil | fact | "


def test_undo_survives_a_restart(tmp_path: Path, library: Library, store: Path) -> None:
    change = retyped(library, "earth")
    library.close()

    with plain.opened(tmp_path, store) as again:
        assert [past.change for past in again.changes()] == [change]
        again.undo(change)

    assert (store / "soil").read_bytes() == b"Soil | fact | "


def test_what_was_changed_since_is_not_undone(library: Library, store: Path) -> None:
    change = retyped(library, "earth")
    (store / "soil").write_bytes(b"Soil | of another | ")

    with pytest.raises(ChangedOnDiskError):
        library.undo(change)

    assert (store / "soil").read_bytes() == b"Soil | of another | "


def test_what_undo_would_do_can_be_looked_at(library: Library, store: Path) -> None:
    change = retyped(library, "earth")

    planned = library.undo_plan(change)

    (step,) = planned.plan.steps
    assert (step.before, step.after) == ("Soil | earth | ", "Soil | fact | ")
    assert planned.plan.action == "undo set “Soil”"
    assert (store / "soil").read_bytes() == b"Soil | earth | "


def test_a_memory_returns_to_any_backup_of_it(library: Library, store: Path) -> None:
    retyped(library, "earth")
    retyped(library, "loam")
    newest, oldest = library.backups(soil(library))
    assert (oldest.path, oldest.bytes) == ("soil", len(b"Soil | fact | "))
    assert Path(oldest.kept).read_bytes() == b"Soil | fact | "

    planned = library.plan_return(soil(library), oldest.backup[:12])
    assert planned.word == "return"
    library.change(planned)

    assert (store / "soil").read_bytes() == b"Soil | fact | "
    assert len(library.backups(soil(library))) == 3
    assert newest.change != oldest.change


@pytest.mark.parametrize("name", ["", "nonsense"])
def test_a_backup_that_is_not_there_is_told(library: Library, name: str) -> None:
    retyped(library, "earth")

    with pytest.raises(NothingFoundError, match="No one backup"):
        library.plan_return(soil(library), name)


def test_where_another_store_is_touched_it_is_asked_and_read_too(
    tmp_path: Path, store: Path
) -> None:
    other = plain.make(tmp_path / "kitchen", {"salt": "Salt | fact | "})
    with plain.opened(tmp_path, store, other) as library:
        library.permit(store)
        planned = library.plan(Create(title="Pepper"), store=store)
        (step,) = planned.draft.steps
        draft = replace(planned.draft, steps=(replace(step, root=other),))
        planned = replace(planned, draft=draft)
        assert planned.roots == (store, other)
        (shown,) = planned.plan.steps
        assert shown.path == str(other / "pepper")
        with pytest.raises(ReadOnlyError, match="kitchen"):
            library.change(planned)

        library.permit(other)
        change = library.change(planned)

        assert plain.memory(library, "Pepper").store == str(other)
        assert change.refs == (plain.memory(library, "Pepper").ref,)
        library.undo()
        assert "Pepper" not in titles(library)


def test_while_another_process_reads_a_change_is_made_all_the_same(
    library: Library, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.answers.changing._PATIENCE", 0)
    planned = library.plan(Set(name="type", value="earth"), [soil(library)])
    with FileLock(library.path.with_name(f"{library.path.name}.lock")):
        change = library.change(planned)

    assert change.refs == planned.refs
    assert (store / "soil").read_bytes() == b"Soil | earth | "
