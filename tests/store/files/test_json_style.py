import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.files.json_edit import JsonStyle, style_of
from store.findings import Json

STYLES = st.builds(
    JsonStyle,
    indent=st.sampled_from([None, " ", "  ", "    ", "\t"]),
    compact=st.booleans(),
    escaped=st.booleans(),
    ended=st.booleans(),
)
VALUE: Json = {"version": 1, "entries": {"a": ["é", "b", {}], "b": {"c": None}}}


@given(STYLES)
def test_a_file_keeps_its_style_when_written_again(style: JsonStyle) -> None:
    text = style.dumps(VALUE)
    assert json.loads(text) == VALUE
    assert style_of(text).dumps(VALUE) == text


@pytest.mark.parametrize("text", [None, "", " \n"])
def test_a_new_file_is_indented_by_two(text: str | None) -> None:
    assert style_of(text).dumps({"a": "é"}) == '{\n  "a": "é"\n}\n'


def test_lone_surrogates_are_escaped() -> None:
    assert JsonStyle(None).dumps("\ud800") == '"\\ud800"\n'


@given(st.text())
def test_any_text_has_a_style(text: str) -> None:
    assert json.loads(style_of(text).dumps(VALUE)) == VALUE
