"""`FIELD=VALUE`: the parts before and after the first equals sign."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import WrongUseError
from tui.cli.apply import assigned, json_of, parted, value_of

NAMES = st.text(min_size=1).filter(lambda name: name.strip() and "=" not in name)


@given(NAMES, st.text())
def test_everything_after_the_first_equals_sign_is_the_value(
    name: str, value: str
) -> None:
    assert assigned([f"{name}={value}"]) == [(name, value)]


def test_words_and_assignments_are_distinguished() -> None:
    assert parted(["memory:5b", "a=1", "x", "b="]) == (
        ["memory:5b", "x"],
        [("a", "1"), ("b", "")],
    )


@pytest.mark.parametrize("word", ["=1", " =1", "="])
def test_a_value_without_a_field_is_wrong_use(word: str) -> None:
    with pytest.raises(WrongUseError, match="No field name in"):
        parted([word])


def test_a_word_among_assignments_is_wrong_use() -> None:
    with pytest.raises(WrongUseError, match="Invalid FIELD=VALUE: 'kind'"):
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
def test_a_value_of_a_line_is_its_json(value: object) -> None:
    assert json_of(json.dumps(value)) == value


@given(st.text())
def test_anything_but_json_is_text(text: str) -> None:
    assert json_of(f"it's {text}") == f"it's {text}"


def test_json_nested_too_deeply_is_text() -> None:
    text = "[" * 100_000

    assert json_of(text) == text
