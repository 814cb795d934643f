"""Changes are written, read again, reported, and can be undone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from msgspec.structs import replace

from store.edits.conflict import ChangedOnDiskError
from store.errors import NothingFoundError, NotPossibleError, ReadOnlyError
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
        library.access.permit(store)
        yield library


def soil(library: Library) -> str:
    return plain.memory(library, "Soil").ref


def retyped(library: Library, word: str) -> str:
    """Change the type of a memory; returns the change's name."""
    return library.changes.apply(
        library.plans.plan(Set(name="type", value=word), [soil(library)])
    ).change


def titles(library: Library) -> set[str]:
    return {getattr(one, "title", "") for one in library.lists.page("memories", Page())}


def test_a_change_is_written_and_the_next_answer_includes_it(
    library: Library, store: Path
) -> None:
    planned = library.plans.plan(Set(name="type", value="earth"), [soil(library)])

    change = library.changes.apply(planned)

    assert (store / "soil").read_bytes() == b"Soil | earth | "
    assert plain.memory(library, "Soil").type == "earth"
    assert (change.refs, change.paths) == ((soil(library),), ("soil",))
    assert change.undo == f"recollect undo {change.change}"
    assert change.backup is not None
    assert Path(change.backup).is_dir()


def test_a_store_without_permission_is_not_changed(tmp_path: Path, store: Path) -> None:
    before = tree(store)
    with plain.opened(tmp_path, store) as library:
        planned = library.plans.plan(Set(name="type", value="earth"), [soil(library)])
        with pytest.raises(ReadOnlyError, match="is read-only"):
            library.changes.apply(planned)
        assert tree(store) == before
        library.changes.apply(planned, is_permitted=True)
        with pytest.raises(ReadOnlyError, match="is read-only"):
            library.changes.undo()
        library.changes.undo(is_permitted=True)
        with pytest.raises(ReadOnlyError, match="is read-only"):
            library.changes.redo()
    assert (store / "soil").read_bytes() == b"Soil | fact | "


def test_a_read_only_session_changes_nothing_whatever_is_permitted(
    tmp_path: Path, library: Library, store: Path
) -> None:
    before = tree(store)
    with plain.opened(tmp_path, store, is_forbidden=True) as looking:
        planned = looking.plans.plan(Set(name="type", value="earth"), [soil(library)])
        with pytest.raises(ReadOnlyError, match="session is read-only"):
            looking.changes.apply(planned, is_permitted=True)
    assert tree(store) == before


def test_setting_the_same_value_is_not_a_change(library: Library) -> None:
    planned = library.plans.plan(Set(name="type", value="fact"), [soil(library)])

    with pytest.raises(NotPossibleError, match=r"No changes\."):
        library.changes.apply(planned)
    assert library.journal.past() == []


def test_a_concurrent_change_is_never_overwritten(
    library: Library, store: Path
) -> None:
    planned = library.plans.plan(Set(name="type", value="earth"), [soil(library)])
    (store / "soil").write_bytes(b"Soil | of another | ")

    with pytest.raises(ChangedOnDiskError) as refused:
        library.changes.apply(planned)

    assert refused.value.exit_code == 3
    assert (store / "soil").read_bytes() == b"Soil | of another | "


def test_a_new_memory_is_named_by_its_new_ref(library: Library) -> None:
    change = library.changes.apply(library.plans.plan(Create(title="Rain barrel")))

    assert change.refs == (plain.memory(library, "Rain barrel").ref,)


def test_a_link_reports_its_ends_and_the_edge(library: Library) -> None:
    beans = plain.memory(library, "Water the beans").ref
    planned = library.plans.plan(Relate(type="link"), [soil(library), beans])

    change = library.changes.apply(planned)

    (edge,) = set(change.refs) - {soil(library), beans}
    assert edge.startswith("edge:")
    assert change.refs[:2] == (soil(library), beans)


def test_a_deletion_is_reported_with_the_old_ref(library: Library) -> None:
    ref = soil(library)

    change = library.changes.apply(library.plans.plan(Delete(), [ref]))

    assert change.refs == (ref,)
    assert "Soil" not in titles(library)
    assert library.changes.undo().refs == (ref,)
    assert soil(library) == ref


