"""Texts out of git's store of objects, as they were put in."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from store.provenance.git.running import ask_git

_LARGEST = 4 * 1024 * 1024
"""The largest object that is read."""

_ALL = 64 * 1024 * 1024
"""How much is read at once of all of them."""

_BLOB = b"blob"
_HEAD = 3
"""Words in the line before an object: its name, its type, its size."""


def blobs(folder: Path, names: Iterable[str]) -> dict[str, bytes]:
    """The contents of some objects by name, as many as are there and not too large.

    Nothing is converted on the way, for that is done by programs which a repository
    names. Raises GitError.
    """
    wanted = list(_within_bounds(folder, dict.fromkeys(names)))
    if not wanted:
        return {}
    return dict(_parted(ask_git(folder, "cat-file", "--batch", given=_lines(wanted))))


def _within_bounds(folder: Path, names: Iterable[str]) -> Iterator[str]:
    """Those that are there and not too large, until they are too much together."""
    told = ask_git(folder, "cat-file", "--batch-check", given=_lines(names))
    left = _ALL
    for line in told.split(b"\n"):
        head = line.split(b" ")
        if len(head) == _HEAD and head[1] == _BLOB:
            size = int(head[2])
            if size <= min(_LARGEST, left):
                left -= size
                yield head[0].decode()


def _parted(answer: bytes) -> Iterator[tuple[str, bytes]]:
    """The objects in an answer: a line about each, its bytes, a line feed."""
    at = 0
    while (end := answer.find(b"\n", at)) >= 0:
        head = answer[at:end].split(b" ")
        at = end + 1
        if len(head) == _HEAD:
            size = int(head[2])
            yield head[0].decode(), answer[at : at + size]
            at += size + 1


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()
