"""Entries of a list of mappings are added and removed in its indentation."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from store.files.frontmatter import read_page
from store.files.frontmatter_edit import Form, Told, locate
from store.files.frontmatter_lists import with_entry, without_entries, without_entry
from tests.store.files.frontmatter.documents import FLAT, TEXTS, Document, documents

ENTRY = [
    Told("target", "abc"),
    Told("strength", "0.8", Form.AS_IS),
    Told("context", "so: yes", Form.QUOTED),
]


def put(indent: str) -> str:
    """The entry as lines with this indentation."""
    lines = ("- target: abc", "  strength: 0.8", '  context: "so: yes"')
    return "".join(f"{indent}{line}\n" for line in lines)


BRACED = '{target: abc, strength: 0.8, context: "so: yes"}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("id: 1\n", "id: 1\nrelations:\n" + put("  ")),
        ("tags:\n- a\n", "tags:\n- a\nrelations:\n" + put("")),
        ("relations:\n    - a: b # c\n", "relations:\n    - a: b # c\n" + put("    ")),
        ("relations: [{a: b}]\n", f"relations: [{{a: b}}, {BRACED}]\n"),
        ("relations: []\nx: y\n", "x: y\nrelations:\n" + put("  ")),
        ("relations:\n", "relations:\n" + put("  ")),
    ],
)
def test_an_added_entry_has_the_indentation_of_the_list(
    before: str, after: str
) -> None:
    raw = f"---\n{before}---\nbody\n".encode()

    there = with_entry(locate(raw), "relations", ENTRY)

    assert there.raw.decode() == f"---\n{after}---\nbody\n"


@pytest.mark.parametrize(
    ("before", "index", "after"),
    [
        ("r:\n  - a: 1\n    b: 2\n  - a: 3\n", 0, "r:\n  - a: 3\n"),
        ("r:\n- a: 1\n  b: 2\n- a: 3\nx: y\n", 1, "r:\n- a: 1\n  b: 2\nx: y\n"),
        ("r:\n  - a: 1\nx: y\n", 0, "x: y\n"),
        ("r: [{a: 1}, {a: 2}]\n", 0, "r: [{a: 2}]\n"),
    ],
)  # fmt: skip
def test_an_entry_is_removed_with_its_lines(
    before: str, index: int, after: str
) -> None:
    raw = f"---\n{before}---\nbody\n".encode()

    assert without_entry(locate(raw), "r", index).raw.decode() == (
        f"---\n{after}---\nbody\n"
    )


@given(documents(), st.dictionaries(st.sampled_from("abc"), TEXTS, min_size=1) | FLAT)
def test_adding_and_removing_an_entry_restores_the_bytes(
    document: Document, entry: dict[str, str]
) -> None:
    lists = {
        key: value
        for key, value in document.fields.items()
        if isinstance(value, list) and value and isinstance(value[0], dict)
    }
    key = next(iter(lists), "zz-new")
    old = lists.get(key, [])
    told = [Told(name, text) for name, text in entry.items()]

    there = with_entry(locate(document.raw), key, told)

    page = read_page(there.raw)
    assert page.fields == {**document.fields, key: [*old, entry]}
    assert page.body == document.body
    strict = yaml.load(page.header, Loader=yaml.BaseLoader)  # noqa: S506 - builds strings
    assert strict[key][-1] == entry
    assert without_entry(there, key, len(old)).raw == document.raw


@given(
    leave=st.lists(st.booleans(), min_size=1, max_size=8),
    indent=st.sampled_from(["", "  "]),
    flow=st.booleans(),
)
def test_entries_removed_at_once_are_those_removed_one_by_one(
    leave: list[bool], indent: str, *, flow: bool
) -> None:
    block = "".join(f"{indent}- a: {n}\n{indent}  b: x\n" for n in range(len(leave)))
    braces = ", ".join(f"{{a: {n}, b: x}}" for n in range(len(leave)))
    entries = f"r: [{braces}]\n" if flow else f"r:\n{block}"
    header = locate(f"---\nid: 1\n{entries}t: u\n---\nbody\n".encode())
    gone = [index for index, stays in enumerate(leave) if not stays]

    one_by_one = header
    for index in reversed(gone):
        one_by_one = without_entry(one_by_one, "r", index)

    assert without_entries(header, "r", gone).raw == one_by_one.raw
