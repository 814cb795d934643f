"""Items of lists are added and removed in the list's style; nothing else moves."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from store.files.frontmatter import EditRefusedError, read_page
from store.files.frontmatter_edit import locate
from store.files.frontmatter_lists import with_list
from store.files.frontmatter_yaml import plain_is_safe
from tests.store.files.frontmatter.documents import TEXTS, Document, documents


def listed(header: str, *texts: str) -> str:
    raw = f"---\n{header}---\nbody\n".encode()
    changed = with_list(locate(raw), ("tags",), texts).raw.decode()
    return changed.removeprefix("---\n").removesuffix("---\nbody\n")


@pytest.mark.parametrize(
    ("before", "texts", "after"),
    [
        ("tags: [a, b]\n", ["a", "b", "c"], "tags: [a, b, c]\n"),
        ("tags: [a,b]\n", ["c", "a", "b"], "tags: [c,a,b]\n"),
        ("tags: [a,   b, c]\n", ["a", "c"], "tags: [a,   c]\n"),
        ("tags: [a, b]\n", ["a"], "tags: [a]\n"),
        ("tags: [a, b,]\n", ["b", "c"], "tags: [b, c,]\n"),
        ("tags: [ a ]\n", [], "tags: []\n"),
        ("tags: []\n", ["a", "2025"], 'tags: [a, "2025"]\n'),
        ("tags:\n", ["a"], "tags: [a]\n"),
        ("tags: # none\n", ["a"], "tags: [a] # none\n"),
        ('tags: ["a", "b"]\n', ["a", "b", "c"], 'tags: ["a", "b", "c"]\n'),
        ("tags: ['a']\n", ["a", "it's"], "tags: ['a', 'it''s']\n"),
        ("tags: [\n  a,\n  b\n]\n", ["a", "b", "c"], "tags: [\n  a,\n  b,\n  c\n]\n"),
        ("tags:\n- a\n- b\n", ["a", "b", "c"], "tags:\n- a\n- b\n- c\n"),
        ("tags:\n    - a # x\n", ["a", "b"], "tags:\n    - a # x\n    - b\n"),
        ("tags:\n  - a\n  # of b\n  - b\n", ["b"], "tags:\n  # of b\n  - b\n"),
        ("tags: # all\n  - a\n", [], "tags: [] # all\n"),
        ("tags:\n  - a\nx: y\n", [], "tags: []\nx: y\n"),
        ("tags:\n  - a\n  - b\n", ["a", "c: d"], 'tags:\n  - a\n  - "c: d"\n'),
        ("tags:\n  -\n    a\n  - b\n", ["b"], "tags:\n  - b\n"),
        ("tags:\n  - |\n    a\n    b\n  - c\n", ["c"], "tags:\n  - c\n"),
        ("tags:\n  - a\n  - b\n", ["x", "y", "z"], "tags:\n  - x\n  - y\n  - z\n"),
    ],
)
def test_a_list_keeps_its_style(before: str, texts: list[str], after: str) -> None:
    assert listed(before, *texts) == after


def test_a_list_with_crlf_lines_keeps_them() -> None:
    raw = b"\xef\xbb\xbf---\r\ntags:\r\n  - a\r\n---\r\nbody"

    changed = with_list(locate(raw), ("tags",), ["a", "b"]).raw

    assert changed == raw.replace(b"- a\r\n", b"- a\r\n  - b\r\n")


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        ("tags:\n- k: v\n", "isn't a list of texts"),
        ("tags: text\n", "isn't a list of texts"),
        ("tags: [a]\ntags: [b]\n", r"Duplicate key “tags” \(line 3\)\."),
    ],
)
def test_anything_but_a_plain_list_is_refused(header: str, sentence: str) -> None:
    with pytest.raises(EditRefusedError, match=sentence):
        listed(header, "a", "b")


@given(documents(), st.lists(TEXTS, max_size=5), st.data())
def test_a_list_gets_its_new_items_and_everything_else_stays(
    document: Document, texts: list[str], data: st.DataObject
) -> None:
    keys = [
        key
        for key, value in document.fields.items()
        if isinstance(value, list) and all(isinstance(item, str) for item in value)
    ]
    if not keys:
        return
    key = data.draw(st.sampled_from(keys))

    changed = with_list(locate(document.raw), (key,), texts).raw

    page = read_page(changed)
    assert page.fields == {**document.fields, key: texts}
    assert page.body == document.body
    assert not plain_is_safe(key) or yaml.safe_load(page.header)[key] == texts


@given(documents(), st.lists(TEXTS, max_size=5), st.data())
def test_items_that_stay_keep_their_bytes(
    document: Document, texts: list[str], data: st.DataObject
) -> None:
    header = locate(document.raw)
    keys = [key for key, v in document.fields.items() if isinstance(v, list) and v]
    if not keys:
        return
    key = data.draw(st.sampled_from(keys))
    items = document.fields[key]
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        return
    kept = [item for item in items if isinstance(item, str)]

    node = header.root.get(key)
    changed = with_list(header, (key,), [*kept, *texts]).raw

    assert node is not None
    assert changed.startswith(document.raw[: node.end - 1])
