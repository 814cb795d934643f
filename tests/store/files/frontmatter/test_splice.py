"""A change touches only the bytes of its value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.files.frontmatter import HeaderError, read_page
from store.files.frontmatter_edit import Path, locate, replace, with_scalar
from store.files.frontmatter_yaml import Node, Scalar, Sequence
from tests.store.files.frontmatter.documents import TEXTS, Document, documents

MEMORY = """\
---
# keep this comment
title: "Gefixt: Redis – 레디스"
importance: 0.8   # odd spacing
note: |
  first
  second

empty:
description: fix # 12
relations:
  - target: abc
    context: 'why'
tags: [a,   b]
---
body
"""


def changed(path: Path, value: str, memory: str = MEMORY) -> str:
    return with_scalar(locate(memory.encode()), path, value).raw.decode()


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("title",), "New", '"Gefixt: Redis – 레디스"', '"New"'),
        (("title",), 'a "b" 💥', '"Gefixt: Redis – 레디스"', '"a \\"b\\" \\U0001F4A5"'),
        (("importance",), "0.25", "0.8 ", "0.25 "),
        (("importance",), "1", "0.8 ", "1 "),
        (("importance",), "high", "0.8 ", "high "),
        (("importance",), "yes", "0.8 ", '"yes" '),
        (("note",), "short", "|\n  first\n  second\n", '"short"\n'),
        (("empty",), "full", "empty:", "empty: full"),
        (("description",), "fix 13", "fix # 12", "fix 13"),
        (("description",), "fix # 13", "fix # 12", '"fix # 13"'),
        (("relations", 0, "target"), "def", "abc", "def"),
        (("relations", 0, "context"), "it's so", "'why'", "'it''s so'"),
        (("tags", 1), "c, d", "   b]", '   "c, d"]'),
    ],
)
def test_only_the_value_is_replaced(path: Path, value: str, old: str, new: str) -> None:
    assert changed(path, value) == MEMORY.replace(old, new, 1)


def test_newlines_and_byte_order_mark_of_the_file_stay() -> None:
    memory = "\ufeff" + MEMORY.replace("\n", "\r\n")

    assert changed(("relations", 0, "target"), "x", memory) == memory.replace(
        "abc", "x"
    )


@pytest.mark.parametrize(
    ("memory", "path", "sentence"),
    [
        ("---\nid: a\nid: b\n---\n", ("id",), "Duplicate key “id” (line 3)."),
        ("---\nid: a\n---\n", ("title",), "The front matter has no title."),
        ("---\nr:\n- a\n---\n", ("r", 1), "The front matter has no r → item 2."),
        (
            "---\nr:\n- a\n---\n",
            ("r",),
            "Only a single value can be set, not a list or map.",
        ),
        ("no header\n", ("id",), "The file has no front matter."),
        (
            "---\rid: a\r---\r",
            ("id",),
            "The lines end with a lone carriage return.",
        ),
        (
            "---\nid: *a\n---\n",
            ("id",),
            "The front matter contains an alias (line 2), which isn't supported.",
        ),
        (
            "---\nid: a: b\n---\n",
            ("id",),
            (
                "Invalid YAML front matter: an unquoted value contains a "
                "colon and a space (line 2)."
            ),
        ),
        ("---\n? |\n  k\n: v\n---\n", ("k\n", "x"), "The front matter has no k\n → x."),
    ],
)
def test_unsafe_changes_are_refused(memory: str, path: Path, sentence: str) -> None:
    with pytest.raises(HeaderError) as refused:
        changed(path, "new", memory)

    assert str(refused.value) == sentence


def test_a_file_that_is_not_utf8_is_not_edited() -> None:
    with pytest.raises(HeaderError, match=r"The file isn't UTF-8\."):
        locate(b"---\ntitle: caf\xe9\n---\n")


def test_a_lone_surrogate_is_not_written() -> None:
    with pytest.raises(
        HeaderError,
        match=r"The change would make the front matter invalid\. Invalid YAML",
    ):
        changed(("title",), "\ud83d")


def test_the_tree_has_the_place_of_everything() -> None:
    raw = MEMORY.encode()
    header = locate(raw)
    relations = header.at(("relations",))
    target = header.at(("relations", 0, "target"))

    assert isinstance(relations, Sequence)
    assert raw[relations.start : relations.end].startswith(b"- target: abc\n")
    assert raw[target.start : target.end] == b"abc"
    start, end = header.lines(target.start, target.end)
    assert raw[start:end] == b"  - target: abc\n"
    assert header.column(relations.start) == 2
    assert raw[header.end :] == b"---\nbody\n"
    assert raw[header.body :] == b"body\n"
    assert header.fields() == read_page(raw).fields


def test_a_header_without_fields_has_an_empty_tree() -> None:
    header = locate(b"---\n# nothing yet\n---\nbody")

    assert header.fields() == {}
    assert header.root.start == header.end


def leaves(node: Node, path: Path = ()) -> list[Path]:
    if isinstance(node, Scalar):
        return [path]
    if isinstance(node, Sequence):
        inner = enumerate(node.items)
        return [leaf for i, item in inner for leaf in leaves(item, (*path, i))]
    return [
        leaf for key, item in node.pairs for leaf in leaves(item, (*path, key.value))
    ]


@given(documents(), TEXTS, st.data())
def test_one_change_leaves_all_other_bytes_and_values(
    document: Document, text: str, data: st.DataObject
) -> None:
    header = locate(document.raw)
    paths = leaves(header.root)
    path = data.draw(st.sampled_from(paths or [()]))
    if not path:
        return
    node = header.at(path)
    after = with_scalar(locate(document.raw), path, text).raw

    assert after.startswith(document.raw[: node.start])
    assert after.endswith(document.raw[node.end :])
    there = locate(after).at(path)
    assert isinstance(there, Scalar)
    assert there.value == text
    assert read_page(after).body == document.body


@given(documents())
def test_unchanged_parts_keep_their_bytes(document: Document) -> None:
    header = locate(document.raw)
    raw = document.raw
    fence = raw[header.end : header.body]

    assert (
        raw[: header.start]
        + raw[header.start : header.end]
        + fence
        + raw[header.body :]
        == raw
    )
    assert raw[header.body :].decode() == document.body
    for path in leaves(header.root):
        node = header.at(path)
        assert replace(raw, node.start, node.end, raw[node.start : node.end]) == raw
        assert header.start <= node.start <= node.end <= header.end
