"""Folders are listed and walked in order, down to a depth."""

import os
import sys
from pathlib import Path

import pytest

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from tests.store.files.beneath.walks import CANARY, failed, walked


def test_a_folder_is_listed_in_byte_order_of_its_names(top: Path) -> None:
    fixes = os.fsencode(top / "graph" / "fixes")
    names = ["b.md", "B.txt", "é.md", "😀.md", "\uffee.md", "a\n.md", "\n", "..\n"]
    names += ["\x1b]2;PWNED\x1b\\.md", "n" * 252 + ".md", " lead.md", "-rf.md", "\\.md"]
    if sys.platform != "darwin":
        names += ["\udcff.md", "\udc80\uffee.md"]
    for name in names:
        Path(os.fsdecode(fixes + b"/" + os.fsencode(name))).write_bytes(b"here")
    with Root(top) as root:
        listed = root.entries("graph/fixes")
        assert [os.fsencode(entry.name) for entry in listed] == sorted(
            map(os.fsencode, [*names, "redis.md"])
        )
        for name in names:
            assert root.read(f"graph/fixes/{name}").raw == b"here"


def test_a_walk_lists_folders_before_their_content(root: Root) -> None:
    assert walked(root) == [
        "CORE.md",
        "graph",
        "graph/fixes",
        "graph/fixes/redis.md",
    ]
    assert walked(root, "graph") == ["graph/fixes", "graph/fixes/redis.md"]
    kinds = [item.kind for item in root.walk(depth=9) if isinstance(item, Entry)]
    assert kinds == [Kind.FILE, Kind.FOLDER, Kind.FOLDER, Kind.FILE]


def test_a_walk_names_the_folders_that_it_does_not_enter(root: Root) -> None:
    assert failed(root, depth=2) == {}
    errors = failed(root, depth=1)
    assert list(errors) == ["graph/fixes"]
    assert str(errors["graph/fixes"]).startswith("'graph/fixes' is too deep")


def test_a_walk_that_cannot_begin_reports_it(root: Root) -> None:
    assert walked(root, "nowhere") == ["nowhere"]
    with pytest.raises(UnreadableError, match=r"'nowhere' does not exist\."):
        root.entries("nowhere")


def test_a_walk_does_not_follow_links(root: Root, top: Path) -> None:
    (top / "loop").symlink_to(".")
    (top / "out").symlink_to("../outside")
    kinds = {e.path: e.kind for e in root.walk(depth=9) if isinstance(e, Entry)}
    assert kinds["loop"] is kinds["out"] is Kind.LINK
    assert len(kinds) == 6


not_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")


@not_root
def test_an_unreadable_folder_is_reported(root: Root, top: Path) -> None:
    (top / "CORE.md").chmod(0o200)
    (top / "graph" / "fixes").chmod(0o600)
    (top / "graph").chmod(0o300)
    try:
        with pytest.raises(UnreadableError, match=r"'CORE\.md' may not be read"):
            root.read("CORE.md")
        assert set(failed(root)) == {"graph"}
        (top / "graph").chmod(0o700)
        assert set(failed(root)) == {"graph/fixes"}
    finally:
        (top / "graph").chmod(0o700)
        (top / "graph" / "fixes").chmod(0o700)


def test_a_path_too_long_for_the_system_is_named_and_not_entered(top: Path) -> None:
    handle = os.open(top, os.O_RDONLY)
    for _ in range(25):
        os.mkdir("d" * 200, dir_fd=handle)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    os.close(handle)
    with Root(top) as root:
        [error] = failed(root, depth=500).values()
        assert "is too long a path" in str(error)


def test_a_folder_that_became_a_link_during_the_walk_is_not_entered(
    root: Root, top: Path
) -> None:
    walk = root.walk(depth=9)
    seen = [next(walk), next(walk)]
    assert [item.path for item in seen if isinstance(item, Entry)] == [
        "CORE.md",
        "graph",
    ]
    (top / "graph").rename(top / "old")
    (top / "graph").symlink_to("../outside")
    [(path, error)] = [item for item in walk if isinstance(item, tuple)]
    assert (path, CANARY in str(error)) == ("graph", False)
