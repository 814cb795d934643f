"""`FIELD=VALUE`: what stands before the first equals sign, and what behind it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import WrongUseError
from tui.cli.changing.assigning import assigned, json_of, parted, value_of

NAMES = st.text(min_size=1).filter(lambda name: name.strip() and "=" not in name)


@given(NAMES, st.text())
def test_all_behind_the_first_equals_sign_is_the_value(name: str, value: str) -> None:
    assert assigned([f"{name}={value}"]) == [(name, value)]


def test_words_are_told_from_assignments() -> None:
    assert parted(["memory:5b", "a=1", "x", "b="]) == (
        ["memory:5b", "x"],
        [("a", "1"), ("b", "")],
    )


@pytest.mark.parametrize("word", ["=1", " =1", "="])
def test_a_value_without_a_field_is_wrong_use(word: str) -> None:
    with pytest.raises(WrongUseError, match="names no field"):
        parted([word])


def test_where_all_must_be_assignments_another_word_is_wrong_use() -> None:
    with pytest.raises(WrongUseError, match="'kind' is no FIELD=VALUE"):
        assigned(["a=1", "kind"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", "0.5"),
        ('["a", "b"]', ["a", "b"]),
        ("[a, b]", "[a, b]"),
        ("[1, 2]", "[1, 2]"),
        ("[[wikilink]]", "[[wikilink]]"),
    ],
)
def test_a_value_of_a_header_is_a_text_or_a_list_of_texts(
    text: str, value: object
) -> None:
    assert value_of(text) == value


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_a_value_of_a_line_is_what_it_is_in_json(value: object) -> None:
    assert json_of(json.dumps(value)) == value


@given(st.text())
def test_whatever_is_no_json_is_a_text(text: str) -> None:
    assert json_of(f"it's {text}") == f"it's {text}"


def test_json_that_is_nested_beyond_reason_is_a_text() -> None:
    text = "[" * 100_000

    assert json_of(text) == text
