"""Files that are not UTF-8 are read in the most likely encoding, and reported."""

import pytest

from store.files.frontmatter import read_page

MEMORY = "---\ntitle: {}\n---\n{}\n"


@pytest.mark.parametrize(
    ("encoding", "title", "named"),
    [
        ("utf-16", "레디스", "UTF-16"),
        ("utf-16-be", "\ufeff", "UTF-16"),
        ("gb18030", "修复连接超时", "gb18030"),
        ("latin-1", "naïve café", "latin-1"),
    ],
)
def test_the_encoding_is_guessed_and_named(
    monkeypatch: pytest.MonkeyPatch, encoding: str, title: str, named: str
) -> None:
    monkeypatch.setattr("locale.getencoding", lambda: "UTF-8")
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    title = title.removeprefix("\ufeff") or "t"
    page = read_page((mark + MEMORY.format(title, title)).encode(encoding))

    assert page.fields == {"title": title}
    assert page.body == f"{title}\n"
    assert [(flaw.code, flaw.message) for flaw in page.flaws] == [
        ("not-utf8", f"Not valid UTF-8; read as {named}.")
    ]


def test_the_encoding_of_the_machine_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("locale.getencoding", lambda: "cp1251")
    page = read_page(MEMORY.format("память", "").encode("cp1251"))

    assert page.fields == {"title": "память"}


@pytest.mark.parametrize(
    "raw", [b"\0", b"\x89PNG\r\n\x1a\n\0\0", b"\x1f\x8b\x08\0" * 9]
)
def test_binary_data_is_not_shown(raw: bytes) -> None:
    page = read_page(raw)

    assert page.body == ""
    assert [flaw.code for flaw in page.flaws] == ["not-text"]


def test_a_nul_byte_in_the_body_does_not_hide_a_memory() -> None:
    page = read_page(b"---\ntitle: t\n---\nbefore\0after\n")

    assert page.fields == {"title": "t"}
    assert page.body == "before\0after\n"


def test_an_empty_file_is_named() -> None:
    assert [flaw.code for flaw in read_page(b"").flaws] == ["empty-file"]


def test_a_byte_order_mark_does_not_hide_the_header() -> None:
    page = read_page(b"\xef\xbb\xbf---\ntitle: t\n---\nbody")

    assert (page.fields, page.body, page.flaws) == ({"title": "t"}, "body", ())
