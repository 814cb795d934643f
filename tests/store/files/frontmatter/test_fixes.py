"""Missing quotes are added, and the header keeps its meaning."""

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from store.files.frontmatter import EditRefusedError, read_page
from store.files.frontmatter_edit import with_quotes
from tests.store.files.frontmatter.documents import TEXTS, Document, documents


@pytest.mark.parametrize(
    ("header", "mended"),
    [
        ("description: Style: NYC\n", 'description: "Style: NYC"\n'),
        ("name: x # y\n", 'name: "x # y"\n'),
        ("title: 'it's'\n", 'title: "it\'s"\n'),
        ('title: "Fix "foo" in bar"\n', 'title: "Fix \\"foo\\" in bar"\n'),
        ('title: "foo" and "bar"\n', 'title: "\\"foo\\" and \\"bar\\""\n'),
        ('title: "Never closed\n', 'title: "Never closed"\n'),
        ('title: "Match \\d+"\n', 'title: "Match \\\\d+"\n'),
        ("m:\n  - t: a\n    c: b: c\n", 'm:\n  - t: a\n    c: "b: c"\n'),
        ("a: @b\nc: d\n", 'a: "@b"\nc: d\n'),
        ("description: ends:\n", 'description: "ends:"\n'),
        ("a: b # c\ndescription: d: e\n", 'a: b # c\ndescription: "d: e"\n'),
        ("m:\n  x: y\nt: a: b\n", 'm:\n  x: y\nt: "a: b"\n'),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_an_ambiguous_value_is_quoted(header: str, mended: str, newline: str) -> None:
    raw = f"---\n{header}---\n\nbody: x: y\n".replace("\n", newline).encode()

    after = with_quotes(raw)

    assert after == f"---\n{mended}---\n\nbody: x: y\n".replace("\n", newline).encode()
    assert isinstance(yaml.safe_load(read_page(after).header), dict)
    assert with_quotes(after) == after


@pytest.mark.parametrize(
    "text",
    ["body alone", "---\na: [b\n---\n", "---\n- a\n---\n", "---\na: *b\nc: d: e\n"],
)
def test_a_header_that_quotes_do_not_fix_is_refused(text: str) -> None:
    with pytest.raises(EditRefusedError):
        with_quotes(text.encode())


@given(documents())
def test_a_valid_header_keeps_its_meaning(document: Document) -> None:
    after = with_quotes(document.raw)

    assert read_page(after).fields == document.fields
    assert read_page(after).body == document.body


@given(st.dictionaries(st.sampled_from(["name", "type", "x"]), TEXTS, min_size=1))
@example({"name": "="})
@example({"name": "<<"})
def test_any_plain_text_is_fixed_or_refused(fields: dict[str, str]) -> None:
    lines = "".join(f"{key}: {' '.join(v.split())}\n" for key, v in fields.items())
    raw = f"---\n{lines}---\nbody\n".encode()
    before = read_page(raw)
    try:
        after = with_quotes(raw)
    except EditRefusedError:
        return

    assert read_page(after).fields == before.fields
    assert read_page(after).body == before.body
    yaml.safe_load(read_page(after).header)
