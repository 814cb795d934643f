"""Append lines to a file, and remove them again."""

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.files import append as adding
from store.files import writable as leases_of
from store.files import writable as looking
from store.files.append import (
    NEAR,
    End,
    Placement,
    append,
    cut,
    end_of,
    placement,
    without,
)
from store.files.writable import (
    BusyError,
    ForeignError,
    ProtectedError,
    Spot,
    WritableRoot,
)
from tests.examples import USUAL, examples

LINE = b'{"id":"ours"}\n'
only_on_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux grants leases"
)


def at(root: Path, act: Callable[[Spot, End], object]) -> End:
    """Call a function with the file and its current end."""
    handle = os.open(root / "a.md", os.O_RDONLY)
    end = end_of(handle)
    os.close(handle)
    with WritableRoot(root) as writable:
        act(writable.spot("a.md"), end)
    return end


def added(root: Path, lines: bytes = LINE) -> End:
    return at(root, lambda spot, end: append(spot, end, lines))


def cut_off(root: Path, end: End, lines: bytes = LINE) -> None:
    with WritableRoot(root) as writable:
        cut(writable.spot("a.md"), end, lines, 10**18)


def fate_in(root: Path, end: End, lines: bytes = LINE) -> Placement:
    with WritableRoot(root) as writable:
        return placement(writable.spot("a.md"), end, lines)


def test_appending_keeps_the_old_bytes_the_inode_and_the_mode(root: Path) -> None:
    path = root / "a.md"
    path.chmod(0o640)
    (root / "twin.md").hardlink_to(path)
    number = path.stat().st_ino

    end = added(root)

    assert path.read_bytes() == b"old\n" + LINE
    assert (path.stat().st_ino, path.stat().st_mode & 0o777) == (number, 0o640)
    assert fate_in(root, end) is Placement.LAST
    cut_off(root, end)
    assert path.read_bytes() == (root / "twin.md").read_bytes() == b"old\n"
    assert path.stat().st_mtime_ns == 10**18
    assert fate_in(root, end) is Placement.AWAY


@pytest.mark.parametrize("now", [b"old", b"old\nand theirs\n", b"olD\n", b""])
def test_a_file_with_another_end_by_now_is_left_alone(root: Path, now: bytes) -> None:
    end = End(4, b"old\n")
    (root / "a.md").write_bytes(now)

    with WritableRoot(root) as writable, pytest.raises(ForeignError):
        append(writable.spot("a.md"), end, LINE)
    with pytest.raises(ForeignError):
        cut_off(root, end)

    assert (root / "a.md").read_bytes() == now


def test_appending_does_not_create_a_missing_file(root: Path) -> None:
    (root / "a.md").unlink()

    with WritableRoot(root) as writable, pytest.raises(ForeignError):
        append(writable.spot("a.md"), End(0, b""), LINE)

    assert fate_in(root, End(0, b"")) is Placement.LOST
    assert list(root.iterdir()) == []


def test_a_write_protected_file_stays_unchanged(root: Path) -> None:
    (root / "a.md").chmod(0o444)

    with pytest.raises(ProtectedError):
        added(root)


@only_on_linux
def test_appending_waits_for_writers_but_not_for_readers(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "PATIENCE", 0)
    with (root / "a.md").open("ab"), pytest.raises(BusyError):
        added(root)

    with (root / "a.md").open("rb") as reader:
        end = added(root)
        assert reader.read() == b"old\n" + LINE
        with (root / "a.md").open("ab"), pytest.raises(BusyError):
            cut_off(root, end)
        cut_off(root, end)

    assert (root / "a.md").read_bytes() == b"old\n"


@only_on_linux
def test_no_reader_ever_sees_half_a_line(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for lines across page borders; other programs wait to open the file."""
    monkeypatch.setattr(adding, "PATIENCE", 10)
    lines = [b"%05d %s\n" % (number, b"x" * 700) for number in range(60)]
    is_over, halves = Event(), list[bytes]()

    def read() -> None:
        while not is_over.is_set():
            raw = (root / "a.md").read_bytes()
            if not raw.endswith(b"\n"):
                halves.append(raw[-10:])

    reader = Thread(target=read)
    reader.start()
    for line in lines:
        added(root, line)
    is_over.set()
    reader.join()

    assert halves == []
    assert (root / "a.md").read_bytes() == b"old\n" + b"".join(lines)


def test_appending_works_where_no_lease_is_granted(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take(_handle: int) -> None:
        """Like a system without leases."""

    monkeypatch.setattr(leases_of, "_take", take)

    end = added(root)
    assert (root / "a.md").read_bytes() == b"old\n" + LINE
    cut_off(root, end)
    assert (root / "a.md").read_bytes() == b"old\n"


def test_a_line_that_fits_only_in_part_is_removed_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def half(handle: int, raw: bytes) -> int:
        return write(handle, raw[: len(raw) // 2])

    monkeypatch.setattr(os, "write", half)

    with pytest.raises(OSError, match="space") as caught:
        added(root)

    assert caught.value.errno == errno.ENOSPC
    assert (root / "a.md").read_bytes() == b"old\n"


TEXTS = st.lists(st.sampled_from([b"a\n", b"b\n", b"\r\n", b"c"]), max_size=6)


@examples(USUAL, keeps_fixtures=True)
@given(before=TEXTS, behind=TEXTS, torn=st.integers(1, len(LINE)), data=st.data())
def test_the_fate_of_appended_lines_is_judged_by_bytes_alone(
    root: Path, before: list[bytes], behind: list[bytes], torn: int, data: st.DataObject
) -> None:
    was = b"".join(before) * data.draw(st.sampled_from([1, NEAR]))
    theirs = b"".join(behind)
    lead = b"" if was.endswith(b"\n") or not was else b"\n"
    lines, path = lead + LINE, root / "a.md"
    path.write_bytes(was)
    end = at(root, lambda spot, end: append(spot, end, lines))

    assert fate_in(root, end, lines) is Placement.LAST
    assert without(was + lines, end, lines) == was

    path.write_bytes(was + lines + theirs)
    expected = Placement.FOLLOWED if theirs else Placement.LAST
    assert fate_in(root, end, lines) is expected
    assert without(was + lines + theirs, end, lines) == (
        was + lead + theirs if theirs else was
    )

    path.write_bytes(b"more\n" + was + lines + theirs)
    assert fate_in(root, end, lines) is Placement.MOVED
    assert without(b"more\n" + was + lines + theirs, end, lines) == (
        b"more\n" + was + lead + theirs
    )

    path.write_bytes(was + lines[:torn])
    is_whole = torn == len(lines)
    assert fate_in(root, end, lines) is (Placement.LAST if is_whole else Placement.TORN)
    path.write_bytes(was + lines[:torn] + b"\0" * (len(lines) - torn))
    assert fate_in(root, end, lines) is (Placement.LAST if is_whole else Placement.TORN)
    cut_off(root, end, lines)
    assert path.read_bytes() == was

    path.write_bytes(was + lines + lines)
    moved = End(end.size + 1, b"x" + end.tail)
    assert fate_in(root, moved, lines) is Placement.LOST