def test_undo_and_redo_go_back_and_forth_and_are_reported(
    library: Library, store: Path
) -> None:
    first, second = retyped(library, "earth"), retyped(library, "loam")

    back = library.changes.undo()
    assert (back.change, back.undo) == (second, "recollect redo")
    assert back.action.startswith("undo set ")
    assert (store / "soil").read_bytes() == b"Soil | earth | "
    assert [(p.change, p.undone) for p in library.journal.past()] == [
        (second, True),
        (first, False),
    ]

    forth = library.changes.redo()
    assert (forth.change, forth.undo) == (second, f"recollect undo {second}")
    assert plain.memory(library, "Soil").type == "loam"


def test_an_older_change_is_undone_by_its_name_or_a_prefix(
    library: Library, store: Path
) -> None:
    older = library.changes.apply(
        library.plans.plan(Rename(title="Earth"), [soil(library)])
    ).change
    beans = plain.memory(library, "Water the beans")
    library.changes.apply(library.plans.plan(Rename(title="Eat the beans"), [beans]))

    library.changes.undo(older[:-1])

    assert titles(library) >= {"Soil", "Eat the beans"}
    assert (store / "soil").read_bytes() == b"Soil | fact | "


def test_undo_survives_a_restart(tmp_path: Path, library: Library, store: Path) -> None:
    change = retyped(library, "earth")
    library.close()

    with plain.opened(tmp_path, store) as again:
        assert [past.change for past in again.journal.past()] == [change]
        again.changes.undo(change)

    assert (store / "soil").read_bytes() == b"Soil | fact | "


def test_a_record_changed_since_is_not_undone(library: Library, store: Path) -> None:
    change = retyped(library, "earth")
    (store / "soil").write_bytes(b"Soil | of another | ")

    with pytest.raises(ChangedOnDiskError):
        library.changes.undo(change)

    assert (store / "soil").read_bytes() == b"Soil | of another | "


def test_an_undo_can_be_previewed(library: Library, store: Path) -> None:
    change = retyped(library, "earth")

    planned = library.changes.undo_plan(change)

    (step,) = planned.plan.steps
    assert (step.before, step.after) == ("Soil | earth | ", "Soil | fact | ")
    assert planned.plan.action == "undo set “Soil”"
    assert (store / "soil").read_bytes() == b"Soil | earth | "


def test_a_memory_returns_to_any_of_its_backups(library: Library, store: Path) -> None:
    retyped(library, "earth")
    retyped(library, "loam")
    newest, oldest = library.history.backups(soil(library))
    assert (oldest.path, oldest.bytes) == ("soil", len(b"Soil | fact | "))
    assert Path(oldest.kept).read_bytes() == b"Soil | fact | "

    planned = library.history.plan_return(soil(library), oldest.backup[:12])
    assert planned.word == "return"
    library.changes.apply(planned)

    assert (store / "soil").read_bytes() == b"Soil | fact | "
    assert len(library.history.backups(soil(library))) == 3
    assert newest.change != oldest.change


@pytest.mark.parametrize("name", ["", "nonsense"])
def test_a_missing_backup_is_reported(library: Library, name: str) -> None:
    retyped(library, "earth")

    with pytest.raises(NothingFoundError, match=r"No single backup matches"):
        library.history.plan_return(soil(library), name)


def test_a_change_of_another_store_needs_permission_and_is_read_too(
    tmp_path: Path, store: Path
) -> None:
    other = plain.make(tmp_path / "kitchen", {"salt": "Salt | fact | "})
    with plain.opened(tmp_path, store, other) as library:
        library.access.permit(store)
        planned = library.plans.plan(Create(title="Pepper"), store=store)
        (step,) = planned.draft.steps
        draft = replace(planned.draft, steps=(replace(step, root=other),))
        planned = replace(planned, draft=draft)
        assert planned.roots == (store, other)
        (shown,) = planned.plan.steps
        assert shown.path == str(other / "pepper")
        with pytest.raises(ReadOnlyError, match="kitchen"):
            library.changes.apply(planned)

        library.access.permit(other)
        change = library.changes.apply(planned)

        assert plain.memory(library, "Pepper").store == str(other)
        assert change.refs == (plain.memory(library, "Pepper").ref,)
        library.changes.undo()
        assert "Pepper" not in titles(library)


def test_a_change_is_made_even_while_another_process_reads(
    library: Library, store: Path
) -> None:
    library.index.patience = 0
    planned = library.plans.plan(Set(name="type", value="earth"), [soil(library)])
    with FileLock(library.stores.path.with_name(f"{library.stores.path.name}.lock")):
        change = library.changes.apply(planned)

    assert change.refs == planned.refs
    assert (store / "soil").read_bytes() == b"Soil | earth | "
