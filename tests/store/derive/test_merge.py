"""A merge has the changes of both texts, or a person decides."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from store.derive.texts import conflict_marks, merged, merged_cleanly

PAGE = b"""---
id: a1
title: "Soil"
tags: [a, b]
importance: 0.5
relations:
  - target: b2
    type: SOLVES
updated: 2026-01-01
---

First.

Second.
"""
OBJECT = b"""{
  "id": "a1",
  "tags": [
    "x"
  ],
  "access_count": 1,
  "content": "Text."
}
"""

KEYS = st.sampled_from(["id", "title", "tags", "importance", "relations", "new", "odd"])
VALUES = st.sampled_from([None, "1", "two", "\n  - a\n  - b", "[x, y]"])
HEADERS = st.dictionaries(KEYS, VALUES.filter(bool), max_size=6)
CHANGES = st.dictionaries(KEYS, VALUES, max_size=3)


def page(fields: dict[str, str], body: str = "Text.\n") -> bytes:
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\n{lines}---\n\n{body}".encode()


def changed(fields: dict[str, str], changes: dict[str, str | None]) -> dict[str, str]:
    after = {**fields, **{key: value for key, value in changes.items() if value}}
    return {k: v for k, v in after.items() if changes.get(k, v) is not None}


def test_changes_of_adjacent_fields_are_not_a_conflict() -> None:
    mine = PAGE.replace(b"[a, b]", b"[a, b, c]").replace(b"Second", b"Last")
    theirs = PAGE.replace(b"0.5", b"0.9").replace(b"01-01", b"02-02")

    assert merged_cleanly(PAGE, mine, theirs) == (
        theirs.replace(b"[a, b]", b"[a, b, c]").replace(b"Second", b"Last")
    )


def test_a_field_that_both_changed_is_left_to_a_person() -> None:
    mine = PAGE.replace(b"0.5", b"0.7").replace(b"[a, b]", b"[c]")
    theirs = PAGE.replace(b"0.5", b"0.9")

    assert merged_cleanly(PAGE, mine, theirs) is None
    both = merged(PAGE, mine, theirs)
    assert both == mine.replace(
        b"importance: 0.7\n",
        b"<<<<<<< mine\nimportance: 0.7\n=======\nimportance: 0.9\n>>>>>>> theirs\n",
    )
    assert conflict_marks(both) == [5, 9]


def test_relations_that_both_added_are_left_to_a_person() -> None:
    last = b"    type: SOLVES\n"
    mine = PAGE.replace(last, last + b"  - target: c3\n")

    assert merged_cleanly(PAGE, mine, mine) == mine
    theirs = PAGE.replace(last, last + b"  - target: d4\n")
    assert merged_cleanly(PAGE, mine, theirs) is None


def test_changes_of_adjacent_members_are_not_a_conflict() -> None:
    mine = OBJECT.replace(b'"x"', b'"x",\n    "y"').replace(b"Text.", b"Mine.")
    theirs = OBJECT.replace(b'count": 1', b'count": 2')
    added = theirs.replace(b'"Text."\n', b'"Text.",\n  "category": "c"\n')

    both = merged_cleanly(OBJECT, mine, added)

    assert both is not None
    assert json.loads(both) == {
        "id": "a1",
        "tags": ["x", "y"],
        "access_count": 2,
        "content": "Mine.",
        "category": "c",
    }


def test_a_conflicting_member_leaves_a_decidable_object() -> None:
    """Either side is valid JSON again once the other one and the marks are deleted."""
    mine = OBJECT.replace(b'count": 1', b'count": 2').replace(b"Text.", b"Mine.")
    theirs = OBJECT.replace(b'count": 1', b'count": 3').replace(b"Text.", b"Theirs.")

    both = merged(OBJECT, mine, theirs)

    without_theirs = re.sub(rb"<{7}.*\n|={7}\n[^>]*>{7}.*\n", b"", both)
    without_mine = re.sub(rb"<{7}[^=]*={7}\n|>{7}.*\n", b"", both)
    assert without_theirs == mine
    assert without_mine == theirs


@given(HEADERS, CHANGES, CHANGES)
def test_changes_of_different_fields_are_both_kept(
    fields: dict[str, str],
    mine: dict[str, str | None],
    theirs: dict[str, str | None],
) -> None:
    theirs = {key: value for key, value in theirs.items() if key not in mine}

    both = merged_cleanly(
        page(fields),
        page(changed(fields, mine), "Text.\nMine.\n"),
        page(changed(fields, theirs)),
    )

    assert both is not None
    expected = changed(changed(fields, theirs), mine)
    header, _, body = both.decode().removeprefix("---\n").partition("---\n")
    assert body == "\nText.\nMine.\n"
    entries = [f"{key}: {value}\n" for key, value in expected.items()]
    assert len(header) == sum(map(len, entries))
    assert all(entry in header for entry in entries)


TEXTS = st.binary(max_size=60) | st.lists(
    st.sampled_from([b"a: 1", b"b: 2", b"\r", b"\n", b"\r\n", b"- x", b"---\n", b"{\n"])
).map(b"".join)


@given(TEXTS, TEXTS)
def test_a_change_of_one_side_is_taken(base: bytes, other: bytes) -> None:
    for text in (base, b"---\n" + base + b"\n---\n" + other):
        assert merged_cleanly(text, other, text) == other
        assert merged_cleanly(text, text, other) == other
        assert merged_cleanly(text, other, other) == other


@given(st.lists(st.sampled_from(["a: 1", "b: 2", "a: 3", "c:", "  - d", "x", "---"])))
def test_unusual_headers_lose_nothing(lines: list[str]) -> None:
    text = "\n".join(["---", *lines, "---", ""]).encode()

    assert merged_cleanly(text, text, text) == text
    assert merged_cleanly(text, text + b"m\n", text) == text + b"m\n"
    assert merged_cleanly(text, text, b"n\n" + text) == b"n\n" + text
