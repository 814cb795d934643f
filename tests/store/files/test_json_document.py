import json
import math
from contextlib import suppress
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.files.json_read import DamagedJsonError, load, load_map

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
def test_dumped_values_can_be_loaded_again(
    value: object, indent: int | str | None
) -> None:
    assert load(json.dumps(value, indent=indent).encode()) == value


@given(st.binary() | st.text(st.sampled_from('[]{}":,0 eE.-u\\')).map(str.encode))
def test_no_bytes_raise_any_other_error(raw: bytes) -> None:
    with suppress(DamagedJsonError):
        load(raw)


def test_harmless_defects_are_forgiven() -> None:
    assert load(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}
    assert load(b'"caf\xff"') == "caf\N{REPLACEMENT CHARACTER}"
    assert math.isnan(cast("float", load(b"NaN")))


@pytest.mark.parametrize(
    ("raw", "sentence", "line"),
    [
        (b"", "The file is empty.", None),
        (b"\n \n", "The file is empty.", None),
        (b"[" * 100_000 + b"]" * 100_000, r"Nested too deeply to read\.", None),
        (b"1" * 5000, "too many digits", None),
        (b'{"version": 2,\n "entries": {', "line 2", 2),
        ("[]".encode("utf-16"), r"Invalid JSON: Expecting value \(line 1\)\.", 1),
    ],
)
def test_damage_is_described_in_one_sentence(
    raw: bytes, sentence: str, line: int | None
) -> None:
    with pytest.raises(DamagedJsonError, match=sentence) as caught:
        load(raw)
    assert caught.value.line == line


def test_anything_but_a_map_is_a_flaw_of_its_source() -> None:
    assert load_map(b'{"a": [1]}') == {"a": [1]}
    with pytest.raises(
        DamagedJsonError, match=r"The file must contain a map\."
    ) as caught:
        load_map(b"[1]")
    assert caught.value.flaw.code == "damaged-json"
