"""Handles are few, always closed, and never used for a replaced folder."""

import threading
from pathlib import Path

import pytest

from store.errors import RefusedError, UnreadableError
from store.files.beneath import Folders, Root
from tests.store.files.beneath.walks import walked


def open_handles() -> set[str]:
    return {handle.name for handle in Path("/dev/fd").iterdir()}


@pytest.mark.parametrize("swapped", ["graph", "graph/fixes", "graph/fixes/redis.md"])
def test_a_file_that_became_a_link_out_after_listing_is_refused(
    root: Root, top: Path, swapped: str
) -> None:
    assert "graph/fixes/redis.md" in walked(root)
    root.read("graph/fixes/redis.md")
    (top.parent / "outside" / "fixes").symlink_to(".")
    moved = top.parent / "moved"
    (top / swapped).rename(moved)
    (top / swapped).symlink_to(top.parent / "outside")
    with pytest.raises(RefusedError):
        root.read("graph/fixes/redis.md")
    (top / swapped).unlink()
    (top / swapped).symlink_to(moved)
    with pytest.raises(RefusedError):
        root.read("graph/fixes/redis.md")


def test_a_replaced_folder_is_read_again(root: Root, top: Path) -> None:
    root.read("graph/fixes/redis.md")
    (top / "graph").rename(top / "old")
    (top / "graph" / "fixes").mkdir(parents=True)
    (top / "graph" / "fixes" / "redis.md").write_bytes(b"new")
    assert root.read("graph/fixes/redis.md").raw == b"new"
    (top / "graph" / "fixes" / "redis.md").unlink()
    (top / "graph" / "fixes").rmdir()
    with pytest.raises(UnreadableError, match="does not exist"):
        root.read("graph/fixes/redis.md")


def test_a_folder_swapped_back_and_forth_never_shows_anything_outside(
    root: Root, top: Path
) -> None:
    stop = threading.Event()
    fixes, aside, link = top / "graph" / "fixes", top / "aside", top / "link"
    link.symlink_to("../../outside")

    def swap() -> None:
        while not stop.is_set():
            fixes.rename(aside)
            link.rename(fixes)
            fixes.rename(link)
            aside.rename(fixes)

    swapping = threading.Thread(target=swap)
    swapping.start()
    seen: set[bytes] = set()
    try:
        for _ in range(2000):
            try:
                seen.add(root.read("graph/fixes/redis.md").raw)
            except UnreadableError:
                continue
    finally:
        stop.set()
        swapping.join()
    assert seen <= {b"# Redis\n"}
    assert root.read("graph/fixes/redis.md").raw == b"# Redis\n"


def test_few_handles_are_open_and_none_remain(top: Path) -> None:
    for number in range(Folders.CAPACITY * 2):
        (top / f"{number}").mkdir()
        (top / f"{number}" / "note.md").write_bytes(b"%d" % number)
    before = open_handles()
    with Root(top) as root:
        for _ in range(2):
            for number in range(Folders.CAPACITY * 2):
                assert root.read(f"{number}/note.md").raw == b"%d" % number
        assert len(walked(root)) == Folders.CAPACITY * 4 + 4
        assert len(open_handles() - before) <= Folders.CAPACITY + 1
        with pytest.raises(UnreadableError):
            root.read("nowhere/note.md")
    assert open_handles() == before
    with pytest.raises(UnreadableError):
        root.read("CORE.md")
    root.close()
    assert open_handles() == before


def test_a_tree_deeper_than_the_number_of_handles_can_be_read(top: Path) -> None:
    deep = "/".join(["d"] * (Folders.CAPACITY * 3))
    (top / deep).mkdir(parents=True)
    (top / deep / "note.md").write_bytes(b"deep")
    with Root(top) as root:
        assert root.read(f"{deep}/note.md").raw == b"deep"
        assert f"{deep}/note.md" in walked(root, depth=500)
