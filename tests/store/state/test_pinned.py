"""Marks outside of stores: of which memory, and since when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from store.edits.draft import Marking
from store.machine import Places
from store.state import Mark, keep_marks, mark, pinned
from tests.examples import USUAL, examples

ONE = mark("/store", "ABC", "a.jsonl")
TWO = mark("/store", None, "café/b.md")
PIN_ONE = Marking(path="a.jsonl", id="ABC", name="pinned", is_set=True)
PIN_TWO = Marking(path="café/b.md", name="pinned", is_set=True)


def test_a_pin_stays_until_it_is_removed(places: Places) -> None:
    assert pinned(places) == {}
    keep_marks(places, "/store", [PIN_ONE, PIN_TWO], 5)
    keep_marks(places, "/store", [replace(PIN_ONE, id="abc")], 7)

    assert pinned(places) == {ONE: 5, TWO: 5}
    keep_marks(places, "/other", [replace(PIN_ONE, is_set=False)], 8)
    assert pinned(places) == {ONE: 5, TWO: 5}
    keep_marks(places, "/store", [replace(PIN_ONE, is_set=False)], 8)
    assert pinned(places) == {TWO: 5}


def test_a_memory_is_pinned_by_its_id_or_else_by_its_file() -> None:
    assert Mark("/store", "id:abc") == ONE
    assert Mark("/store", "path:café/b.md") == TWO


def test_damaged_entries_mark_nothing(places: Places) -> None:
    keep_marks(places, "/store", [PIN_ONE], 5)
    file = places.state / "pinned"
    file.write_bytes(b"\xff{\n[1]\n" + file.read_bytes() + b'{"store": 3}\n{"st')

    assert pinned(places) == {ONE: 5}
    file.unlink()
    file.mkdir()
    assert pinned(places) == {}


@examples(USUAL, keeps_fixtures=True)
@given(st.lists(st.tuples(st.booleans(), st.text(max_size=3), st.text(max_size=3))))
def test_any_names_can_be_marked(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[bool, str, str]]
) -> None:
    base = tmp_path_factory.mktemp("own")
    places = Places(base, base, base)
    expected: set[Mark] = set()
    for pins, store, own in steps:
        one = mark(store, own, "x")
        marking = Marking(path="x", id=own, name="pinned", is_set=pins)
        keep_marks(places, store, [marking], 1)
        expected = expected | {one} if pins else expected - {one}

    assert set(pinned(places)) == expected
