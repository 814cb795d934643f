"""A memory file is read as far as possible, with its flaws."""

from hypothesis import given
from hypothesis import strategies as st

from store.files.frontmatter import Page, read_page
from store.findings import Severity
from tests.store.files.frontmatter.documents import Document, documents

MEMORY = b"""\
---
id: a1b2c3d4
title: "Fixed Redis connection timeouts"
tags: [redis, timeout]
importance: 0.8
created: 2025-12-06T16:25:58+00:00
relations:
  - target: def789ab
    type: SOLVES
    context: "Keepalive prevents idle disconnections"
  - target: def789ac
    type: RELATED_TO
---

Added a keepalive.
"""


def codes(page: Page) -> list[str]:
    return [flaw.code for flaw in page.flaws]


def test_a_memory_is_read_with_every_scalar_a_string() -> None:
    page = read_page(MEMORY)

    assert page.fields == {
        "id": "a1b2c3d4",
        "title": "Fixed Redis connection timeouts",
        "tags": ["redis", "timeout"],
        "importance": "0.8",
        "created": "2025-12-06T16:25:58+00:00",
        "relations": [
            {
                "target": "def789ab",
                "type": "SOLVES",
                "context": "Keepalive prevents idle disconnections",
            },
            {"target": "def789ac", "type": "RELATED_TO"},
        ],
    }
    assert page.body == "\nAdded a keepalive.\n"
    assert (page.has_header, page.body_line, page.flaws) == (True, 14, ())


def test_keys_are_found_on_their_lines() -> None:
    page = read_page(MEMORY)

    assert page.line_of("id") == 2
    assert page.line_of("relations") == 7
    assert page.line_of("context") is None
    assert read_page(MEMORY.replace(b"\n", b"\r\n")).line_of("relations") == 7


def test_text_without_a_header_is_all_body() -> None:
    for raw in (b"just text\n", b"\n---\na: b\n---\n", b"----\na: b\n----\n"):
        page = read_page(raw)

        assert page == Page({}, raw.decode(), 1, has_header=False, flaws=())


def test_only_a_fence_of_its_own_closes_the_header() -> None:
    page = read_page(b"---\ntext: |\n  a\n  ---\n  b\nc: ---d\n--- \nbody")

    assert page.fields == {"text": "a\n---\nb\n", "c": "---d"}
    assert page.body == "body"


def test_an_unclosed_header_is_reported_and_shown_as_text() -> None:
    page = read_page(b"---\ntitle: t\nbody without end\n")

    assert codes(page) == ["unclosed-header"]
    assert page.body == "---\ntitle: t\nbody without end\n"


def test_the_beginning_of_a_large_file_is_read_correctly() -> None:
    raw = MEMORY + "끝".encode()
    page = read_page(raw[:-1], whole=False)

    assert codes(page) == ["too-large"]
    assert page.fields["id"] == "a1b2c3d4"
    assert page.body == "\nAdded a keepalive.\n"
    assert codes(read_page(MEMORY[:40], whole=False)) == ["too-large"]


def test_prose_between_rules_is_not_a_header() -> None:
    page = read_page(b"---\nOnly prose here.\n---\nAnd more.\n")

    assert codes(page) == ["invalid-yaml"]
    assert page.body == "---\nOnly prose here.\n---\nAnd more.\n"
    assert not page.has_header


def test_broken_yaml_is_recovered_and_reported_in_plain_words() -> None:
    page = read_page(b"---\nname: cover\ndescription: Standards: NYC # 1\n---\nb\n")

    [flaw] = page.flaws
    assert page.fields == {"name": "cover", "description": "Standards: NYC # 1"}
    assert (flaw.code, flaw.severity, flaw.line) == ("invalid-yaml", Severity.ERROR, 3)
    assert flaw.message == (
        "Invalid YAML front matter: an unquoted value contains a colon and a "
        "space (line 3). Parsed line by line."
    )


def test_a_hash_in_a_text_is_kept_and_elsewhere_starts_a_comment() -> None:
    raw = (
        b"---\n# a note\ndescription: fix # 12\ntitle: #1 of 3\ntype: user # me\n---\n"
    )
    page = read_page(raw)

    assert page.fields == {
        "description": "fix # 12",
        "title": "#1 of 3",
        "type": "user",
    }
    assert [(flaw.code, flaw.severity, flaw.line) for flaw in page.flaws] == [
        ("hash-in-value", Severity.NOTE, 3),
        ("hash-in-value", Severity.NOTE, 4),
    ]


def test_the_first_of_two_equal_keys_is_kept() -> None:
    page = read_page(b"---\nid: a\nm:\n  x: 1\n  x: 2\nid: b\n---\n")

    assert page.fields == {"id": "a", "m": {"x": "1"}}
    assert [(flaw.code, flaw.line) for flaw in page.flaws] == [
        ("duplicate-key", 5),
        ("duplicate-key", 6),
    ]


def test_an_unfinished_merge_is_named() -> None:
    raw = b"---\n<<<<<<< HEAD\ntitle: ours\n=======\ntitle: theirs\n>>>>>>> x\n---\n"
    page = read_page(raw)

    assert page.fields == {"title": "ours"}
    assert page.flaws[0].message.startswith(
        "The front matter contains merge conflict markers (line 2)."
    )


def test_lone_carriage_returns_end_lines_if_nothing_else_does() -> None:
    page = read_page(b"---\rtitle: cr\rid: x\r---\rone\rtwo\r")

    assert page.fields == {"title": "cr", "id": "x"}
    assert (page.body, page.body_line) == ("one\rtwo\r", 5)
    assert codes(page) == ["lone-cr"]


@given(documents())
def test_fields_and_body_are_the_same_whichever_program_wrote_them(
    document: Document,
) -> None:
    page = read_page(document.raw)

    assert page.fields == document.fields
    assert page.body == document.body
    assert page.flaws == ()


HOSTILE = st.sampled_from(
    [
        "---\n",
        "...\n",
        "a: ",
        "- ",
        "? ",
        ": ",
        "[",
        "{",
        "}",
        "]",
        "&a ",
        "*a ",
        "<<: ",
        "!!set ",
        "|\n",
        ">-\n",
        '"',
        "'",
        "\\u",
        "\\ud83d",
        "  ",
        "\t",
        "\r\n",
        "\r",
        "\n",
        "#",
        " #",
        "\x1b",
        "\0",
        "\u2028",
        "\x85",
        "\ufeff",
        "title: ",
    ]
)


@given(text=st.lists(HOSTILE | st.text(max_size=3)).map("".join), whole=st.booleans())
def test_nothing_in_a_header_prevents_reading(text: str, *, whole: bool) -> None:
    raw = ("---\n" + text + "\n---\nbody\n").encode("utf-8", "surrogatepass")
    page = read_page(raw, whole=whole)

    assert page.body.encode("utf-8", "surrogatepass") in raw or page.flaws


@given(st.binary())
def test_any_bytes_are_read(raw: bytes) -> None:
    page = read_page(raw)

    assert page.body or page.flaws or page.has_header
