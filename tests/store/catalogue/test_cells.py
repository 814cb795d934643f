"""Values as database cells store them, whatever a file contains."""

import orjson
from hypothesis import given
from hypothesis import strategies as st

from store.kinds.table import json_text

ANY_TEXT = st.text(st.characters(exclude_categories=()))
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
    max_leaves=8,
)


@given(ANYTHING)
def test_any_value_becomes_json(value: object) -> None:
    orjson.loads(json_text(value))


def test_a_number_too_large_for_json_keeps_its_digits() -> None:
    many = 10**40 + 1

    assert orjson.loads(json_text({"n": [many, "\ud800"]})) == {"n": [str(many), "?"]}
