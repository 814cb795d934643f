"""What is kept for undo, by digest; and what the deeds of an operation work with."""

import errno
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path

from msgspec import Struct

from store.errors import BackupLostError
from store.files import writable
from store.files.beneath import open_file
from store.files.replace import Hooks
from store.resource import Closing

# The bytes from before and after every change, each stored once, by digest.

_NEW = ".new"
_MANY = 1 << 20
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC


def name_of(raw: bytes) -> str:
    """The digest that names some bytes."""
    return blake2b(raw, digest_size=32).hexdigest()


class Blobs:
    """A folder of blobs, written by one process at a time."""

    def __init__(self, folder: Path) -> None:
        """The folder is only created once something is stored."""
        self.folder = folder

    def keep(self, raws: Iterable[bytes]) -> None:
        """Store bytes durably; raises OSError."""
        self.keep_as({name_of(raw): raw for raw in raws})

    def keep_as(self, wanted: Mapping[str, bytes]) -> None:
        """Store bytes under digests that the caller has already computed."""
        missing = {name: raw for name, raw in wanted.items() if self._lacks(name, raw)}
        if not missing:
            return
        writable.make_folder(self.folder)
        handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for name, raw in missing.items():
                _write(handle, name, raw)
            writable.settle(handle)
        finally:
            os.close(handle)

    def read(self, name: str) -> bytes:
        """The bytes with a digest; raises BackupLostError."""
        try:
            raw = (self.folder / name).read_bytes()
        except OSError as error:
            raise BackupLostError(f"The backup {name[:12]} is missing.") from error
        if name_of(raw) != name:
            raise BackupLostError(f"The backup {name[:12]} is damaged.")
        return raw

    def has(self, name: str) -> bool:
        """Whether there is a blob with a digest."""
        return (self.folder / name).is_file()

    def name(self, raw: bytes) -> str:
        """The digest of some bytes; of many, those of a blob if they are the same.

        To compare 20 MB takes a third of the time of their digest.
        """
        if len(raw) >= _MANY:
            same = (name for name, size in self.sizes().items() if size == len(raw))
            for name in same:
                if not name.endswith(_NEW) and not self._lacks(name, raw):
                    return name
        return name_of(raw)

    def sizes(self) -> dict[str, int]:
        """The size of every file in the folder, with leftovers of failed writes."""
        try:
            with os.scandir(self.folder) as found:
                return {entry.name: entry.stat().st_size for entry in found}
        except FileNotFoundError:
            return {}

    def drop_but(self, names: set[str]) -> int:
        """Remove all other blobs; returns the number of bytes freed."""
        freed = 0
        for name, size in self.sizes().items():
            if name not in names:
                (self.folder / name).unlink(missing_ok=True)
                freed += size
        return freed

    def sweep(self) -> None:
        """Remove the leftovers of interrupted writes; raises OSError."""
        for path in self.folder.glob(f"*{_NEW}"):
            path.unlink(missing_ok=True)

    def _lacks(self, name: str, raw: bytes) -> bool:
        try:
            return (self.folder / name).read_bytes() != raw
        except FileNotFoundError:
            return True


