"""What a page says, with or without a header, and which files are pages."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.findings import Severity
from store.formats.pages.format import FORMAT, is_page
from store.formats.port import Refused
from store.times import parse
from tests.store.formats.contract import tree
from tests.store.formats.hostile import make_hostile
from tests.store.formats.notes_stores import write
from tests.store.formats.pages_stores import (
    CORPUS,
    memory_at,
    read_all,
    scanned,
    serena,
    vault,
)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From the header\n---\n# A heading\n", "From the header"),
        ("---\nname: By name\n---\n", "By name"),
        ("Text.\n\n# A heading #\n\n# Another\n", "A heading"),
        ("```\n# In code\n```\n## Second level\n", "some page"),
        ("", "some page"),
    ],
)
def test_a_title_is_in_the_header_or_the_first_heading_or_the_name_of_the_file(
    tmp_path: Path, text: str, title: str
) -> None:
    write(tmp_path / "some page.md", text)

    assert memory_at(tmp_path, "some page.md").title == title


def test_a_header_says_what_kind_of_page_it_is_and_nothing_of_it_is_lost(
    tmp_path: Path,
) -> None:
    write(
        tmp_path / "a.md",
        "---\ntitle: A\ntype: decision\ntags: [x, 'y z']\nsummary: Short\n"
        "created: 2026-02-03\nmodified: 2026-02-04T10:00:00Z\naliases: [Alpha]\n"
        "owner: Zoe\n---\nText.\n",
    )

    memory = memory_at(tmp_path, "a.md")

    assert memory.type == "decision"
    assert memory.tags == ("x", "y z")
    assert memory.description == "Short"
    assert memory.created == parse("2026-02-03")
    assert memory.updated == parse("2026-02-04T10:00:00Z")
    assert memory.fields == {"aliases": ["Alpha"], "owner": "Zoe"}
    assert memory.body == "Text.\n"


def test_links_name_a_file_a_path_a_title_or_an_alias(tmp_path: Path) -> None:
    found = read_all(vault(tmp_path))

    names = {path: set(one.memories[0].names) for path, one in found.items()}
    ends = {path: [c.end for c in one.claims] for path, one in found.items()}
    assert names["Retry policy.md"] == {"name:retry-policy", "name:retries"}
    assert names["people/Zoe.md"] == {"name:zoe", "name:people/zoe"}
    assert ends["Retry policy.md"] == ["name:billing-service", "name:people/zoe"]
    assert ends["Billing service.md"] == ["name:retries", "path:people/Zoe.md"]
    assert ends["people/Zoe.md"] == ["path:Billing service.md"]


@pytest.mark.parametrize(
    ("link", "end"),
    [
        ("[[Other]]", "name:other"),
        ("[[Other#Heading|shown]]", "name:other"),
        ("| [[Other\\|shown]] |", "name:other"),
        ("![[Other]]", "name:other"),
        ("[x](./other.md)", "path:a/other.md"),
        ("[x](<../an other.md>)", "path:an other.md"),
        ("[x](../an%20other.md#part)", "path:an other.md"),
        ("![[picture.png]]", None),
        ("![[scan.pdf#page=2]]", None),
        ("`[[Other]]`", None),
        ("[[#Only a heading]]", None),
        ("[x](https://example.org/a.md)", None),
        ("[x](../../outside.md)", None),
    ],
)
def test_each_way_to_write_a_link(tmp_path: Path, link: str, end: str | None) -> None:
    write(tmp_path / "a/page.md", f"See {link}.\n")

    (found,) = read_all(tmp_path).values()

    assert [claim.end for claim in found.claims] == ([end] if end else [])


def test_only_pages_are_read_and_hidden_folders_are_not_entered(tmp_path: Path) -> None:
    vault(tmp_path)
    write(tmp_path / "node_modules/tool/README.md", "# Tool\n")
    write(tmp_path / ".hidden.md", "# Hidden\n")
    write(tmp_path / "notes.txt", "No page.\n")
    write(tmp_path / "deep/er/UPPER.MD", "# Upper\n")

    assert [found.path for found in scanned(tmp_path)] == [
        "Billing service.md",
        "Retry policy.md",
        "deep/er/UPPER.MD",
        "people/Zoe.md",
    ]


def test_a_page_is_found_again_at_its_path(tmp_path: Path) -> None:
    vault(tmp_path)

    with FORMAT.open(tmp_path) as store:
        for source in store.scan():
            assert store.source_at(source.path) == source
        for path in (".obsidian/plugins/notes.md", "diagram.png"):
            assert store.source_at(path) is None


def test_a_page_is_read_where_it_is_and_not_through_links(tmp_path: Path) -> None:
    vault(tmp_path / "vault")
    write(tmp_path / "outside/page.md", "# Outside\n")
    (tmp_path / "vault/again.md").symlink_to("Retry policy.md")
    (tmp_path / "vault/out.md").symlink_to("../outside/page.md")
    (tmp_path / "vault/folder").symlink_to("../outside")

    refused = {
        found.path: (found.flaw.code, found.flaw.severity)
        for found in scanned(tmp_path / "vault")
        if isinstance(found, Refused)
    }

    assert refused == {
        "again.md": ("link-within", Severity.NOTE),
        "folder": ("link-leads-out", Severity.WARNING),
        "out.md": ("link-leads-out", Severity.WARNING),
    }


def test_pages_of_serena_have_titles_and_links(tmp_path: Path) -> None:
    found = read_all(serena(tmp_path))

    titles = {path: one.memories[0].title for path, one in found.items()}
    assert titles == {
        "core.md": "Core",
        "suggested_commands.md": "Suggested Commands",
        "topic/style_guide.md": "Style guide",
    }
    assert [c.end for c in found["core.md"].claims] == ["name:suggested-commands"]


def test_an_archived_page_is_in_a_folder_of_that_name(tmp_path: Path) -> None:
    write(tmp_path / "archive/old.md", "# Old\n")
    write(tmp_path / "archive.md", "# On archives\n")

    assert memory_at(tmp_path, "archive/old.md").archived
    assert not memory_at(tmp_path, "archive.md").archived


NAMES = st.text(
    st.characters(blacklist_categories=["Cs"], blacklist_characters="/\0"), max_size=40
).map(lambda name: f"a{name}.md")


@given(st.dictionaries(NAMES, st.binary(max_size=300), max_size=4))
@example({"a\n[[b]]|#^.md": b"---\naliases: {a: [b]}\ntitle: []\n---\n[[a]]"})
@example({"a\udcff.md".encode(errors="surrogateescape").decode("latin1"): b"# \xff"})
def test_no_name_and_no_bytes_are_too_strange(files: dict[str, bytes]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name, raw in files.items():
            (root / name).write_bytes(raw)
        before = tree(root)

        found = read_all(root)

        assert set(found) == {path.name for path in root.iterdir()}
        assert all(len(one.memories) == 1 for one in found.values())
        assert tree(root) == before


def test_names_that_are_not_text_are_read(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_bytes(b"# Coffee\n")

    (path,) = read_all(tmp_path)

    assert os.fsencode(path) == b"caf\xe9.md"


def test_hostile_pages_are_read_and_nothing_outside_is(tmp_path: Path) -> None:
    cases = make_hostile(tmp_path / "hostile", "memdir", "markdown", "fs", "yaml")
    root = tmp_path / "hostile"

    found = read_all(root)

    told = {path for path, one in found.items() if one.memories or one.flaws}
    told |= {one.path for one in scanned(root) if isinstance(one, Refused)}
    pages = {case["path"] for case in cases if is_page(Path(case["path"]).name)}
    assert len(pages) > 100
    missed = {path for path in pages - told if "/." not in path}
    assert not [path for path in missed if not (root / path).is_dir()]
    assert "OUTSIDE-SECRET" not in repr(found)


@pytest.mark.parametrize(
    "place",
    [
        "memory/koenvue/.claude/memory",
        "memory/memory-plugin/.claude/memory",
        "memory/slay/.claude/memory",
        "console-md",
    ],
)
def test_real_pages_are_read(place: str) -> None:
    if not CORPUS.is_dir():
        pytest.skip("The corpus of real stores is not beside the project.")

    found = read_all(CORPUS / place)

    assert found
    for path, one in found.items():
        (memory,) = one.memories
        assert memory.title, path
        errors = {f.code for f in one.flaws if f.severity is Severity.ERROR}
        assert errors <= {"invalid-yaml"}, path
