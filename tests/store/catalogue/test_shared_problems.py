"""Very many problems of one kind share a row; each can be listed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.catalogue.checks import MOST
from store.formats.notes.format import FORMAT
from store.kinds.problems import Problem
from store.library import Page
from store.records.intents import Delete, Set
from store.search.parse import parse
from store.times import clock
from tests.store.catalogue.test_nearby import is_near
from tests.store.catalogue.whole import rows_of
from tests.store.formats.changed_stores import Changed
from tests.store.formats.notes_stores import note, write, write_untyped

MANY = MOST + 1


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    """Notes without a type: one more than are listed one by one."""
    root = tmp_path / ".claude/projects/-home-me-x/memory"
    write_untyped(root, MANY)
    with Changed(root, FORMAT, tmp_path / "own") as store:
        yield store


def listed(store: Changed, query: str) -> list[Problem]:
    tree = parse(query, ["problems"], is_finished=True).tree
    found = store.library.lists.page("problems", Page(), query=tree)
    return [one for one in found if isinstance(one, Problem)]


def found_memories(store: Changed, query: str) -> int:
    tree = parse(query, ["memories"], is_finished=True).tree
    return store.library.lists.count("memories", tree)


def typed(store: Changed, name: str) -> None:
    store.do(Set(name="type", value="user"), store.memory(name))


def test_a_problem_of_most_files_is_one_row(store: Changed) -> None:
    (shared,) = store.problems("no-type")

    assert (shared.count, shared.ref, shared.path) == (MANY, None, "note-0000.md")
    assert (
        shared.message
        == f"{MANY:,} like this: {listed(store, 'is:each code:no-type')[0].message}"
    )


def test_each_counted_problem_can_be_listed(store: Changed) -> None:
    each = listed(store, "is:each code:no-type")

    assert len(each) == MANY
    assert {one.count for one in each} == {1}
    assert [one.path for one in each] == sorted(f"note-{n:04d}.md" for n in range(MANY))
    (one,) = listed(store, "path:note-0500.md code:no-type")
    assert one.ref == store.memory("note-0500").ref
    assert one in listed(store, f"ref:{one.ref}")
    assert found_memories(store, "problems:no-type") == MANY
    assert store.memory("note-0500").problems == ("no-type",)


def test_counts_are_of_problems_and_not_of_rows(store: Changed) -> None:
    everything = MANY + len(store.problems()) - 1
    (report,) = store.library.lists.stores()

    assert store.library.sync().problems == report.problems == everything
    shares = {
        one.value: one.number for one in store.library.search.facets("problems")["code"]
    }
    assert shares["no-type"] == MANY


def test_below_the_limit_problems_are_listed_one_by_one(
    store: Changed, tmp_path: Path
) -> None:
    typed(store, "note-0000")

    assert is_near(tmp_path)
    assert len(store.problems("no-type")) == MOST
    store.undo()
    (shared,) = store.problems("no-type")
    assert (shared.count, shared.path) == (MANY, "note-0000.md")


def test_a_shared_row_follows_each_change(store: Changed, tmp_path: Path) -> None:
    header = "name: one\ndescription: One more\n"
    write(store.root / "zz-more.md", note(header))
    store.library.sync()

    typed(store, "note-0000")

    assert is_near(tmp_path)
    (shared,) = store.problems("no-type")
    assert (shared.count, shared.path) == (MANY, "note-0001.md")
    store.do(Delete(), store.memory("note-0001"))
    assert is_near(tmp_path)
    assert len(store.problems("no-type")) == MOST


@pytest.mark.parametrize("changes", [0, 1, 2])
def test_the_index_is_the_same_as_after_reading_everything(
    changes: int, store: Changed, tmp_path: Path
) -> None:
    for number in range(changes):
        typed(store, f"note-000{number}")
        assert is_near(tmp_path)

    with Changed(store.root, FORMAT, tmp_path / "fresh"):
        fresh = rows_of(tmp_path / "fresh/cache/catalogue.db")
    assert rows_of(tmp_path / "own/cache/catalogue.db") == fresh


def test_problems_listed_one_by_one_again_are_not_new(store: Changed) -> None:
    store.library.stores.look_since({str(store.root): clock()})
    assert listed(store, "is:new") == []

    typed(store, "note-0000")

    assert listed(store, "is:new") == []


def test_fixing_the_shared_row_fixes_each(store: Changed) -> None:
    write(store.root / "MEMORY.md", "# Memory\n")
    store.library.sync()
    assert [one.count for one in store.problems("unlisted-memory")] == [MANY]

    planned = store.fix("unlisted-memory")

    assert planned.count == MANY
    assert not store.problems("unlisted-memory")
    assert store.text("MEMORY.md").count("\n- [") == MANY