def _write(folder: int, name: str, raw: bytes) -> None:
    """Write a blob completely or not at all; raises OSError."""
    new = name + _NEW
    handle = os.open(new, _FLAGS, 0o600, dir_fd=folder)
    try:
        try:
            os.fchmod(handle, 0o600)
            writable.write_all(handle, raw)
            writable.settle(handle)
        finally:
            os.close(handle)
        os.rename(new, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with suppress(OSError):
            os.unlink(new, dir_fd=folder)
        raise


# Replaced and removed files, which another program may still be writing to.
#
# They are moved to a folder and checked again later; anything written to them late is
# stored and reported. If the store is on another file system, the file cannot be moved,
# so it is unlinked. As long as another program has it open for writing, we keep it open
# too and check it before we exit.

_LINGERING = 3600.0
"""Seconds to keep a file if the system cannot report who has it open."""

Late = Callable[[str, int, bytes], None]
"""Called with bytes that were written too late: operation, file number, bytes."""


class ReplacedFiles(Closing):
    """The folder of files that changes have replaced or removed."""

    def __init__(self, folder: Path, blobs: Blobs, late: Late) -> None:
        """The folder is only created once a file is moved there."""
        self._folder, self._blobs, self._late = folder, blobs, late
        self._open: list[tuple[str, int, int]] = []

    def put_away(self, operation: str, number: int, folder: int, name: str) -> None:
        """Move a file out of an open folder; raises OSError."""
        writable.make_folder(self._folder)
        handle, _ = open_file(folder, name, name)
        try:
            self._move(operation, number, folder, name)
        except OSError as error:
            if error.errno != errno.EXDEV:
                os.close(handle)
                raise
            os.unlink(name, dir_fd=folder)
            if writable.is_written(handle):
                self._open.append((operation, number, handle))
                return
            self._look(operation, number, handle)
        os.close(handle)

    def look(self) -> None:
        """Check all files, and delete those that no other program has open.

        A file that cannot be read now is checked again next time.
        """
        for path in sorted(self._folder.glob("*-*-*")):
            operation, number, _ = path.name.split("-")
            with suppress(OSError):
                self._settle(path, operation, int(number))

    def close(self) -> None:
        """Check the files that were kept open and close them; safe to call twice."""
        while self._open:
            operation, number, handle = self._open.pop()
            with suppress(OSError):
                self._look(operation, number, handle)
            os.close(handle)

    def _move(self, operation: str, number: int, folder: int, name: str) -> None:
        there = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            new = f"{operation}-{number}-{secrets.token_hex(8)}"
            os.rename(name, new, src_dir_fd=folder, dst_dir_fd=there)
        finally:
            os.close(there)

    def _settle(self, path: Path, operation: str, number: int) -> None:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if not _is_open(handle):
                self._look(operation, number, handle)
                path.unlink()
        finally:
            os.close(handle)

    def _look(self, operation: str, number: int, handle: int) -> None:
        """Store the content of a file, unless it is already stored."""
        os.lseek(handle, 0, os.SEEK_SET)
        raw = writable.all_bytes(handle)
        name = self._blobs.name(raw)
        if not self._blobs.has(name):
            self._blobs.keep_as({name: raw})
            self._late(operation, number, raw)


def _is_open(handle: int) -> bool:
    """Whether another program may still write to it."""
    known = writable.is_written(handle)
    if known is None:
        return time.time() - os.fstat(handle).st_ctime < _LINGERING
    return known


# What the deeds of one operation share.

Target = tuple[type, Path, str]
"""What a deed is about: its kind, its store, and the path there."""


class Records(Struct, frozen=True):
    """What an operation records beside its deeds; each raises OSError."""

    put_away: Callable[[int, int, str], None]
    """Moves the file of a deed out of an open folder; see `ReplacedFiles`."""
    overwriting: Callable[[int], None]
    """Notes in the journal that the file of a deed is overwritten in place."""
    back_up: Callable[[sqlite3.Connection, Path], None]
    """Copies a database as a whole, once."""


class Workspace(Closing):
    """The stores of an operation, each opened once, and the bytes that it needs."""

    def __init__(
        self,
        root: Path,
        numbers: Mapping[Target, int],
        blobs: Blobs,
        records: Records,
        overwritten: Iterable[int] = (),
    ) -> None:
        """`numbers` are those of the deeds, by which the journal refers to them."""
        self.records = records
        self.images: dict[str, bytes] = {}
        """The bytes in memory, by digest; others are read from the blobs."""
        self.touched: set[Target] = set()
        """What may have been changed in part."""
        self._root, self._numbers, self._blobs = root, numbers, blobs
        self._overwritten = set(overwritten)
        """The numbers of files overwritten in place, which may therefore be torn."""
        self._writable: dict[Path, writable.WritableRoot] = {}

    def writable(self, root: Path) -> writable.WritableRoot:
        """The opened store; raises UnreadableError."""
        if root not in self._writable:
            self._writable[root] = writable.WritableRoot(root)
        return self._writable[root]

    def elsewhere(self, root: Path) -> Path | None:
        """A store, unless it is the operation's own."""
        return None if root == self._root else root

    def image(self, name: str | None) -> bytes | None:
        """The bytes with a digest; raises BackupLostError."""
        if name is None:
            return None
        if name not in self.images:
            self.images[name] = self._blobs.read(name)
        return self.images[name]

    def name(self, raw: bytes) -> str:
        """The digest of some bytes; those in memory are compared, which is faster."""
        same = (name for name, image in self.images.items() if image == raw)
        return next(same, None) or self._blobs.name(raw)

    def hold(self, raw: bytes | None) -> str | None:
        """Keep some bytes in memory only; returns their digest."""
        if raw is None:
            return None
        name = self.name(raw)
        self.images[name] = raw
        return name

    def keep(self, raw: bytes | None) -> str | None:
        """Keep some bytes in memory and as a blob; raises OSError."""
        if raw is None:
            return None
        name = self.name(raw)
        if name not in self.images:
            self._blobs.keep_as({name: raw})
            self.images[name] = raw
        return name

    def is_overwritten(self, target: Target) -> bool:
        """Whether a file was overwritten in place, and may be torn."""
        return self._numbers.get(target) in self._overwritten

    def hooks(self, target: Target) -> Hooks:
        """The callbacks to use while a file is replaced."""
        number = self._numbers[target]
        return Hooks(
            partial(self.records.put_away, number), partial(self._overwriting, number)
        )

    def close(self) -> None:
        """Close the stores; safe to call twice."""
        while self._writable:
            with suppress(OSError):
                self._writable.popitem()[1].close()

    def _overwriting(self, number: int) -> None:
        if number not in self._overwritten:
            self.records.overwriting(number)
            self._overwritten.add(number)
