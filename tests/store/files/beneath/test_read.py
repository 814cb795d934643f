"""Files are read by path; anything but a plain file within the root is refused."""

import os
import socket
import sqlite3
from contextlib import chdir, closing
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.errors import RefusedError, UnreadableError
from store.files.beneath import Entry, Kind, Root, first_bytes, stamp_of


def test_a_file_is_read_with_its_stamp_and_digest(root: Root, top: Path) -> None:
    blob = root.read("graph/fixes/redis.md")
    about = (top / "graph/fixes/redis.md").stat()
    assert blob.raw == b"# Redis\n"
    assert blob.whole
    assert blob.digest == blake2b(b"# Redis\n").hexdigest()
    assert blob.stamp == (about.st_size, about.st_mtime_ns, about.st_ino)
    listed = root.entries("graph/fixes")
    assert [entry.stamp for entry in listed] == [blob.stamp]


@given(st.integers(-(2**70), 2**70), st.integers(0, 2**64 - 1))
@example(-(2**70), 1)
@example(2**70, 2**64 - 1)
def test_the_index_can_hold_the_stamp_of_any_file(time: int, inode: int) -> None:
    about = os.stat_result((0, inode, *[0] * 8), {"st_mtime_ns": time})

    stamp = stamp_of(about)

    with closing(sqlite3.connect(":memory:")) as index:
        (held,) = index.execute("SELECT ?, ?, ?", stamp)
    assert held == stamp
    assert stamp.mtime_ns == time or abs(time) >= abs(stamp.mtime_ns) == 2**63 - 1


def test_a_file_over_the_limit_is_read_in_part(root: Root, top: Path) -> None:
    with (top / "huge.md").open("wb") as huge:
        huge.truncate(1 << 40)
    blob = root.read("huge.md", limit=1000)
    assert (len(blob.raw), blob.whole, blob.stamp.size) == (1000, False, 1 << 40)
    assert root.read("CORE.md", limit=4).whole
    assert root.read("CORE.md", limit=3).raw == b"cor"
    assert not root.read("CORE.md", limit=3).whole


def test_anything_but_a_plain_file_is_refused_at_once(root: Root, top: Path) -> None:
    os.mkfifo(top / "fifo.md")
    (top / "folder.md").mkdir()
    (top / "fifo-link.md").symlink_to("fifo.md")
    with socket.socket(socket.AF_UNIX) as listening:
        with chdir(top):
            listening.bind("socket.md")
        for name in ("fifo.md", "folder.md", "fifo-link.md", "socket.md"):
            with pytest.raises(RefusedError, match=f"'{name}' is "):
                root.read(name)
    kinds = {entry.name: entry.kind for entry in root.entries()}
    assert kinds["fifo.md"] is kinds["socket.md"] is Kind.SPECIAL
    assert kinds["folder.md"] is Kind.FOLDER


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/etc/passwd",
        ".",
        "..",
        "../outside/redis.md",
        "graph/../../outside/redis.md",
        "graph/./fixes/redis.md",
        "graph//fixes/redis.md",
        "graph/fixes/redis.md/",
        "graph/fixes/\0.md",
        "graph/fixes/\ud800.md",
    ],
)
def test_a_path_outside_the_root_is_refused(root: Root, path: str) -> None:
    with pytest.raises(RefusedError):
        root.read(path)
    if path:
        with pytest.raises(RefusedError):
            root.entries(path)
    assert root.target(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "nowhere.md",
        "nowhere/redis.md",
        "CORE.md/redis.md",
        "n" * 300,
        "graph/" + "n" * 300 + "/redis.md",
        "d/" * 3000 + "redis.md",
        "é" * 4000,
    ],
)
def test_an_unreadable_file_is_named_in_a_short_error(root: Root, path: str) -> None:
    with pytest.raises(UnreadableError) as error:
        root.read(path)
    assert not isinstance(error.value, RefusedError)
    assert str(error.value).startswith("'" + path[:8])
    assert len(str(error.value)) < 300


def test_errors_contain_no_control_characters_of_a_name(root: Root) -> None:
    with pytest.raises(UnreadableError) as error:
        root.read("a\n\x1b]2;PWNED\x07\u202e\udcff.md")
    assert str(error.value).isprintable()


def test_the_root_may_be_a_link_and_stays_the_same_folder(top: Path) -> None:
    alias = top.parent / "alias"
    alias.symlink_to("store")
    (top / "link.md").symlink_to(alias / "CORE.md")
    with Root(alias) as root:
        assert root.path == top.resolve()
        assert root.read("link.md").raw == b"core"
        alias.unlink()
        alias.symlink_to("outside")
        assert root.read("CORE.md").raw == b"core"


@pytest.mark.parametrize("name", ["nowhere", "store/CORE.md", "loop", "a\0b"])
def test_a_root_must_be_a_folder(top: Path, name: str) -> None:
    (top.parent / "loop").symlink_to("loop")
    with pytest.raises(UnreadableError):
        Root(top.parent / name)


def test_reading_changes_nothing(root: Root, top: Path) -> None:
    def state() -> list[tuple[str, int, int, int]]:
        paths = [top, *sorted(top.rglob("*"))]
        return [
            (str(path), about.st_mode, about.st_mtime_ns, about.st_ctime_ns)
            for path in paths
            for about in [path.lstat()]
        ]

    (top / "link.md").symlink_to("CORE.md")
    before = state()
    for entry in root.walk(depth=9):
        if isinstance(entry, Entry) and entry.kind is not Kind.FOLDER:
            root.read(entry.path)
            root.link_text(entry.path)
            root.target(entry.path)
    assert state() == before


def test_bytes_that_arrive_in_parts_are_joined() -> None:
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with near, far:
        for message in (b"ab", b"cd", b"ef", b"gh", b""):
            far.send(message)
        assert first_bytes(near.fileno(), 4) == b"abcd"
        assert first_bytes(near.fileno(), 9) == b"efgh"
