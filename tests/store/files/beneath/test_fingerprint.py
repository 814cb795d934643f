"""A fingerprint changes if and only if something in the folder did."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from store.files.beneath import Root

DEPTHS = {"": 0, "graph": 2}
LATE = 2_000_000_000_000_000_000


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for path in ("top.md", "graph/a/one.md", "graph/a/two.md", "graph/b/c/deep.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    return tmp_path


def taken(tree: Path) -> bytes:
    with Root(tree) as root:
        return root.fingerprint(DEPTHS)


def add(tree: Path) -> None:
    (tree / "graph/a/three.md").touch()


def remove(tree: Path) -> None:
    (tree / "graph/a/one.md").unlink()


def rename(tree: Path) -> None:
    (tree / "graph/b/c/deep.md").rename(tree / "graph/b/c/deeper.md")


def grow(tree: Path) -> None:
    before = (tree / "top.md").stat()
    (tree / "top.md").write_text("much longer than it was")
    os.utime(tree / "top.md", ns=(before.st_atime_ns, before.st_mtime_ns))


def touch(tree: Path) -> None:
    os.utime(tree / "graph/b/c/deep.md", ns=(LATE, LATE))


def swap(tree: Path) -> None:
    file = tree / "graph/a/one.md"
    before = file.stat()
    other = tree / "graph/a/.other"
    other.write_bytes(file.read_bytes())
    other.replace(file)
    for path in (file, file.parent):
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def link_instead(tree: Path) -> None:
    file = tree / "graph/a/one.md"
    file.unlink()
    file.symlink_to("two.md")


@pytest.mark.parametrize(
    "change", [add, remove, rename, grow, touch, swap, link_instead]
)
def test_every_change_shows_in_the_fingerprint(
    tree: Path, change: Callable[[Path], None]
) -> None:
    before = taken(tree)
    assert taken(tree) == before

    change(tree)

    assert taken(tree) != before


def test_changes_below_the_given_depth_do_not_count(tree: Path) -> None:
    deep = tree / "graph/b/c/d/e"
    deep.mkdir(parents=True)
    before = taken(tree)

    (deep / "too-deep.md").touch()

    assert taken(tree) == before


def test_a_missing_folder_has_another_fingerprint(tree: Path) -> None:
    before = taken(tree)

    (tree / "graph").rename(tree / "away")

    assert taken(tree) != before


def test_times_beyond_32_bits_are_used_unchanged(tree: Path) -> None:
    far = 2**33
    os.utime(tree / "top.md", (far, far))
    before = taken(tree)

    os.utime(tree / "top.md", (far + 1, far + 1))

    assert taken(tree) != before


def test_each_of_very_many_files_counts(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    files = [store / f"{number}.md" for number in range(5000)]
    for file in files:
        file.touch()
    before = taken(store)
    assert taken(store) == before

    for file in (files[0], files[-1]):
        file.write_text("More.\n", encoding="utf-8")
        after = taken(store)
        assert after != before
        before = after
