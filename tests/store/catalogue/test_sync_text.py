"""Names and texts that no database and no JSON can store do no harm."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.catalogue.stores import (
    NOON,
    SampleShelf,
    Shelf,
    cognitive,
    linked,
    memory,
    note,
    notes,
    own_id,
    write,
)

BAD = os.fsdecode(b"caf\xe9")
"""A name that is no UTF-8, as the system hands it out."""

HALF = "\ud83d"
"""Half of a character, as JSON can spell it."""


def test_a_file_name_that_is_not_text_is_read_listed_and_shown(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, f"graph/fixes/{BAD}.md", memory(2, title="Found"))
    shelf.sync()

    found = shelf.memory("Found")

    assert found.path == f"graph/fixes/{BAD}.md"
    assert shelf.show_memory(found.ref).body.strip() == "Body 2."
    assert shelf.sync().changed == 0
    (store / found.path).unlink()
    assert shelf.sync().removed == 1


def test_file_names_that_differ_only_in_invalid_bytes_are_separate(
    shelf: Shelf,
) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs")
    for byte in (b"\xe8", b"\xe9"):
        write(store, f"caf{os.fsdecode(byte)}.md", note("coffee", repr(byte)))
    shelf.sync()

    coffee = [one for one in shelf.memories() if one.title == "coffee"]

    assert len({one.ref for one in coffee}) == 2
    assert {shelf.show_memory(one.ref).body.strip() for one in coffee} == {
        repr(b"\xe8"),
        repr(b"\xe9"),
    }


def test_a_store_name_that_is_not_text_is_read(shelf: Shelf) -> None:
    linked(shelf.places[0] / BAD)

    assert shelf.sync().changed == 3
    assert shelf.sync().changed == 0

    (report,) = shelf.stores()
    assert (report.name, os.fsencode(report.path)[-4:]) == ("caf?", b"caf\xe9")
    assert len(shelf.edges()) == 1


def test_a_copy_of_a_memory_in_a_file_name_that_is_not_text(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, f"graph/errors/{BAD}.md", memory(1, type="error"))

    shelf.sync()

    (problem,) = shelf.problems()
    assert problem.code == "duplicate-id"
    assert "caf\ufffd.md" in problem.message


def test_a_lone_surrogate_in_an_index_is_replaced(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    ends = {"type": f"SOLVES{HALF}", "from_id": own_id(1), "to_id": HALF}
    entry = {"title": HALF, "path": f"graph/{HALF}.md"}
    index = {"version": 2, "edges": {HALF: ends}, "entries": {HALF: entry}}
    write(store, "_index.json", json.dumps(index))

    shelf.sync()

    (edge,) = shelf.edges()
    assert (edge.type, edge.id, edge.to) == ("SOLVES?", "?", None)
    assert shelf.codes().count("index-drift") == 2
    assert shelf.sync().changed == 0


def test_a_lone_surrogate_in_one_row_duplicates_no_other(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 3)
    entries = {
        own_id(1): {"access_count": 3, "last_accessed": NOON},
        own_id(2): {"access_count": 4, "last_accessed": NOON},
        HALF: {"access_count": 5, "last_accessed": NOON},
        own_id(3): {"access_count": 6, "last_accessed": NOON},
    }
    write(store, "_state.json", json.dumps({"version": 1, "entries": entries}))

    shelf.sync()

    assert shelf.rows()["accesses"] == 4
    assert sorted(one.access_count for one in shelf.memories()) == [3, 4, 6]


def test_a_name_that_is_not_text_names_nothing_or_its_file(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, f"{BAD}.md", "# A page\n")
    shelf.sync()

    (page,) = shelf.documents()

    assert (page.title, page.path) == ("A page", f"{BAD}.md")
    assert shelf.links(page.ref) == []


@given(st.lists(st.text(), max_size=4), st.text(), st.text())
def test_any_text_of_a_page_is_kept_unchanged(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str], title: str, kind: str
) -> None:
    folder = tmp_path_factory.mktemp("sample")
    shelf = SampleShelf(folder / "cache/catalogue.db", folder)
    title, kind = title.replace("|", "").strip(), kind.replace("|", "").strip()
    links = ",".join(part.replace("|", "") for part in parts)
    shelf.pages["page"] = f"{title} | {kind} | {links}".encode()

    report = shelf.sync()

    (found,) = shelf.memories()
    assert (found.title, found.type) == (title or "page", kind)
    assert report.problems == len(shelf.problems())
    assert {edge.from_ for edge in shelf.edges()} <= {found.ref}
    assert shelf.show_memory(found.ref).memory == found


def test_a_path_may_be_long_and_odd(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs")
    odd = "a'b\"c;--\n%s/" + "x" * 200 + ".md"
    write(store, odd, note("odd"))

    shelf.sync()

    assert shelf.memory("odd").path == odd
    assert Path(shelf.memory("odd").store) == store
