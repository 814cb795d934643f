"""A written text, quoted or not, is read back unchanged."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from store.files.frontmatter_yaml import plain_is_safe, quote, unquote

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
TRICKY = st.text("ab01 :#-?[]{},&*!|>'\"%@`~=<.+\t\n\u2028é💥", max_size=8)


@given(TEXTS | TRICKY)
def test_a_quoted_text_is_read_back(text: str) -> None:
    written = quote(text)

    assert yaml.safe_load(f"k: {written}") == {"k": text}
    assert yaml.load(f"k: [{written}]", Loader=yaml.SafeLoader) == {"k": [text]}
    assert unquote(written) == text


@given(TEXTS | TRICKY)
def test_an_unquoted_text_is_read_back_anywhere(text: str) -> None:
    if plain_is_safe(text):
        assert yaml.safe_load(f"k: {text}") == {"k": text}
        assert yaml.safe_load(f"- {text}\n- [{text}, {text}]") == [text, [text, text]]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yes",
        "null",
        "~",
        "0.8",
        "1e3",
        "0o17",
        "2025-12-06",
        "a: b",
        "a #b",
        "- a",
        "a:",
        " a",
        "a ",
        "[a",
        "a, b",
        "a?",
        "<<",
        "=",
        "--- a",
        "a\nb",
        "a\tb",
        "&a",
        "'a",
    ],
)
def test_ambiguous_text_is_quoted(text: str) -> None:
    assert not plain_is_safe(text)


@pytest.mark.parametrize(
    "text", ["a", "Fixed Redis", "a:b", "a#b", "레디스", "it's", "a-b", "a 💥"]
)
def test_ordinary_words_need_no_quotes(text: str) -> None:
    assert plain_is_safe(text)


def test_astral_characters_are_escaped_whole() -> None:
    assert quote("boom 💥\n") == '"boom \\U0001F4A5\\n"'


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"a" and "b"', '"a" and "b"'),
        ("'it''s'", "it's"),
        ('"\\ud83d\\ude00 \\ud83d \\x41 \\q"', "😀 \\ud83d A \\q"),
        ('"open', '"open'),
        ("plain", "plain"),
    ],
)
def test_only_matching_quotes_are_removed(written: str, text: str) -> None:
    assert unquote(written) == text
