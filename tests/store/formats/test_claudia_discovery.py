"""Where stores are, how they are recognised, and which files are read."""

import os
from pathlib import Path

import pytest

from store.files.beneath import Root
from store.formats.claudia.format import FORMAT
from store.machine import Machine
from tests.store.files.sqlite_files import make
from tests.store.formats.claudia_stores import (
    only,
    page,
    read,
    refused,
    small,
    small_tree,
)


def sniffs(folder: Path) -> bool:
    with Root(folder) as root:
        return FORMAT.sniff(root)


def test_places_are_those_of_the_program_and_its_librarian(
    tmp_path: Path,
) -> None:
    data = {"ANIMA_DATA_DIR": str(tmp_path / "data")}
    assert list(FORMAT.places(Machine(tmp_path, tmp_path, data))) == [
        tmp_path / "data",
        *(tmp_path / name for name in (".anima", ".claudia", "memory", "libby")),
    ]


def test_the_old_and_the_new_database_are_separate_stores(tmp_path: Path) -> None:
    small(tmp_path / ".claudia", level=6, name="claudia.db")
    small(tmp_path / ".anima", level=22, name="anima.db")

    for folder, name in ((".claudia", "claudia.db"), (".anima", "anima.db")):
        assert sniffs(tmp_path / folder)
        assert len(only(tmp_path / folder, name).conversations) == 2
        with FORMAT.open(tmp_path / folder) as opened:
            assert opened.title == folder.removeprefix(".")


def test_a_database_is_recognised_by_its_tables(tmp_path: Path) -> None:
    small(tmp_path / "copied", name="backup of March.db")
    make(tmp_path / "other.db", "CREATE TABLE t (a)")

    assert sniffs(tmp_path / "copied")
    assert not sniffs(tmp_path)


def test_text_about_the_tables_is_not_enough(tmp_path: Path) -> None:
    make(
        tmp_path / "other.db",
        "CREATE TABLE t (a)",
        "INSERT INTO t VALUES ('CREATE TABLE memory_conversations (id)')",
    )

    assert not sniffs(tmp_path)


def test_a_tree_is_recognised_by_its_pages(tmp_path: Path) -> None:
    small_tree(tmp_path / "memory")
    page(tmp_path / "day", "episodes/2026-02/2026-02-20.md", "## 1:33 PM\n")
    page(tmp_path / "two", "projects/kilnbook/overview.md", "## Kilnbook\n")
    page(tmp_path / "two", "insights/cones.md", "Cones.\n")
    page(tmp_path / "libby", "transcripts/7.md", "Date: today\nSession: x\n")

    for name in ("memory", "day", "two", "libby"):
        assert sniffs(tmp_path / name), name


@pytest.mark.parametrize(
    "paths",
    [
        ("episodes/2026-02-20.md", "insights/a.md", "core/b.md"),
        ("graph/a.md", "episodes/2026-02/2026-02-20.md"),
        ("MEMORY.md", "projects/x/overview.md", "insights/a.md"),
        ("projects/x/overview.md", "src/a.md"),
        ("insights/a.md", "core/b.md"),
        ("transcripts/interview.md",),
        ("transcripts/7.md",),
        ("episodes/s01/e01.md",),
    ],
)
def test_folders_of_other_programs_are_not_a_tree(
    tmp_path: Path, paths: tuple[str, ...]
) -> None:
    for path in paths:
        page(tmp_path, path, "Some text.\n")

    assert not sniffs(tmp_path)


def test_files_beside_a_database_are_reported_or_skipped(
    tmp_path: Path,
) -> None:
    small(tmp_path)
    page(tmp_path, "anima.json", "{}")
    page(tmp_path, "logs/gateway.log", "started\n")
    page(tmp_path, ".DS_Store", "")
    page(tmp_path, "notes.txt", "mine\n")
    page(tmp_path, "orphan.db-wal", "x")
    (tmp_path / "folder.db").mkdir()
    os.mkfifo(tmp_path / "pipe.db")
    (tmp_path / "again.db").symlink_to("anima.db")

    assert set(read(tmp_path)) == {"anima.db", "anima.json"}
    assert refused(tmp_path) == {
        "notes.txt": "foreign-file",
        "orphan.db-wal": "foreign-file",
        "folder.db": "folder-as-file",
        "pipe.db": "special-file",
        "again.db": "link-not-followed",
    }


def test_hidden_folders_of_a_tree_are_not_entered(tmp_path: Path) -> None:
    small_tree(tmp_path)
    page(tmp_path, ".git/objects/readme.md", "not a page\n")
    page(tmp_path, "insights/picture.png", "not a page\n")
    page(tmp_path, "a/b/c/d/e/f/deep.md", "too deep\n")

    assert not [path for path in read(tmp_path) if path.startswith((".git", "a/"))]
    assert refused(tmp_path) == {
        "insights/picture.png": "foreign-file",
        "a/b/c/d/e/f": "folder-not-entered",
    }


def test_a_tree_changes_when_a_page_does(tmp_path: Path) -> None:
    small_tree(tmp_path)

    def glance() -> bytes | None:
        with FORMAT.open(tmp_path) as opened:
            return opened.glance()

    first = glance()
    assert glance() == first
    page(tmp_path, "projects/kilnbook/overview.md", "## Changed\n")
    assert glance() != first


def test_its_own_folders_contain_no_other_store() -> None:
    assert FORMAT.keeps("episodes")
    assert not FORMAT.keeps("workspace")
