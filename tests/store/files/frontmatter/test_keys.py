"""Keys are added and removed with their lines, where their writer has them."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from store.files.frontmatter import EditRefusedError, read_page
from store.files.frontmatter_edit import Form, Path, locate
from store.files.frontmatter_lists import with_key, without_key
from store.files.frontmatter_yaml import plain_is_safe
from tests.store.files.frontmatter.documents import KEYS, TEXTS, Document, documents

ORDER = ("id", "title", "tags", "steps", "updated", "relations")


def added(header: str, path: Path, value: str | list[str], form: Form) -> str:
    raw = f"---\n{header}---\nbody\n".encode()
    changed = with_key(locate(raw), path, value, form, ORDER).raw.decode()
    return changed.removeprefix("---\n").removesuffix("---\nbody\n")


def removed(header: str, *path: str | int) -> str:
    raw = f"---\n{header}---\nbody\n".encode()
    changed = without_key(locate(raw), path).raw.decode()
    return changed.removeprefix("---\n").removesuffix("---\nbody\n")


@pytest.mark.parametrize(
    ("before", "key", "value", "form", "after"),
    [
        ("", "id", "1", Form.AS_IS, "id: 1\n"),
        ("# none\n", "id", "1", Form.AS_NEEDED, '# none\nid: "1"\n'),
        ("id: 1\nx: y\n", "title", "T", Form.QUOTED, 'id: 1\ntitle: "T"\nx: y\n'),
        ("updated: 1\n", "title", "T", Form.AS_NEEDED, "title: T\nupdated: 1\n"),
        ("x: y\n", "title", "T", Form.AS_NEEDED, "x: y\ntitle: T\n"),
        ("x: y\n", "new", "a, b", Form.AS_NEEDED, "x: y\nnew: a, b\n"),
        ("id: 1 # i\n# y\nx: y\n", "tags", ["a"], Form.AS_NEEDED,
         "id: 1 # i\ntags: [a]\n# y\nx: y\n"),
        ("id: |\n  a\n\nx: y\n", "title", "T", Form.AS_NEEDED,
         "id: |\n  a\n\ntitle: T\nx: y\n"),
        ("id: |\n  a\n\n", "title", "T", Form.AS_NEEDED,
         "id: |\n  a\n\ntitle: T\n"),
        ("id: 1\n", "steps", ["a", "b"], Form.QUOTED,
         'id: 1\nsteps:\n  - "a"\n  - "b"\n'),
        ("x:\n- y\n", "steps", ["a"], Form.QUOTED, 'x:\n- y\nsteps:\n- "a"\n'),
        ("{id: 1, x: y}\n", "title", "a, b", Form.AS_NEEDED,
         '{id: 1, title: "a, b", x: y}\n'),
    ],
)  # fmt: skip
def test_a_key_is_added_where_it_belongs(
    before: str, key: str, value: str | list[str], form: Form, after: str
) -> None:
    assert added(before, (key,), value, form) == after


def test_a_key_is_added_to_a_nested_mapping() -> None:
    before = "metadata: \n    type: user\nlist:\n  - a: 1\n    b: 2\nx: y\n"

    deep = added(before, ("metadata", "modified"), "now", Form.AS_NEEDED)
    listed = added(before, ("list", 0, "c"), "3", Form.AS_IS)

    assert deep == before.replace("type: user\n", "type: user\n    modified: now\n")
    assert listed == before.replace("b: 2\n", "b: 2\n    c: 3\n")


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        ("id: 1\nx: y\n", ("id",), "x: y\n"),
        ("id: 1\n", ("id",), ""),
        ("a: |\n  b\n  c\nx: y\n", ("a",), "x: y\n"),
        ("a:\n  - b\n  - c\nx: y\n", ("a",), "x: y\n"),
        ("# of a\na:\n# of x\nx: y\n", ("a",), "# of a\n# of x\nx: y\n"),
        ("l:\n  - a: 1\n    b: 2\n", ("l", 0, "a"), "l:\n  - b: 2\n"),
        ("l:\n  - a: 1\n    b: 2\n", ("l", 0, "b"), "l:\n  - a: 1\n"),
        ("l:\n- {a: 1, b: 2}\n", ("l", 0, "b"), "l:\n- {a: 1}\n"),
        ("l:\n- {a: 1, b: 2}\n", ("l", 0, "a"), "l:\n- {b: 2}\n"),
    ],
)
def test_a_key_is_removed_with_its_lines(before: str, path: Path, after: str) -> None:
    assert removed(before, *path) == after


@pytest.mark.parametrize(
    ("header", "path", "sentence"),
    [
        ("id: 1\n", ("id",), r"The key “id” already exists\."),
        ("id: 1\nid: 2\n", ("x",), r"Duplicate key “id” \(line 3\)\."),
        ("id: 1\n", ("id", "x"), r"Can't add a key here"),
    ],
)
def test_impossible_additions_are_refused(
    header: str, path: Path, sentence: str
) -> None:
    with pytest.raises(EditRefusedError, match=sentence):
        added(header, path, "v", Form.AS_NEEDED)


@pytest.mark.parametrize(
    ("header", "path", "sentence"),
    [
        ("a: 1\n", ("b",), "has no b"),
        ("l:\n- a: 1\n", ("l", 0, "a"), "would be empty"),
        ("m:\n  a: 1\n", ("m", "a"), r"The change would alter more than this value\."),
    ],
)
def test_impossible_removals_are_refused(
    header: str, path: Path, sentence: str
) -> None:
    with pytest.raises(EditRefusedError, match=sentence):
        removed(header, *path)


@given(
    documents(),
    KEYS.filter(plain_is_safe),
    TEXTS | st.lists(TEXTS, max_size=3),
    st.sampled_from([Form.QUOTED, Form.AS_NEEDED]),
)
def test_adding_and_removing_a_key_restores_the_bytes(
    document: Document, key: str, value: str | list[str], form: Form
) -> None:
    if key in document.fields:
        return

    there = with_key(locate(document.raw), (key,), value, form)

    page = read_page(there.raw)
    assert page.fields == {**document.fields, key: value}
    assert page.body == document.body
    assert yaml.safe_load(page.header)[key] == value
    assert without_key(there, (key,)).raw == document.raw


@given(documents(), st.data())
def test_removing_a_key_removes_nothing_else(
    document: Document, data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(sorted(document.fields)))

    page = read_page(without_key(locate(document.raw), (key,)).raw)

    assert page.fields == {k: v for k, v in document.fields.items() if k != key}
    assert page.body == document.body
