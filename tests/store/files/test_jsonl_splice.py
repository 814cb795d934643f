"""Changing one JSON value keeps every other byte."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.files.json_edit import (
    NotSplicedError,
    exact,
    find,
    json_style,
    spaced,
    value_at,
    values_in,
    with_value,
    without_value,
)
from store.findings import Json

Value = Any

BLANKS = st.text(" \t\r\n", max_size=3).map(str.encode)
STRINGS = st.one_of(
    st.text(max_size=8).map(lambda text: json.dumps(text, ensure_ascii=False)),
    st.text(max_size=8).map(json.dumps),
    st.sampled_from(['"\\/"', '"\\ud83d"', '"\\u00e9\\n"', '""', '"}\\"]"', '"\x7f"']),
).map(lambda text: text.encode("utf-8", "surrogatepass"))
NUMBERS = st.sampled_from(
    [b"0", b"-1", b"1.10", b"1E5", b"1e999", b"18446744073709551616", b"5.0"]
)
PLAIN = st.one_of(STRINGS, NUMBERS, st.sampled_from([b"true", b"false", b"null"]))
KEYS = st.sampled_from(["id", "a", "tags", "é", "", "naïve key"])


@st.composite
def joined(draw: st.DrawFn, opening: bytes, items: list[bytes], end: bytes) -> bytes:
    """Items in brackets, with blanks wherever JSON allows them."""
    parts = [draw(BLANKS) + item + draw(BLANKS) for item in items]
    return opening + (b",".join(parts) or draw(BLANKS)) + end


@st.composite
def lists(draw: st.DrawFn, inner: st.SearchStrategy[bytes]) -> bytes:
    items = draw(st.lists(inner, max_size=4))
    return draw(joined(b"[", items, b"]"))


@st.composite
def maps(draw: st.DrawFn, inner: st.SearchStrategy[bytes], least: int = 0) -> bytes:
    keys = draw(st.lists(KEYS, unique=True, max_size=4, min_size=least))
    items = [
        json.dumps(key, ensure_ascii=draw(st.booleans())).encode()
        + draw(BLANKS)
        + b":"
        + draw(BLANKS)
        + draw(inner)
        for key in keys
    ]
    return draw(joined(b"{", items, b"}"))


VALUES = st.recursive(PLAIN, lambda inner: lists(inner) | maps(inner), max_leaves=8)
OBJECTS = maps(VALUES, least=1)
NEW: st.SearchStrategy[Value] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)


def keys_of(raw: bytes) -> list[str]:
    return list(json.loads(raw.decode("utf-8", "surrogatepass"), strict=False))


def loaded(raw: bytes | None) -> Json:
    assert raw is not None
    return json.loads(raw.decode("utf-8", "surrogateescape"), strict=False)


@given(OBJECTS, NEW, st.data())
def test_setting_a_value_changes_only_its_span(
    raw: bytes, new: Value, data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(keys_of(raw)))
    text = raw.decode("utf-8", "surrogateescape")
    item = find(text, (key,))
    assert item

    changed = with_value(raw, (key,), new)

    whole = changed.decode("utf-8", "surrogateescape")
    assert whole.startswith(text[: item.value])
    assert whole.endswith(text[item.end :])
    assert loaded(value_at(changed, (key,))) == json.loads(json.dumps(new))
    before, after = value_at(raw, (key,)), value_at(changed, (key,))
    assert len(changed) - len(raw) == len(after or b"") - len(before or b"")


@given(OBJECTS, NEW)
def test_adding_and_removing_a_key_restores_the_bytes(raw: bytes, new: Value) -> None:
    changed = with_value(raw, ("brand new",), new)

    assert loaded(value_at(changed, ("brand new",))) == json.loads(json.dumps(new))
    assert without_value(changed, ("brand new",)) == raw


@given(OBJECTS, st.data())
def test_removing_a_key_removes_nothing_else(raw: bytes, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(keys_of(raw)))
    others = [one for one in keys_of(raw) if one != key]

    changed = without_value(raw, (key,))

    assert keys_of(changed) == others
    assert all(value_at(changed, (k,)) == value_at(raw, (k,)) for k in others)


@given(st.lists(VALUES, max_size=5).flatmap(lambda v: joined(b"[", v, b"]")), NEW)
def test_list_items_are_added_and_removed_one_by_one(raw: bytes, new: Value) -> None:
    size = len(json.loads(raw.decode("utf-8", "surrogatepass"), strict=False))

    longer = with_value(raw, (size,), new)

    assert [value_at(longer, (at,)) for at in range(size)] == [
        value_at(raw, (at,)) for at in range(size)
    ]
    assert exact(without_value(longer, (size,))) == exact(raw)


@given(st.lists(VALUES, max_size=4), st.sampled_from([b"", b" ", b"\t\r", b"\0"]))
def test_several_values_on_one_line_are_split(
    values: list[bytes], between: bytes
) -> None:
    containers = [value for value in values if value[:1] in (b"{", b"[")]
    line = between.join(containers)

    assert values_in(line)[1::2] == containers
    assert b"".join(values_in(line)) == line


@given(OBJECTS, st.sampled_from([b'{\n  "a": 1\n}', b'{"a":1}', b'{"a": 1}']))
def test_other_whitespace_changes_no_token(raw: bytes, like: bytes) -> None:
    again = spaced(raw, json_style(like))

    assert exact(again) == exact(raw)
    assert spaced(again, json_style(like)) == again
    if like == b'{"a":1}':
        assert b"\n" not in again


@given(OBJECTS)
def test_a_nested_value_is_set_like_one_at_the_top(raw: bytes) -> None:
    whole = b'{"outer": [ ' + raw + b" ]}"
    key = keys_of(raw)[0]

    changed = with_value(whole, ("outer", 0, key), "new")

    assert changed == b'{"outer": [ ' + with_value(raw, (key,), "new") + b" ]}"


def test_new_members_look_like_the_rest() -> None:
    assert with_value(b'{"a":1}', ("b",), ["x"]) == b'{"a":1,"b":["x"]}'
    assert with_value(b'{"a": 1}', ("b",), ["x"]) == b'{"a": 1, "b": ["x"]}'
    assert with_value(b'{"a" : 1}', ("b",), 2) == b'{"a" : 1, "b" : 2}'
    assert with_value(b'{"a": "\\u00e9"}', ("b",), "é") == (
        b'{"a": "\\u00e9", "b": "\\u00e9"}'
    )
    assert (
        with_value('{"a": "é"}'.encode(), ("b",), "é")
        == '{"a": "é", "b": "é"}'.encode()
    )
    whole = b'{\n  "list": [\n    1\n  ],\n  "none": []\n}'
    assert with_value(whole, ("list", 1), {"a": 2}) == (
        b'{\n  "list": [\n    1,\n    {\n      "a": 2\n    }\n  ],\n  "none": []\n}'
    )
    assert with_value(whole, ("none", 0), 3) == (
        b'{\n  "list": [\n    1\n  ],\n  "none": [\n    3\n  ]\n}'
    )


@pytest.mark.parametrize(
    "raw",
    [
        b'{"a": 1, "a": 2}',
        b'{"a": 1',
        b"{1: 2}",
        b'{"a": {"b": 1, "b": 2}}',
        b"",
        b"[1",
        b'{"a" 1}',
    ],
)
def test_unsafe_changes_are_refused(raw: bytes) -> None:
    with pytest.raises(NotSplicedError):
        with_value(raw, ("a", "b") if b'"b"' in raw else ("a",), 3)


def test_a_missing_place_is_refused() -> None:
    with pytest.raises(NotSplicedError, match=r"No map to add the value to\."):
        with_value(b'{"a": 1}', ("a", "b"), 2)
    with pytest.raises(NotSplicedError, match=r"No list to add the value to\."):
        with_value(b'{"a": 1}', ("a", 0), 2)
    with pytest.raises(NotSplicedError, match=r"[Nn]ested too deeply"):
        with_value(b'{"a": ' + b"[" * 5000 + b"]" * 5000 + b"}", ("a",), 2)
    assert without_value(b'{"a": 1}', ("b",)) == b'{"a": 1}'
