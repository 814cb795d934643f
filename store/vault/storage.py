"""Vault storage: files by digest, with a manifest that can be verified."""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from store.errors import UnreadableError
from store.files.beneath import OpenFile, Root, Stamp, quoted
from store.files.json_read import parse
from store.findings import Json
from store.machine import NotWrittenError, make_private, read_own, settle, why_not

# A saved conversation.


class Source(NamedTuple):
    """A file of a store, wherever it is now."""

    store: str
    """The absolute path of the store's root."""
    path: str
    """The path relative to the root."""

    @property
    def file(self) -> Path:
        """Its original path."""
        return Path(self.store) / self.path

    @property
    def session(self) -> str:
        """The name of a transcript, which is the session's identifier."""
        return self.path.rpartition("/")[2].removesuffix(".jsonl")


class Version(Struct, frozen=True, kw_only=True):
    """A file at the time it was saved."""

    digest: str
    """The hex blake2b digest of its bytes, and the name of its object."""
    size: int
    mtime_ns: int
    at: int
    """When it was saved, in microseconds since 1970."""


class KeptFile(Struct, frozen=True, kw_only=True):
    """A saved file, with all its versions."""

    source: Source
    versions: tuple[Version, ...]
    """Oldest first; without versions that a later one starts with."""

    @property
    def newest(self) -> Version:
        """The latest saved version."""
        return self.versions[-1]


class Kept(Struct, frozen=True, kw_only=True):
    """A conversation's transcript and the files that belong to it."""

    source: Source
    """The transcript."""
    title: str
    """The title of the conversation when it was first saved."""
    files: tuple[KeptFile, ...]
    """The transcript first."""

    @property
    def session(self) -> str:
        """The name of its transcript."""
        return self.source.session

    @property
    def size(self) -> int:
        """Its total size in the vault, in bytes."""
        return sum(one.size for file in self.files for one in file.versions)

    @property
    def at(self) -> int:
        """When it was last saved."""
        return max(file.newest.at for file in self.files)

    @property
    def is_gone(self) -> bool:
        """Whether the original transcript no longer exists."""
        return not self.source.file.is_file()


class Damage(NamedTuple):
    """A saved file that is damaged."""

    source: Source
    message: str


# Copy a file that may still be written to, as of one moment, without changing it.

ATTEMPTS = 5
"""How often a file that is rewritten during the copy is copied again."""

_BLOCK = 1024 * 1024
_DIGEST = 32


class Copied(NamedTuple):
    """The result of a copy."""

    digest: str
    stamp: Stamp
    grew_from: bool
    """Whether it starts with the whole previous version."""


def copy(root: Root, path: str, target: int, before: Version | None) -> Copied:
    """Copy a file into an open, empty file.

    Ignores data appended meanwhile. Raises UnreadableError if the file is rewritten
    during every attempt, and OSError if the copy cannot be written.
    """
    for _ in range(ATTEMPTS):
        os.ftruncate(target, 0)
        os.lseek(target, 0, os.SEEK_SET)
        with root.opened(path) as file:
            copied = _copy(file, target, before)
        if copied and _still_begins_so(root, path, copied):
            return copied
    raise UnreadableError(f"{quoted(path)} changed during every attempt to copy it.")


def digest_of(file: Path) -> str:
    """The digest of a file in the vault; raises OSError."""
    seal = blake2b(digest_size=_DIGEST)
    with file.open("rb") as opened:
        while block := opened.read(_BLOCK):
            seal.update(block)
    return seal.hexdigest()


def _copy(file: OpenFile, target: int, before: Version | None) -> Copied | None:
    """Copy the file up to its size when opened; None if it shrank meanwhile."""
    seal, done, beginning = blake2b(digest_size=_DIGEST), 0, None
    for offset, size in _blocks(file.stamp.size, before.size if before else 0):
        block = file.at(offset, size)
        if len(block) < size:
            return None
        seal.update(block)
        _write(target, block)
        done += size
        if before and done == before.size:
            beginning = seal.hexdigest()
    grew = before is not None and (beginning == before.digest or not before.size)
    return Copied(seal.hexdigest(), file.stamp, grew)


def _blocks(size: int, mark: int) -> Iterator[tuple[int, int]]:
    """Blocks of a file, one of which ends at `mark`."""
    offset = 0
    while offset < size:
        end = min(offset + _BLOCK, size)
        if offset < mark < end:
            end = mark
        yield offset, end - offset
        offset = end


def _still_begins_so(root: Root, path: str, copied: Copied) -> bool:
    """Whether the file still starts with what was copied."""
    with root.opened(path) as file:
        if file.stamp == copied.stamp:
            return True
        if file.stamp.size < copied.stamp.size:
            return False
        seal = blake2b(digest_size=_DIGEST)
        for offset, size in _blocks(copied.stamp.size, 0):
            seal.update(file.at(offset, size))
        return seal.hexdigest() == copied.digest


def _write(handle: int, block: bytes) -> None:
    view = memoryview(block)
    while view:
        view = view[os.write(handle, view) :]


