import json
import math
from contextlib import suppress
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.files.json_document import DamagedJsonError, load, load_map

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(value=VALUES, indent=st.sampled_from([None, 1, "\t"]))
@example(value="\ud83d", indent=None)
@example(value=math.inf, indent=None)
def test_what_was_dumped_is_loaded(value: object, indent: int | str | None) -> None:
    assert load(json.dumps(value, indent=indent).encode()) == value


@given(st.binary() | st.text(st.sampled_from('[]{}":,0 eE.-u\\')).map(str.encode))
def test_no_bytes_raise_anything_else(raw: bytes) -> None:
    with suppress(DamagedJsonError):
        load(raw)


def test_what_loses_nothing_is_forgiven() -> None:
    assert load(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}
    assert load(b'"caf\xff"') == "caf\N{REPLACEMENT CHARACTER}"
    assert math.isnan(cast("float", load(b"NaN")))


@pytest.mark.parametrize(
    ("raw", "sentence", "line"),
    [
        (b"", "The file is empty.", None),
        (b"\n \n", "The file is empty.", None),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply", None),
        (b"1" * 5000, "too many digits", None),
        (b'{"version": 2,\n "entries": {', "line 2", 2),
        ("[]".encode("utf-16"), "no valid JSON", 1),
    ],
)
def test_what_is_damaged_is_said_in_a_sentence(
    raw: bytes, sentence: str, line: int | None
) -> None:
    with pytest.raises(DamagedJsonError, match=sentence) as caught:
        load(raw)
    assert caught.value.line == line


def test_what_is_no_map_is_a_flaw_of_its_source() -> None:
    assert load_map(b'{"a": [1]}') == {"a": [1]}
    with pytest.raises(DamagedJsonError, match="ought to hold a map") as caught:
        load_map(b"[1]")
    assert caught.value.flaw.code == "damaged-json"
