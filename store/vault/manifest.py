"""The lines that tell what is kept: only ever added to, each on the disk at once."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from store.files.jsonl import parse
from store.findings import Json
from store.places import make_private
from store.private import NotWrittenError, read_own
from store.vault.kept import Kept, KeptFile, Source, Version

_LIMIT = 1024 * 1024 * 1024
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
_BLOCK = 64 * 1024

Line = dict[str, Json]


class Contents(NamedTuple):
    """What the lines of a manifest come to."""

    kept: dict[Source, Kept]
    """Everything that is kept by now, by its transcript."""
    stores: tuple[str, ...]
    """Every store that anything was ever kept of, in that order."""
    unread: tuple[int, ...]
    """The lines that tell nothing, by their numbers: what they told of is not known."""


class Manifest:
    """What is kept, read from and written to one file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Contents:
        """What is kept by now; raises UnreadableError.

        A last line that was cut off is none: nobody was ever told that it is there.
        """
        told, unread = _Told(), list[int]()
        *lines, last = (read_own(self.path, _LIMIT) or b"").split(b"\n")
        for number, line in enumerate(lines, 1):
            if line.strip() and not told.take(line):
                unread.append(number)
        told.take(last)
        return told.contents(unread)

    def add(self, lines: Iterable[Line]) -> None:
        """Add lines, durably; raises NotWrittenError."""
        raw = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        try:
            make_private(self.path.parent)
            handle = os.open(self.path, _FLAGS, 0o600)
            try:
                with os.fdopen(handle, "ab", closefd=False) as file:
                    file.write(_ended(handle) + raw)
                os.fsync(handle)
            finally:
                os.close(handle)
            settle(self.path.parent)
        except OSError as error:
            raise NotWrittenError(
                f"{self.path} cannot be written: {error.strerror}."
            ) from error


def _ended(handle: int) -> bytes:
    """What a last line still needs; one that was cut off is taken away."""
    size = os.fstat(handle).st_size
    last, start = b"", size
    while start and b"\n" not in last:
        start = max(0, start - _BLOCK)
        last = os.pread(handle, size - start, start)
    last = last.rpartition(b"\n")[2]
    if parse(last).values:
        return b"\n"
    os.ftruncate(handle, size - len(last))
    return b""


def kept_line(
    main: Source, source: Source, version: Version, title: str, replaces: str | None
) -> Line:
    """The line that says that a file is kept."""
    return {
        "kept": version.at,
        "store": main.store,
        "session": main.path,
        "path": source.path,
        "title": title,
        "hash": version.digest,
        "size": version.size,
        "mtime_ns": version.mtime_ns,
        "replaces": replaces,
    }


def released_line(main: Source, at: int) -> Line:
    """The line that says that a conversation is let go."""
    return {"released": at, "store": main.store, "session": main.path}


def settle(folder: Path) -> None:
    """Make a folder's names durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class _Told:
    """What the lines so far come to."""

    def __init__(self) -> None:
        self._files: dict[Source, dict[Source, list[Version]]] = {}
        self._titles: dict[Source, str] = {}
        self._stores: dict[str, None] = {}

    def take(self, raw: bytes) -> bool:
        """One line; False where it is none that tells anything."""
        values = parse(raw).values
        return (
            len(values) == 1 and isinstance(values[0], dict) and self._told(values[0])
        )

    def contents(self, unread: Iterable[int]) -> Contents:
        """All that is kept by now."""
        kept = {main: self._one(main) for main in self._files}
        return Contents(kept, tuple(self._stores), tuple(unread))

    def _told(self, line: Line) -> bool:
        store, session = line.get("store"), line.get("session")
        if not isinstance(store, str) or not isinstance(session, str):
            return False
        main = Source(store, session)
        self._stores.setdefault(store)
        if "released" in line:
            self._files.pop(main, None)
            self._titles.pop(main, None)
            return True
        version, path = _version(line), line.get("path")
        if not version or not isinstance(path, str):
            return False
        source = Source(main.store, path)
        versions = self._files.setdefault(main, {}).setdefault(source, [])
        if versions and versions[-1].digest == line.get("replaces"):
            versions.pop()
        versions.append(version)
        title = line.get("title")
        self._titles.setdefault(main, title if isinstance(title, str) else "")
        return True

    def _one(self, main: Source) -> Kept:
        files = [
            KeptFile(source=source, versions=tuple(versions))
            for source, versions in self._files[main].items()
        ]
        files.sort(key=lambda file: (file.source != main, file.source.path))
        return Kept(source=main, title=self._titles[main], files=tuple(files))


def _version(line: Line) -> Version | None:
    match line:
        case {
            "kept": int() as at,
            "hash": str() as digest,
            "size": int() as size,
            "mtime_ns": int() as mtime_ns,
        } if digest.isalnum():
            return Version(digest=digest, size=size, mtime_ns=mtime_ns, at=at)
        case _:
            return None
