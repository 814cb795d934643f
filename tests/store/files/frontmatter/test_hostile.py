"""Headers made to crash, hang or run something are refused by name, and still shown."""

import pytest

from store.files.frontmatter import read_page


def page_of(header: str | bytes) -> bytes:
    raw = header if isinstance(header, bytes) else header.encode()
    return b"---\n" + raw + b"\n---\nbody\n"


ALIASES = "a0: &a0 [x,x,x]\n" + "".join(
    f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30)
)
MERGES = "a0: &a0 {k: 1}\n" + "".join(
    f"a{i}: &a{i} {{<<: [{','.join([f'*a{i - 1}'] * 9)}]}}\n" for i in range(1, 9)
)


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        ("x: " + "[" * 100_000 + "]" * 100_000, "more than 32 levels deep (line 2)"),
        ("x: " + "{a: " * 5_000, "more than 32 levels deep (line 2)"),
        ("x:\n" + "- " * 20_000 + "x", "more than 32 levels deep (line 3)"),
        (ALIASES, "an anchor (line 2)"),
        (MERGES, "an anchor (line 2)"),
        ("title: t\n<<: foo", "a merge key (line 3)"),
        ("title: *nope", "an alias (line 2)"),
        (
            "x: !!python/object/apply:os.system [a]",
            "a custom tag (line 2)",
        ),
        ("title: !vault x", "a custom tag (line 2)"),
        ("? [a, b]\n: c", "a key that isn't plain text (line 2)"),
        (
            "".join(f"k{i} : [a]\n" for i in range(20_000)),
            "The front matter contains too many values. Parsed line by",
        ),
    ],
    ids=lambda value: value[:24] if isinstance(value, str) else None,
)
def test_expanding_references_are_not_followed(header: str, sentence: str) -> None:
    page = read_page(page_of(header))

    assert page.flaws[0].code == "unsafe-yaml"
    assert sentence in page.flaws[0].message
    assert page.body == "body\n"
    assert page.fields


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        ("created: 2025-99-99", {"created": "2025-99-99"}),
        (
            "created: 0000-01-01T00:00:00+99:99",
            {"created": "0000-01-01T00:00:00+99:99"},
        ),
        ("n: " + "9" * 5_000, {"n": "9" * 5_000}),
        (
            "title: yes\nid: 0123\ntype: no",
            {"title": "yes", "id": "0123", "type": "no"},
        ),
        ("yes: 1\n1: a\n~: b", {"yes": "1", "1": "a", "~": "b"}),
        (
            "content: a\nhandler: b\n__class__: c",
            {"content": "a", "handler": "b", "__class__": "c"},
        ),
        ("x: !!binary '@@@'\ny: !!set {a, b}", {"x": "@@@", "y": {"a": "", "b": ""}}),
        ('title: "\\e]0;x\\a \\0"', {"title": "\x1b]0;x\x07 \0"}),
        ("title: ~\nid:", {"title": "~", "id": ""}),
        ("tags: [[a], {b: c}, 1.5]", {"tags": [["a"], {"b": "c"}, "1.5"]}),
        ("title: " + "y" * 1_000_000, {"title": "y" * 1_000_000}),
        ("", {}),
        ("# only a comment", {}),
    ],
    ids=lambda value: value[:24] if isinstance(value, str) else "",
)
def test_unusual_values_stay_strings(header: str, fields: dict[str, object]) -> None:
    page = read_page(page_of(header))

    assert page.fields == fields
    assert page.flaws == ()


def test_ten_thousand_keys_are_read() -> None:
    page = read_page(page_of("".join(f"k{i}: {i}\n" for i in range(10_000))))

    assert len(page.fields) == 10_000
    assert page.flaws == ()


@pytest.mark.parametrize(
    ("header", "why", "fields"),
    [
        (
            b"title: a\x1b]0;x\x07",
            "a control character (line 2)",
            {"title": "a\x1b]0;x\x07"},
        ),
        (
            b"id: 1\ntitle: a\0b",
            "a control character (line 3)",
            {"id": "1", "title": "a\0b"},
        ),
        (b'title: "\\ud83d"', "an invalid escape (line 2)", {"title": "\\ud83d"}),
        (b'title: "\\ud83d\\ude00"', "an invalid escape (line 2)", {"title": "😀"}),
        (
            b"title: t\nr:\n\t- a: x",
            "needs quotes (line 4)",
            {"title": "t", "r": [{"a": "x"}]},
        ),
        (b"%YAML 9.9\ntitle: t", "starts with a directive (line 2)", {"title": "t"}),
        (
            b"title: t\n--- x\nid: a",
            "a second document (line 3)",
            {"title": "t", "id": "a"},
        ),
        (b"k" * 2_000 + b": v", "a text, not fields", {"k" * 2_000: "v"}),
    ],
)
def test_invalid_yaml_is_read_line_by_line(
    header: bytes, why: str, fields: dict[str, object]
) -> None:
    page = read_page(page_of(header))

    assert page.flaws[0].code == "invalid-yaml"
    assert why in page.flaws[0].message
    assert page.fields == fields


def test_endless_flaws_are_counted() -> None:
    page = read_page(page_of("id: x\n" * 10_000))

    assert len(page.flaws) == 51
    assert (
        page.flaws[-1].message
        == "9,949 more problems aren't listed for this front matter."
    )


def test_an_enormous_header_is_read_line_by_line() -> None:
    page = read_page(page_of("title: t\n" + "k: " + "x" * (1 << 20) + "\n\n# end\n"))

    assert page.fields["title"] == "t"
    assert [(flaw.code, flaw.line) for flaw in page.flaws] == [
        ("header-too-large", 1),
        ("value-too-long", 3),
    ]

    page = read_page(page_of("".join(f"k{i}: {'x' * 40}\n" for i in range(30_000))))
    assert len(page.fields) == 20_000
    assert [flaw.code for flaw in page.flaws] == ["header-too-large"] * 2
