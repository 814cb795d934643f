"""A change is read by itself, with what it concerns; the catalogue is as whole."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.catalogue.views import VIEWS
from store.catalogue.writer import SETTLED
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
from store.search.language.parsing import parse
from tests.store.formats.changed_stores import Changed
from tests.store.formats.cognitive_changes import OTHER, TITLE, opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path) as store:
        (store.root / "_index.json").unlink()
        store.library.sync()
        yield store


def everything(store: Changed) -> dict[str, list[str]]:
    """All that a catalogue answers, in an order of its own."""
    return {kind: sorted(map(repr, store.library.page(kind, Page()))) for kind in VIEWS}


def anew(store: Changed, beside: Path) -> dict[str, list[str]]:
    """The same from a catalogue that is made now."""
    with Changed(store.root, store.format, beside) as fresh:
        return everything(fresh)


def is_near(tmp_path: Path) -> bool:
    """Whether nobody looked at the whole store since it was changed."""
    with closing(sqlite3.connect(tmp_path / "own/cache/catalogue.db")) as connection:
        ((signature,),) = connection.execute("SELECT signature FROM stores").fetchall()
        return signature == SETTLED


def edited(store: Changed, old: bytes, new: bytes) -> Rewrite:
    raw = store.library.form(store.memory(TITLE).ref).raw
    assert raw.count(old) == 1
    return Rewrite(was=raw, raw=raw.replace(old, new))


@pytest.mark.parametrize(
    "intent",
    [
        Set(name="importance", value="0.125"),
        Set(name="confidence", value=None),
        Set(name="mood", value="a field of its own\nin two lines: #"),
        Retag(add=("brand new",), remove=("redis",)),
    ],
)
def test_what_concerns_one_memory_is_read_by_itself(
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
    body = store.library.form(store.memory(TITLE).ref).raw.partition(b"---\n\n")[2]

    store.do(edited(store, body, b"Zanzibar.\n\n" + body), store.memory(TITLE))

    assert is_near(tmp_path)
    assert everything(store) == anew(store, tmp_path / "fresh")
    query = parse("zanzibar", ["memories"], is_finished=True).tree
    found = store.library.page("memories", Page(), query=query)
    assert list(found) == [store.memory(TITLE)]
    assert store.library.links(store.memory(TITLE).ref)


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
def test_what_concerns_others_is_read_with_what_it_concerns(
    intent: Intent, store: Changed, tmp_path: Path
) -> None:
    needs_none = isinstance(intent, Create | Append)

    store.do(intent, *(() if needs_none else (store.memory(TITLE),)))

    assert is_near(tmp_path)
    assert everything(store) == anew(store, tmp_path / "fresh")
    store.undo()
    assert is_near(tmp_path)
    assert everything(store) == anew(store, tmp_path / "again")


def test_so_is_a_link_and_a_merge(store: Changed, tmp_path: Path) -> None:
    ends = store.memories()[:2]

    store.do(Relate(type="CAUSES"), *ends)
    store.do(Merge(), *ends)

    assert is_near(tmp_path)
    assert everything(store) == anew(store, tmp_path / "fresh")


@pytest.mark.parametrize("name", ["_index.json", "linked.md"])
def test_what_may_concern_the_whole_store_is_read_with_it(
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


def test_the_next_look_at_the_store_finds_nothing_left_to_do(
    store: Changed, tmp_path: Path
) -> None:
    store.do(Set(name="importance", value="0.125"), store.memory(TITLE))
    moves = store.library.newest_move()

    report = store.library.sync()

    assert (report.changed, report.removed) == (0, 0)
    assert not is_near(tmp_path)
    assert store.library.newest_move() == moves


def test_what_another_changed_meanwhile_is_found_by_it(
    store: Changed, tmp_path: Path
) -> None:
    other = store.root / store.memory(OTHER).path
    other.write_bytes(other.read_bytes() + b"One more line.\n")
    store.do(Set(name="importance", value="0.125"), store.memory(TITLE))

    report = store.library.sync()

    assert report.changed == 1
    assert everything(store) == anew(store, tmp_path / "fresh")
