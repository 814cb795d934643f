"""Changing members of a document keeps every other byte."""

import json
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.files.json_edit import Edits, Gone, Within, with_members
from store.files.json_read import DamagedJsonError
from store.findings import Json

INDENTED = """\
{
  "version": 2,
  "numbers": [1.10, 1E5],
  "entries": {
    "a": {
      "title": "caf\u00e9",
      "tags": ["x", "y"],
      "path": "a\\/b"
    },
    "b": {}
  }
}
"""

WINDOWS = """\
\ufeff{\r
\t"a": 1,\r
\t"b": [\r
\t\t2,\r
\t\t"\u00e9"\r
\t]\r
}"""


def changed(text: str, edits: Edits) -> str:
    return with_members(text.encode(), edits).decode()


@pytest.mark.parametrize(
    ("edits", "old", "new"),
    [
        ({"version": 3}, '"version": 2', '"version": 3'),
        ({"version": Gone.GONE}, '  "version": 2,\n', ""),
        ({"entries": Within({"a": Within({"tags": ["z"]})})}, '["x", "y"]', '["z"]'),
        (
            {"entries": Within({"a": Within({"path": "c", "new": None})})},
            '"path": "a\\/b"',
            '"path": "c",\n      "new": null',
        ),
        (
            {"entries": Within({"b": Within({"tags": ["x"]})})},
            '"b": {}',
            '"b": {\n      "tags": [\n        "x"\n      ]\n    }',
        ),
        ({"entries": Within({"b": Gone.GONE})}, ',\n    "b": {}', ""),
        (
            {"entries": Within({"c": {"k": 1}})},
            '"b": {}',
            '"b": {},\n    "c": {\n      "k": 1\n    }',
        ),
        (
            {"edges": Within({"e": 1})},
            "  }\n}",
            '  },\n  "edges": {\n    "e": 1\n  }\n}',
        ),
    ],
)
def test_only_the_requested_members_change(edits: Edits, old: str, new: str) -> None:
    assert INDENTED.count(old) == 1

    assert changed(INDENTED, edits) == INDENTED.replace(old, new)


def test_every_member_can_be_removed() -> None:
    gone = {"version": Gone.GONE, "numbers": Gone.GONE, "entries": Gone.GONE}

    assert changed(INDENTED, gone) == "{}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a":1}', '{"a":1,"b":[2,"\u00e9"]}'),
        ('{"a": 1}\n', '{"a": 1, "b": [2, "\u00e9"]}\n'),
        ("{}", '{"b": [2, "\u00e9"]}'),
        ('\ufeff{\r\n\t"a": 1\r\n}', WINDOWS),
        ('{"a": "\\u00e9"}', '{"a": "\\u00e9", "b": [2, "\\u00e9"]}'),
    ],
)  # fmt: skip
def test_a_new_member_follows_the_style_of_the_file(before: str, after: str) -> None:
    assert changed(before, {"b": [2, "\u00e9"]}) == after


@pytest.mark.parametrize(
    "text", ["", "[1]", '{"a": 1, "a": 2}', '{"a": 1', '{"a" 1}', "{a: 1}", "\xff\xfe"]
)
def test_anything_but_a_plain_map_is_refused(text: str) -> None:
    with pytest.raises(DamagedJsonError):
        with_members(text.encode("latin-1"), {"b": 1})


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)
MAPS = st.dictionaries(st.text(max_size=3), VALUES, max_size=5)


@given(
    MAPS,
    MAPS,
    st.sets(st.text(max_size=3)),
    st.sampled_from([None, 2, "\t"]),
    st.booleans(),
)
def test_a_change_gives_the_requested_members_and_can_be_reversed(
    old: dict[str, Json],
    new: dict[str, Json],
    gone: set[str],
    indent: str | int | None,
    escaped: bool,  # noqa: FBT001 - drawn
) -> None:
    raw = json.dumps(old, indent=indent, ensure_ascii=escaped).encode()
    edits: Edits = {**new, **dict.fromkeys(gone, Gone.GONE)}

    after = with_members(raw, edits)

    kept = {key: value for key, value in {**old, **new}.items() if key not in gone}
    assert json.loads(after) == kept
    added = {key for key in kept if key not in old}
    back = {key: cast("Json", Gone.GONE) for key in added}
    if not gone and added == set(new) and old:
        assert with_members(after, back) == raw
