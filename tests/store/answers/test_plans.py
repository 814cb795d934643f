"""Possible changes and their plans; planning writes nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.discover import Found
from store.errors import NothingFoundError, NotPossibleError, ReadOnlyError
from store.library import Library
from store.records.intents import Create, Pin, Relate, Rewrite, Set
from tests.store.answers import plain
from tests.store.catalogue.stores import Shelf
from tests.store.formats import transcripts_stores
from tests.store.formats.contract import tree
from tests.store.formats.sample import Folder, SampleFormat


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return plain.make(tmp_path / "garden")


@pytest.fixture
def library(tmp_path: Path, store: Path) -> Iterator[Library]:
    with plain.opened(tmp_path, store) as library:
        yield library


def _soil(library: Library) -> str:
    return plain.memory(library, "Soil").ref


def test_a_plan_shows_the_changes_and_writes_nothing(
    library: Library, store: Path
) -> None:
    before = tree(store)
    soil = plain.memory(library, "Soil")

    planned = library.plans.plan(Set(name="type", value="earth"), [soil.ref])

    (step,) = planned.plan.steps
    assert (step.path, step.before, step.after) == (
        "soil",
        "Soil | fact | ",
        "Soil | earth | ",
    )
    assert "-Soil | fact | \n" in step.diff
    assert "+Soil | earth | \n" in step.diff
    assert (planned.refs, planned.root, planned.word) == ((soil.ref,), store, "set")
    assert tree(store) == before


def test_a_plan_without_changes_is_idle_and_has_no_steps(library: Library) -> None:
    planned = library.plans.plan(Set(name="type", value="fact"), [_soil(library)])

    assert planned.is_idle
    assert planned.plan.steps == ()


def test_records_may_be_given_by_name_or_as_objects(library: Library) -> None:
    beans, soil = (plain.memory(library, t) for t in ("Water the beans", "Soil"))

    by_name = library.plans.plan(Relate(type="link"), [soil.ref, beans.ref])
    by_record = library.plans.plan(Relate(type="link"), [soil, beans])

    assert by_name == by_record
    assert by_name.refs == (soil.ref, beans.ref)


def test_an_unknown_name_is_reported(library: Library) -> None:
    with pytest.raises(NothingFoundError):
        library.plans.plan(Pin(), ["memory:ffffffff"])


def test_an_unsupported_change_is_reported(library: Library) -> None:
    with pytest.raises(
        NotPossibleError, match=r"`pin` isn't available for sample stores\."
    ):
        library.plans.plan(Pin(), [_soil(library)])


def test_without_a_record_the_only_possible_store_is_used(
    library: Library, store: Path
) -> None:
    planned = library.plans.plan(Create(title="Rain barrel"))

    (step,) = planned.plan.steps
    assert (step.path, step.before) == ("rain-barrel", None)
    assert step.diff.startswith("--- /dev/null\n+++ b/rain-barrel\n")
    assert planned.root == store


def test_if_several_stores_are_possible_one_must_be_named(
    tmp_path: Path, store: Path
) -> None:
    other = plain.make(tmp_path / "kitchen")
    with plain.opened(tmp_path, store, other) as library:
        with pytest.raises(
            NotPossibleError, match=rf"garden +{store}\n +kitchen +{other}"
        ):
            library.plans.plan(Create(title="Salt"))
        assert library.plans.plan(Create(title="Salt"), store=other).root == other
        with pytest.raises(NotPossibleError, match="isn't one of the open stores"):
            library.plans.plan(Create(title="Salt"), store=tmp_path)


def test_records_of_two_stores_are_not_one_change(tmp_path: Path, store: Path) -> None:
    other = plain.make(tmp_path / "kitchen", {"salt": "Salt | fact | "})
    with plain.opened(tmp_path, store, other) as library:
        names = [plain.memory(library, title) for title in ("Soil", "Salt")]
        with pytest.raises(
            NotPossibleError, match="Records must be in one store, not in"
        ):
            library.plans.plan(Set(name="type", value="x"), names)


def test_an_editor_gets_the_page_and_returns_it(library: Library) -> None:
    form = library.plans.form(_soil(library))
    assert (form.raw, form.suffix) == (b"Soil | fact | ", "")

    given = Rewrite(was=form.raw, raw=b"Loam | fact | ")
    (step,) = library.plans.plan(given, [_soil(library)]).plan.steps

    assert step.after == "Loam | fact | "


def test_impossible_changes_come_with_their_reason(library: Library) -> None:
    rain = plain.memory(library, "Rain")

    assert library.plans.possible(_soil(library))["rename"] == ""
    assert library.plans.possible(rain)["rename"] == "Logs are append-only."
    assert library.plans.possible(None, library.stores.chosen[0]) == {"new": ""}


def test_bytes_that_are_not_text_can_be_shown(library: Library, store: Path) -> None:
    (store / "soil").write_bytes(b"Soil | fact | ")
    form = library.plans.form(_soil(library))
    given = Rewrite(was=form.raw, raw=b"Soil | \xff | \n")

    (step,) = library.plans.plan(given, [_soil(library)]).plan.steps

    assert step.after == "Soil | \udcff | \n"


def test_a_read_only_library_changes_nothing(tmp_path: Path, store: Path) -> None:
    with (
        plain.opened(tmp_path, store, is_forbidden=True) as library,
        pytest.raises(ReadOnlyError, match="read-only"),
    ):
        library.access.require_writable(store)


def test_a_store_is_read_only_until_its_owner_allows_edits(
    library: Library, store: Path
) -> None:
    assert not library.access.is_permitted(store)
    library.access.permit(store)
    assert library.access.is_permitted(store)
    library.access.permit(store, changes=False)
    assert not library.access.is_permitted(store)


def test_possible_changes_differ_from_impossible_ones(library: Library) -> None:
    soil, rain = (plain.memory(library, title) for title in ("Soil", "Rain"))

    able, others = library.plans.sifted("rename", [soil, rain])

    assert able == [soil]
    assert others == [(rain, "Logs are append-only.")]
    _, senseless = library.plans.sifted("pin", [soil])
    assert senseless == [(soil, "Can't pin records of the format sample.")]


def test_in_a_read_only_store_nothing_is_possible(
    tmp_path: Path,
) -> None:
    transcripts_stores.healthy(tmp_path / "projects")
    shelf = Shelf(tmp_path / "catalogue.db", tmp_path / "projects")
    shelf.sync()
    with shelf.opened() as library:
        talk = shelf.conversations()[0]
        assert not {"edit", "set", "delete"} & set(library.plans.possible(talk))
        assert library.plans.able("new") == []
        able, others = library.plans.sifted("delete", [talk])
        assert able == []
        assert "is read-only" in others[0][1]
        with pytest.raises(ReadOnlyError, match="is read-only"):
            library.plans.plan(Pin(), [talk])


def test_records_of_several_stores_are_planned_together(
    tmp_path: Path, store: Path
) -> None:
    other = plain.make(tmp_path / "kitchen", {"salt": "Salt | fact | "})
    with plain.opened(tmp_path, store, other) as library:
        records = [plain.memory(library, title) for title in ("Soil", "Salt")]

        (planned,) = library.plans.plan_each(Set(name="type", value="x"), records)

        assert planned.roots == (store, other)
        assert planned.count == 2


def test_a_library_without_a_journal_plans_and_never_changes(
    tmp_path: Path, store: Path
) -> None:
    own = plain.places(tmp_path)
    with Library(own.catalogue, 7) as library:
        library.stores.choose([Found(store, SampleFormat({store: Folder(store)}))])
        library.sync()

        planned = library.plans.plan(Create(title="Rain barrel"))

        assert planned.plan.steps
        with pytest.raises(ReadOnlyError, match="session is read-only"):
            library.changes.apply(planned, is_permitted=True)
        assert library.journal.past() == []
        with pytest.raises(ReadOnlyError, match=r"This session is read-only\."):
            library.changes.undo_plan()
