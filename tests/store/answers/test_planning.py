"""What could be changed, and what that would do; nothing is written meanwhile."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.discover import Found
from store.edits.refusals import NotPossibleError, ReadOnlyError
from store.errors import NothingFoundError
from store.formats.sample import Folder, SampleFormat
from store.library import Library
from store.records.intents import Create, Pin, Relate, Rewrite, Set
from tests.store.answers import plain
from tests.store.catalogue.stores import Shelf
from tests.store.formats import transcripts_stores
from tests.store.formats.contract import tree


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return plain.make(tmp_path / "garden")


@pytest.fixture
def library(tmp_path: Path, store: Path) -> Iterator[Library]:
    with plain.opened(tmp_path, store) as library:
        yield library


def _soil(library: Library) -> str:
    return plain.memory(library, "Soil").ref


def test_a_plan_says_what_would_differ_and_writes_nothing(
    library: Library, store: Path
) -> None:
    before = tree(store)
    soil = plain.memory(library, "Soil")

    planned = library.plan(Set(name="type", value="earth"), [soil.ref])

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


def test_what_is_so_already_is_an_idle_plan_without_steps(library: Library) -> None:
    planned = library.plan(Set(name="type", value="fact"), [_soil(library)])

    assert planned.is_idle
    assert planned.plan.steps == ()


def test_records_may_be_named_or_handed_in(library: Library) -> None:
    beans, soil = (plain.memory(library, t) for t in ("Water the beans", "Soil"))

    by_name = library.plan(Relate(type="link"), [soil.ref, beans.ref])
    by_record = library.plan(Relate(type="link"), [soil, beans])

    assert by_name == by_record
    assert by_name.refs == (soil.ref, beans.ref)


def test_a_name_of_nothing_is_told(library: Library) -> None:
    with pytest.raises(NothingFoundError):
        library.plan(Pin(), ["memory:ffffffff"])


def test_what_a_format_cannot_do_is_told(library: Library) -> None:
    with pytest.raises(NotPossibleError, match="cannot do that"):
        library.plan(Pin(), [_soil(library)])


def test_without_a_record_the_one_store_that_can_is_meant(
    library: Library, store: Path
) -> None:
    planned = library.plan(Create(title="Rain barrel"))

    (step,) = planned.plan.steps
    assert (step.path, step.before) == ("rain-barrel", None)
    assert step.diff.startswith("--- /dev/null\n+++ b/rain-barrel\n")
    assert planned.root == store


def test_where_several_stores_can_one_has_to_be_named(
    tmp_path: Path, store: Path
) -> None:
    other = plain.make(tmp_path / "kitchen")
    with plain.opened(tmp_path, store, other) as library:
        with pytest.raises(NotPossibleError, match=f"{store}, {other}"):
            library.plan(Create(title="Salt"))
        assert library.plan(Create(title="Salt"), store=other).root == other
        with pytest.raises(NotPossibleError, match="none of the stores"):
            library.plan(Create(title="Salt"), store=tmp_path)


def test_records_of_two_stores_are_no_one_change(tmp_path: Path, store: Path) -> None:
    other = plain.make(tmp_path / "kitchen", {"salt": "Salt | fact | "})
    with plain.opened(tmp_path, store, other) as library:
        names = [plain.memory(library, title) for title in ("Soil", "Salt")]
        with pytest.raises(NotPossibleError, match="several stores"):
            library.plan(Set(name="type", value="x"), names)


def test_an_editor_is_given_the_page_and_gives_it_back(library: Library) -> None:
    form = library.form(_soil(library))
    assert (form.raw, form.suffix) == (b"Soil | fact | ", "")

    given = Rewrite(was=form.raw, raw=b"Loam | fact | ")
    (step,) = library.plan(given, [_soil(library)]).plan.steps

    assert step.after == "Loam | fact | "


def test_what_is_possible_comes_with_why_it_is_not(library: Library) -> None:
    rain = plain.memory(library, "Rain")

    assert library.possible(_soil(library))["rename"] == ""
    assert library.possible(rain)["rename"] == "A log is only ever added to."
    assert library.possible(None, library.chosen[0]) == {"new": ""}


def test_bytes_that_are_no_text_can_be_shown(library: Library, store: Path) -> None:
    (store / "soil").write_bytes(b"Soil | fact | ")
    form = library.form(_soil(library))
    given = Rewrite(was=form.raw, raw=b"Soil | \xff | \n")

    (step,) = library.plan(given, [_soil(library)]).plan.steps

    assert step.after == "Soil | \udcff | \n"


def test_a_library_that_only_looks_changes_nothing(tmp_path: Path, store: Path) -> None:
    with (
        plain.opened(tmp_path, store, is_forbidden=True) as library,
        pytest.raises(ReadOnlyError, match="read-only"),
    ):
        library.refuse_if_read_only(store)


def test_a_store_is_read_only_until_its_owner_allows_it(
    library: Library, store: Path
) -> None:
    assert not library.is_permitted(store)
    library.permit(store)
    assert library.is_permitted(store)
    library.permit(store, changes=False)
    assert not library.is_permitted(store)


def test_what_can_be_done_is_told_from_what_cannot(library: Library) -> None:
    soil, rain = (plain.memory(library, title) for title in ("Soil", "Rain"))

    able, others = library.sifted("rename", [soil, rain])

    assert able == [soil]
    assert others == [(rain, "A log is only ever added to.")]
    _, senseless = library.sifted("pin", [soil])
    assert senseless == [(soil, "That makes no sense for it.")]


def test_in_a_store_that_is_only_looked_at_nothing_can_be_done(
    tmp_path: Path,
) -> None:
    transcripts_stores.healthy(tmp_path / "projects")
    shelf = Shelf(tmp_path / "catalogue.db", tmp_path / "projects")
    shelf.sync()
    with shelf.opened() as library:
        talk = shelf.conversations()[0]
        assert not {"edit", "set", "delete"} & set(library.possible(talk))
        assert library.able("new") == []
        able, others = library.sifted("delete", [talk])
        assert able == []
        assert "only looked at" in others[0][1]
        with pytest.raises(ReadOnlyError, match="only looked at"):
            library.plan(Pin(), [talk])


def test_records_of_several_stores_are_planned_together(
    tmp_path: Path, store: Path
) -> None:
    other = plain.make(tmp_path / "kitchen", {"salt": "Salt | fact | "})
    with plain.opened(tmp_path, store, other) as library:
        records = [plain.memory(library, title) for title in ("Soil", "Salt")]

        (planned,) = library.plan_each(Set(name="type", value="x"), records)

        assert planned.roots == (store, other)
        assert planned.count == 2


def test_a_library_without_a_journal_plans_and_never_changes(
    tmp_path: Path, store: Path
) -> None:
    own = plain.places(tmp_path)
    with Library(own.catalogue, 7) as library:
        library.choose([Found(store, SampleFormat({store: Folder(store)}))])
        library.sync()

        planned = library.plan(Create(title="Rain barrel"))

        assert planned.plan.steps
        with pytest.raises(ReadOnlyError, match="session is read-only"):
            library.change(planned, is_permitted=True)
        assert library.changes() == []
        with pytest.raises(ReadOnlyError, match="only looks"):
            library.undo_plan()
