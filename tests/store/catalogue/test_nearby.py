"""A change is read alone with its neighbours; the catalogue stays complete."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.catalogue.sources import SETTLED
from store.kinds import KINDS
from store.library import Page
from store.records.intents import (
    Append,
    Create,
    Delete,
    Intent,
    Merge,
    Pin,
    Rebuild,
    Relate,
    Rename,
    Retag,
    Rewrite,
    Set,
)
from store.search.parse import parse
from tests.store.formats.changed_stores import Changed
from tests.store.formats.cognitive_changes import OTHER, TITLE, opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path) as store:
        (store.root / "_index.json").unlink()
        store.library.sync()
        yield store


def everything(store: Changed) -> dict[str, list[str]]:
    """Everything in a catalogue, in a fixed order."""
    return {
        kind: sorted(map(repr, store.library.lists.page(kind, Page())))
        for kind in KINDS
    }


def anew(store: Changed, beside: Path) -> dict[str, list[str]]:
    """The same from a fresh catalogue."""
    with Changed(store.root, store.format, beside) as fresh:
        return everything(fresh)


def is_near(tmp_path: Path) -> bool:
    """Whether the whole store was not read since it was changed."""
    with closing(sqlite3.connect(tmp_path / "own/cache/catalogue.db")) as connection:
        ((signature,),) = connection.execute("SELECT signature FROM stores").fetchall()
        return signature == SETTLED


def edited(store: Changed, old: bytes, new: bytes) -> Rewrite:
    raw = store.library.plans.form(store.memory(TITLE).ref).raw
    assert raw.count(old) == 1
    return Rewrite(was=raw, raw=raw.replace(old, new))


@pytest.mark.parametrize(
    "intent",
    [
        Set(name="importance", value="0.125"),
        Set(name="confidence", value=None),
        Set(name="mood", value="a field of its own\nin two lines: #", adds=True),
        Retag(add=("brand new",), remove=("redis",)),
    ],
)
def test_a_change_of_one_memory_is_read_alone(
    intent: Intent, store: Changed, tmp_path: Path
) -> None:
    store.do(intent, store.memory(TITLE))

    assert is_near(tmp_path)
    assert everything(store) == anew(store, tmp_path / "fresh")
    store.undo()
    assert is_near(tmp_path)
    assert everything(store) == anew(store, tmp_path / "again")


def test_a_text_is_found_by_its_new_words_and_links_stay(
    store: Changed, tmp_path: Path
) -> None:
    body = store.library.plans.form(store.memory(TITLE).ref).raw.partition(b"---\n\n")[
        2
    ]

    store.do(edited(store, body, b"Zanzibar.\n\n" + body), store.memory(TITLE))

    assert is_near(tmp_path)
    assert everything(store) == anew(store, tmp_path / "fresh")
    query = parse("zanzibar", ["memories"], is_finished=True).tree
    found = store.library.lists.page("memories", Page(), query=query)
    assert list(found) == [store.memory(TITLE)]
    assert store.library.records.links(store.memory(TITLE).ref)


@pytest.mark.parametrize(
    "intent",
    [
        Set(name="title", value="Another"),
        Set(name="type", value="insight"),
        Rename(title="Another"),
        Pin(),
        Delete(),
        Create(title="New"),
        Append(kind="episode", fields={"title": "Done", "type": "fix"}),
    ],
)
def test_a_change_that_affects_others_is_read_with_them(
    intent: Intent, store: Changed, tmp_path: Path
) -> None:
    needs_none = isinstance(intent, Create | Append)

    store.do(intent, *(() if needs_none else (store.memory(TITLE),)))

    assert is_near(tmp_path)
    assert everything(store) == anew(store, tmp_path / "fresh")
    store.undo()
    assert is_near(tmp_path)
    assert everything(store) == anew(store, tmp_path / "again")


def test_a_link_and_a_merge_are_read_alone(store: Changed, tmp_path: Path) -> None:
    ends = store.memories()[:2]

    store.do(Relate(type="CAUSES"), *ends)
    store.do(Merge(), *ends)

    assert is_near(tmp_path)
    assert everything(store) == anew(store, tmp_path / "fresh")


@pytest.mark.parametrize("name", ["_index.json", "linked.md"])
def test_a_change_that_may_affect_the_whole_store_is_read_with_it(
    name: str, store: Changed, tmp_path: Path
) -> None:
    if name == "_index.json":
        store.do(Rebuild(name="index"))
    else:
        (store.root / "vault" / name).symlink_to("nowhere.md")
    store.library.sync()

    store.do(Create(title="New"))

    assert not is_near(tmp_path)
    assert everything(store) == anew(store, tmp_path / "fresh")


def test_the_next_sync_finds_nothing_left_to_do(store: Changed, tmp_path: Path) -> None:
    store.do(Set(name="importance", value="0.125"), store.memory(TITLE))
    moves = store.library.index.newest_move()

    report = store.library.sync()

    assert (report.changed, report.removed) == (0, 0)
    assert not is_near(tmp_path)
    assert store.library.index.newest_move() == moves


def test_changes_of_other_programs_are_found_by_the_next_sync(
    store: Changed, tmp_path: Path
) -> None:
    other = store.root / store.memory(OTHER).path
    other.write_bytes(other.read_bytes() + b"One more line.\n")
    store.do(Set(name="importance", value="0.125"), store.memory(TITLE))

    report = store.library.sync()

    assert report.changed == 1
    assert everything(store) == anew(store, tmp_path / "fresh")
