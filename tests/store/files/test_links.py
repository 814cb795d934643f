import os
import posixpath
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.formats.markdown_read import LineLink, first_link, inside

NAMES = st.text(
    st.characters(exclude_characters="/\\\0:", exclude_categories=["Cs"]),
    min_size=1,
    max_size=20,
).filter(lambda name: name.strip() and name not in (".", "..") and name[0] != "~")
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@pytest.mark.parametrize(
    ("folder", "link", "path"),
    [
        ("episodes", "../graph/fixes/a-1b2c3d.md", "graph/fixes/a-1b2c3d.md"),
        ("", "graph/fixes/a.md", "graph/fixes/a.md"),
        ("", "graph//fixes/./a.md", "graph/fixes/a.md"),
        ("", "graph/fixes/a.md#what-was-done", "graph/fixes/a.md"),
        ("notes", "caf%C3%A9.md", "notes/café.md"),
        ("", "100%25.md", "100%.md"),
        ("", "%252e%252e/a.md", "%2e%2e/a.md"),
        ("", "GRAPH/A.MD", "GRAPH/A.MD"),
        ("", "-rf", "-rf"),
        ("", "$(touch x)", "$(touch x)"),
        ("graph/fixes", "../../CORE.md", "CORE.md"),
    ],
)
def test_a_link_within_the_store_is_a_path(folder: str, link: str, path: str) -> None:
    assert inside(folder, link) == path


@pytest.mark.parametrize(
    "link",
    [
        "",
        " ",
        ".",
        "..",
        "/",
        "#only-a-fragment",
        "../../outside.txt",
        "/etc/passwd",
        "%2Fetc/passwd",
        "graph/../../outside.txt",
        "%2e%2e/outside.txt",
        "..%2foutside.txt",
        "~/.ssh/id_rsa",
        "~root/x",
        "file:///etc/passwd",
        "http://evil.example/x.md",
        "mailto:x@example.org",
        "..\\..\\outside.txt",
        "..%5C..%5Coutside.txt",
        "C:\\Windows\\win.ini",
        "C:win.ini",
        "//evil.example/share/x",
        "graph/fixes/\0x.md",
        "graph/fixes/%00x.md",
        "graph/fixes/a.md/",
        "a" * 5000,
    ],
)
def test_other_links_are_not_paths(link: str) -> None:
    assert inside("", link) is None


def test_a_neighbouring_store_is_outside() -> None:
    assert inside("episodes", "../../store/graph/a.md") is None


@given(st.sampled_from(["", "episodes", "graph/fixes"]), st.text())
@example("", "../x")
@example("episodes", "..%2f../x")
def test_no_link_leads_out_of_the_store(folder: str, link: str) -> None:
    path = inside(folder, link)
    if path is not None:
        assert path == posixpath.normpath(path)
        assert not path.startswith(("/", "../"))
        assert path not in ("", ".", "..")
        root = Path("/a/store")
        assert Path(os.path.normpath(root / path)).is_relative_to(root)


@given(st.sampled_from(["", "episodes", "graph/fixes"]), PATHS)
def test_every_path_in_a_store_can_be_linked_to(folder: str, path: str) -> None:
    link = posixpath.relpath(path, folder or ".")
    assert inside(folder, quote(link)) == path


@pytest.mark.parametrize(
    ("line", "link"),
    [
        ("[a](b.md)", LineLink("a", "b.md", "")),
        ("- [a](b.md) (x, y)", LineLink("a", "b.md", " (x, y)")),
        ("[a](<b (1).md>) and more", LineLink("a", "b (1).md", " and more")),
        ("[a](b (1).md)", LineLink("a", "b (1).md", "")),
        ('[a](b.md "a tooltip")', LineLink("a", "b.md", "")),
        ("[x[0] = y](b.md)", LineLink("x[0] = y", "b.md", "")),
        ("[fix ] that](b.md)", LineLink("fix ] that", "b.md", "")),
        ("[](b.md)", LineLink("", "b.md", "")),
        ("[a]()", LineLink("a", "", "")),
        ("[a]( )", LineLink("a", "", "")),
        ("[unclosed](b.md", None),
        ("[no link] (b.md)", None),
        ("](b.md)", None),
        ("plain", None),
    ],
)
def test_the_first_link_of_a_line(line: str, link: LineLink | None) -> None:
    assert first_link(line) == link


@given(NAMES, PATHS, st.text())
def test_a_written_link_is_found_again(label: str, path: str, rest: str) -> None:
    label = label.replace("](", "")
    assert first_link(f"[{label}](<{quote(path)}>){rest}") == LineLink(
        label, quote(path), rest
    )


@given(st.text(st.sampled_from("[]()<> \"'ab\n")))
def test_no_line_is_too_odd_to_parse(line: str) -> None:
    link = first_link(line)
    if link:
        assert f"[{link.label}](" in line
        assert link.target in line
        assert line.endswith(link.rest)