# The manifest: an append-only file of lines, each synced to disk.

_LIMIT = 1024 * 1024 * 1024
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
_MANIFEST_BLOCK = 64 * 1024

Line = dict[str, Json]


class Contents(NamedTuple):
    """The content of a manifest."""

    kept: dict[Source, Kept]
    """Every conversation saved now, by its transcript."""
    stores: tuple[str, ...]
    """Every store from which anything was ever saved, in that order."""
    unread: tuple[int, ...]
    """The numbers of unreadable lines, whose content is unknown."""


class Manifest:
    """The list of saved files, read from and written to one file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Contents:
        """The current content; raises UnreadableError.

        Ignores an incomplete last line, as its write was never confirmed.
        """
        told, unread = _Told(), list[int]()
        *lines, last = (read_own(self.path, _LIMIT) or b"").split(b"\n")
        for number, line in enumerate(lines, 1):
            if line.strip() and not told.take(line):
                unread.append(number)
        told.take(last)
        return told.contents(unread)

    def add(self, lines: Iterable[Line]) -> None:
        """Append lines durably; raises NotWrittenError."""
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
                f"Can't write {self.path}: {why_not(error, self.path)}."
            ) from error


def _ended(handle: int) -> bytes:
    """The newline that the last line lacks, if any; removes an incomplete last line."""
    size = os.fstat(handle).st_size
    last, start = b"", size
    while start and b"\n" not in last:
        start = max(0, start - _MANIFEST_BLOCK)
        last = os.pread(handle, size - start, start)
    last = last.rpartition(b"\n")[2]
    if parse(last).values:
        return b"\n"
    os.ftruncate(handle, size - len(last))
    return b""


def kept_line(
    main: Source, source: Source, version: Version, title: str, replaces: str | None
) -> Line:
    """The line for a saved file."""
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
    """The line for a released conversation."""
    return {"released": at, "store": main.store, "session": main.path}


class _Told:
    """The content of the lines read so far."""

    def __init__(self) -> None:
        self._files: dict[Source, dict[Source, list[Version]]] = {}
        self._titles: dict[Source, str] = {}
        self._stores: dict[str, None] = {}

    def take(self, raw: bytes) -> bool:
        """Read a line; False if it is not valid."""
        values = parse(raw).values
        return (
            len(values) == 1 and isinstance(values[0], dict) and self._told(values[0])
        )

    def contents(self, unread: Iterable[int]) -> Contents:
        """The conversations saved now."""
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


# Objects by digest, each either complete on disk or absent.

_PREFIX = 2
_TEMPORARY = ".new-"


class Objects:
    """A folder of files named by their digest."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def file(self, digest: str) -> Path:
        """The path of an object."""
        return self._folder / digest[:_PREFIX] / digest

    def take(self, root: Root, path: str, before: Version | None) -> Copied:
        """Add a file, durably and for its owner alone.

        Raises NotWrittenError, and UnreadableError if the file cannot be read.
        """
        import tempfile  # noqa: PLC0415  # slow to load, and only saving needs it

        try:
            make_private(self._folder)
            handle, name = tempfile.mkstemp(dir=self._folder, prefix=_TEMPORARY)
            try:
                return self._taken(root, path, before, handle, Path(name))
            finally:
                os.close(handle)
                with suppress(FileNotFoundError):
                    Path(name).unlink()
        except OSError as error:
            sentence = f"Can't write the vault {self._folder}"
            told = why_not(error, self._folder)
            raise NotWrittenError(f"{sentence}: {told}.") from error

    def drop(self, digest: str) -> None:
        """Remove an object that is no longer needed; raises NotWrittenError."""
        try:
            self.file(digest).unlink(missing_ok=True)
        except OSError as error:
            sentence = f"Can't delete {self.file(digest)}: {error.strerror}."
            raise NotWrittenError(sentence) from error

    def what_is_wrong(self, version: Version) -> str:
        """What is wrong with an object; empty if it is intact byte for byte."""
        file = self.file(version.digest)
        try:
            size = file.stat().st_size
            if size != version.size:
                return f"Only {size} of {version.size} bytes are there."
            return (
                "" if digest_of(file) == version.digest else "The content has changed."
            )
        except FileNotFoundError:
            return "The copy is missing."
        except OSError as error:
            return f"Can't read the copy: {error.strerror}."

    def digests(self) -> Iterator[str]:
        """The digests of all objects."""
        for folder in self._folder.iterdir() if self._folder.is_dir() else ():
            if len(folder.name) == _PREFIX and folder.is_dir():
                yield from (file.name for file in folder.iterdir())

    def _taken(
        self, root: Root, path: str, before: Version | None, handle: int, name: Path
    ) -> Copied:
        copied = copy(root, path, handle, before)
        os.fchmod(handle, 0o600)
        os.utime(handle, ns=(copied.stamp.mtime_ns, copied.stamp.mtime_ns))
        os.fsync(handle)
        target = self.file(copied.digest)
        make_private(target.parent)
        name.replace(target)
        settle(target.parent)
        settle(self._folder)
        return copied
