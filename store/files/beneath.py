"""Open files beneath a root folder: no link leads out, only plain files are read."""

import errno
import os
import stat
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from itertools import compress, islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec import Struct

from store.errors import RefusedError, UnreadableError
from store.resource import Closing
from store.text import regex

# What lies in a folder, and what was read from it.


class Stamp(NamedTuple):
    """The stamp that shows whether a file changed."""

    size: int
    mtime_ns: int
    inode: int


_LARGEST = 2**63 - 1


def stamp_of(about: os.stat_result) -> Stamp:
    """A file's stamp; numbers beyond what SQLite can hold are cut to fit."""
    time, inode = about.st_mtime_ns, about.st_ino
    if abs(time) > _LARGEST or inode > _LARGEST:
        time = max(-_LARGEST, min(time, _LARGEST))
        inode &= _LARGEST
    return Stamp(about.st_size, time, inode)


class Kind(StrEnum):
    """What a directory entry is."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    SPECIAL = "special"


class Entry(Struct, frozen=True):
    """One entry of a folder, not opened yet."""

    path: str
    """Relative to the root, joined by `/`; undecodable bytes as surrogates."""
    name: str
    """The last part of the path."""
    kind: Kind
    """Its kind: file, folder, link or special."""
    stamp: Stamp
    """That of the entry itself: a link's own for a link."""


class Blob(Struct, frozen=True):
    """The bytes of a file and what it was when they were read."""

    raw: bytes
    """The bytes."""
    stamp: Stamp
    """Taken before the bytes, so that a write while they were read shows later."""
    whole: bool
    """Whether these are all its bytes, or only the first that the limit allows."""

    @property
    def digest(self) -> str:
        """blake2b of the bytes, hex; handed back to prove that nothing moved."""
        from hashlib import blake2b  # noqa: PLC0415  # it takes as long as SQLite

        return blake2b(self.raw).hexdigest()


def in_memory(raw: bytes) -> Blob:
    """Bytes that are in no file yet, as if they had been read from one."""
    return Blob(raw, Stamp(0, 0, 0), whole=True)


# Paths beneath a root: which are well formed, and how errors name them.

LONGEST = 4096
"""The longest relative path, in bytes, that other programs can be handed."""

_LONGEST_SHOWN = 200
_ASTRAY = regex(r"(?:^|/)\.{0,2}(?:/|\Z)")
_REASONS = {
    errno.ENOENT: "does not exist",
    errno.EACCES: "can't be read: permission denied",
    errno.EPERM: "can't be read: permission denied",
    errno.ENOTDIR: "is not a folder",
    errno.ENAMETOOLONG: "has a name that is too long",
}
_REFUSALS = {
    errno.ELOOP: "has a symbolic link in its path",
    errno.ENXIO: "is not a regular file",
    errno.ENODEV: "is not a regular file",
    errno.EOPNOTSUPP: "is not a regular file",
}


def quoted(path: str) -> str:
    """A path as errors name it: on one line, without controls, not endless."""
    if len(path) > _LONGEST_SHOWN:
        path = f"{path[:120]}…{path[-60:]}"
    return repr(path)


def check(path: str) -> None:
    """Raise RefusedError unless every part of the path names something beneath."""
    if _ASTRAY.search(path):
        raise RefusedError(f"{quoted(path)} isn't a path inside the store.")
    if len(path) > LONGEST // 4 and len(os.fsencode(path)) > LONGEST:
        raise UnreadableError(f"{quoted(path)} is too long a path.")


def unreadable(path: str, error: OSError | ValueError) -> UnreadableError:
    """The sentence for what the system said when the path was opened."""
    if isinstance(error, ValueError):
        return RefusedError(f"{quoted(path)} isn't a valid file name.")
    code = error.errno or 0
    if code in _REFUSALS:
        return RefusedError(f"{quoted(path)} {_REFUSALS[code]}.")
    reason = _REASONS.get(code) or f"can't be read: {os.strerror(code)}"
    return UnreadableError(f"{quoted(path)} {reason}.")


# Open handles of the folders beneath a root, reached step by step.

FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class _Handle(Struct, frozen=True):
    """An open folder, and which one it is."""

    number: int
    device: int
    inode: int


class Folders:
    """The folders in use stay open, so that reading many files opens little else.

    Every step is one `openat` that follows no link. A handle is used again only while
    its name still leads to the same folder. Not for several threads at once.
    """

    CAPACITY = 64

    def __init__(self, top: int) -> None:
        """Take over the root's own handle."""
        self._top = top
        self._handles: OrderedDict[str, _Handle] = OrderedDict()

    def reach(self, folder: str) -> int:
        """The handle of a folder; raises OSError where a step is no folder."""
        handle, walked = self._top, ""
        for part in folder.split("/") if folder else ():
            walked = f"{walked}/{part}" if walked else part
            handle = self._step(handle, part, walked)
        return handle

    def close(self) -> None:
        """Close every handle, the root's too; may be called again."""
        handles = [self._top, *(each.number for each in self._handles.values())]
        self._handles.clear()
        self._top = -1
        for handle in handles:
            with suppress(OSError):
                os.close(handle)

    def _step(self, parent: int, part: str, walked: str) -> int:
        known = self._handles.get(walked)
        if known:
            now = os.stat(part, dir_fd=parent, follow_symlinks=False)
            if now.st_ino == known.inode and now.st_dev == known.device:
                self._handles.move_to_end(walked)
                return known.number
            os.close(self._handles.pop(walked).number)
        number = os.open(part, FOLDER_FLAGS, dir_fd=parent)
        about = os.fstat(number)
        self._handles[walked] = _Handle(number, about.st_dev, about.st_ino)
        if len(self._handles) > self.CAPACITY:
            os.close(self._handles.popitem(last=False)[1].number)
        return number


# Links followed by their text, part by part, so that none leads out of the root.

LINKS_FOLLOWED = 8
"""How many links one path may go through."""


def link_text(folders: Folders, folder: str, name: str) -> str | None:
    """The text of a link as it stands, None for what is no link; raises OSError."""
    try:
        return os.readlink(name, dir_fd=folders.reach(folder))
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None
        raise


def resolve(folders: Folders, tops: tuple[str, ...], path: str) -> str:
    """The path with its links replaced by where they lead, relative to the root.

    `tops` are the root's absolute paths, for links that spell them out.
    """
    check(path)
    done: list[str] = []
    pending = path.split("/")[::-1]
    followed = 0
    while pending:
        part = pending.pop()
        if part == "..":
            done = _parent(done, path)
            continue
        text = _text_at(folders, done, part, path if followed else None)
        if text is None:
            done.append(part)
            continue
        followed += 1
        if followed > LINKS_FOLLOWED:
            raise RefusedError(f"{quoted(path)} is a circular link.")
        if text.startswith("/"):
            text, done = _beneath(tops, text, path), []
        pending.extend(_steps(text))
    return "/".join(done)


def _parent(done: list[str], path: str) -> list[str]:
    if not done:
        raise RefusedError(f"{quoted(path)} points outside the store.")
    return done[:-1]


def _text_at(
    folders: Folders, done: list[str], part: str, link: str | None
) -> str | None:
    """The text of a link on the way; `link` is the path whose link led here."""
    try:
        return link_text(folders, "/".join(done), part)
    except FileNotFoundError:
        if link is None:
            raise
        sentence = f"{quoted(link)} is a broken link."
        raise RefusedError(sentence) from None


def _steps(text: str) -> list[str]:
    """The parts of a link's text, the first one last."""
    return [part for part in reversed(text.split("/")) if part not in {"", "."}]


def _beneath(tops: tuple[str, ...], text: str, path: str) -> str:
    """The text of an absolute link, relative to the root; refused if it leads out."""
    for top in tops:
        if text == top or text.startswith(top.rstrip("/") + "/"):
            return text[len(top) :]
    raise RefusedError(f"{quoted(path)} points outside the store.")


# One folder, listed.

_KINDS = {
    stat.S_IFREG: Kind.FILE,
    stat.S_IFDIR: Kind.FOLDER,
    stat.S_IFLNK: Kind.LINK,
}
_TYPE = stat.S_IFMT(0xFFFF)
_SPECIAL = Kind.SPECIAL


def listing(handle: int, folder: str) -> list[Entry]:
    """The entries of an open folder, in order of their names' bytes; raises OSError."""
    prefix = f"{folder}/" if folder else ""
    entries: list[Entry] = []
    for name in _in_order(os.listdir(handle)):
        try:
            about = os.stat(name, dir_fd=handle, follow_symlinks=False)
        except FileNotFoundError:
            continue
        kind = _KINDS.get(about.st_mode & _TYPE, _SPECIAL)
        entries.append(Entry(prefix + name, name, kind, stamp_of(about)))
    return entries


UNKNOWN = Stamp(-1, -1, -1)
"""The stamp of what was listed without being looked at."""


def names(handle: int, folder: str) -> list[Entry]:
    """The same without stamps, which takes a fraction of the time; raises OSError."""
    prefix = f"{folder}/" if folder else ""
    with os.scandir(handle) as scan:
        kinds = {found.name: _kind(found) for found in scan}
    return [
        Entry(prefix + name, name, kinds[name], UNKNOWN)
        for name in _in_order(list(kinds))
    ]


def _kind(found: os.DirEntry[str]) -> Kind:
    if found.is_file(follow_symlinks=False):
        return Kind.FILE
    if found.is_dir(follow_symlinks=False):
        return Kind.FOLDER
    return Kind.LINK if found.is_symlink() else Kind.SPECIAL


def has_file(handle: int, test: Callable[[str], bool]) -> bool:
    """Whether an open folder holds a regular file whose name passes; raises OSError."""
    with os.scandir(handle) as entries:
        return any(
            test(entry.name) and entry.is_file(follow_symlinks=False)
            for entry in entries
        )


def _in_order(names: list[str]) -> list[str]:
    """Names in order of their bytes."""
    names.sort(key=None if all(map(str.isascii, names)) else os.fsencode)
    return names


# One regular file, opened without waiting and read at most to a limit.

_FILE_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY


def read_file(folder: int, name: str, limit: int, path: str) -> Blob:
    """The bytes of a regular file in an open folder; never waits, raises OSError."""
    handle, about = open_file(folder, name, path)
    try:
        size = about.st_size
        raw = first_bytes(handle, min(size, limit))
    finally:
        os.close(handle)
    return Blob(raw, stamp_of(about), size <= limit)


def open_file(folder: int, name: str, path: str) -> tuple[int, os.stat_result]:
    """A handle of a regular file, and its status; raises OSError and RefusedError."""
    handle = os.open(name, _FILE_FLAGS, dir_fd=folder)
    about = os.fstat(handle)
    if stat.S_ISREG(about.st_mode):
        return handle, about
    os.close(handle)
    what = "a folder" if stat.S_ISDIR(about.st_mode) else "not a regular file"
    raise RefusedError(f"{quoted(path)} is {what}.")


def first_bytes(handle: int, wanted: int) -> bytes:
    """So many bytes, or all there are, however few the system hands out at a time."""
    raw = os.read(handle, wanted)
    while len(raw) < wanted:
        more = os.read(handle, wanted - len(raw))
        if not more:
            break
        raw += more
    return raw


# A regular file held open, so that it can be read in pieces.


class OpenFile(Closing):
    """A handle that stays with the file that was opened, whatever its name becomes."""

    stamp: Stamp
    """Taken when it was opened, before any byte was read."""

    def __init__(self, folder: int, name: str, path: str) -> None:
        """Never waits; raises OSError, or RefusedError for what is no regular file."""
        self._path = path
        self._handle, about = open_file(folder, name, path)
        self.stamp = stamp_of(about)

    def at(self, offset: int, size: int) -> bytes:
        """So many bytes from there, fewer only at the end; raises UnreadableError."""
        try:
            os.lseek(self._handle, offset, os.SEEK_SET)
            return first_bytes(self._handle, size)
        except OSError as error:
            raise unreadable(self._path, error) from error

    def close(self) -> None:
        """Close the file; may be called again."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            with suppress(OSError):
                os.close(handle)


class _OpenBlob(OpenFile):
    """Bytes in memory, read like an open file."""

    def __init__(self, blob: Blob) -> None:
        self.stamp, self._raw = blob.stamp, blob.raw
        self._handle = -1

    def at(self, offset: int, size: int) -> bytes:
        """Up to `size` bytes from there; fewer only at the end."""
        return self._raw[offset : offset + size]


# Files that are read as if a planned change had been made.

Amended = Mapping[str, Blob | None]
"""The new content of files by their paths without links; None where one is deleted."""


def _amended_listing(
    entries: list[Entry], folder: str, real: str, files: Amended
) -> list[Entry]:
    """The entries of a folder after a change; `real` is its path without links."""
    prefix, beneath = (f"{path}/" if path else "" for path in (folder, real))
    found = {entry.name: entry for entry in entries}
    for path, blob in files.items():
        name, slash, _ = path.removeprefix(beneath).partition("/")
        if not path.startswith(beneath) or (blob is None and slash):
            continue
        if blob is None:
            found.pop(name, None)
        elif not slash:
            found[name] = Entry(prefix + name, name, Kind.FILE, blob.stamp)
        elif name not in found:
            found[name] = Entry(prefix + name, name, Kind.FOLDER, blob.stamp)
    return sorted(found.values(), key=lambda entry: os.fsencode(entry.name))


# A digest of everything beneath some folders, which shows whether anything changed.


def fingerprint(folders: Folders, depths: Mapping[str, int]) -> bytes:
    """A digest of every name and stamp beneath folders, each to a depth of its own.

    It keeps no objects, so an unchanged store of a hundred thousand files costs little
    more than the `stat` calls. A folder that can't be listed counts as empty. Raises
    nothing.
    """
    from hashlib import blake2b  # noqa: PLC0415  # it takes as long as SQLite

    seal = blake2b()
    pending = list(depths.items())
    while pending:
        folder, depth = pending.pop()
        seal.update(_NEXT + os.fsencode(folder))
        inner: list[str] = []
        for names, numbers in _listed(folders, folder, inner):
            seal.update("\0".join(names).encode("utf-8", "surrogateescape"))
            seal.update(_as_bytes(numbers))
        if depth:
            prefix = f"{folder}/" if folder else ""
            pending.extend((prefix + name, depth - 1) for name in inner)
    return seal.digest()


_NEXT = b"\0/\0"

_AT_ONCE = 4096


def _listed(
    folders: Folders, folder: str, inner: list[str]
) -> Iterator[tuple[list[str], list[int]]]:
    """The names in a folder and their stamps and modes, so many at a time.

    The names of the folders among them are added to `inner`.
    """
    try:
        with os.scandir(folders.reach(folder)) as entries:
            while found := list(islice(entries, _AT_ONCE)):
                stats = [entry.stat(follow_symlinks=False) for entry in found]
                names = [entry.name for entry in found]
                numbers: list[int] = []
                for about in stats:
                    numbers += (about.st_size, about.st_mtime_ns, about.st_ino)
                    numbers.append(about.st_mode)
                is_folder = (stat.S_ISDIR(about.st_mode) for about in stats)
                inner += compress(names, is_folder)
                yield names, numbers
    except OSError:
        yield [], [-1]


def _as_bytes(numbers: list[int]) -> bytes:
    """Numbers as bytes; what is beyond 64 bits, as text."""
    try:
        return array("q", numbers).tobytes()
    except OverflowError:
        return repr(numbers).encode()


# The door: a folder opened once, and everything beneath it by handle.

NOTE_LIMIT = 8 * 1024 * 1024
"""The largest note that is read whole."""

_MAYBE_LINK = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})

Answer = TypeVar("Answer")


class OpenFolder(Closing):
    """A folder opened once; everything beneath it is reached by handle.

    Used by one thread at a time, and closed by leaving its `with` block.
    """

    path: Path
    """Absolute, with links resolved."""

    def __init__(self, path: Path) -> None:
        """Raises UnreadableError if it is not a folder or cannot be opened."""
        try:
            real = os.path.realpath(path, strict=True)
            top = os.open(real, FOLDER_FLAGS)
        except (OSError, ValueError) as error:
            raise unreadable(str(path), error) from error
        self.path = Path(real)
        self._folders = Folders(top)
        self._tops = (real, str(Path(path).absolute()))

    def close(self) -> None:
        """Close every handle; safe to call twice."""
        self._folders.close()


class Root(OpenFolder):
    """The folder of a store, opened to read it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.amended: Amended = {}
        """Files with the content that a change would give them; read in place of those
        on disk."""

    def entries(self, folder: str = "") -> list[Entry]:
        """The entries of one folder, in order of their names' bytes.

        Raises UnreadableError, or RefusedError where a link leads out.
        """
        if folder:
            check(folder)
        return self._follow(folder, lambda real: self._listing(real, folder))

    def has_file(self, folder: str, test: Callable[[str], bool]) -> bool:
        """Whether a folder holds a regular file whose name passes a test.

        Stops at the first, however many there are. Raises what `entries` raises.
        """
        if folder:
            check(folder)
        return self._follow(
            folder, lambda real: has_file(self._folders.reach(real), test)
        )

    def walk(
        self, folder: str = "", *, depth: int, enters: Callable[[str], bool] = bool
    ) -> Iterator[Entry | tuple[str, UnreadableError]]:
        """Every entry beneath, folders before what is in them, links not followed.

        Only folders whose name passes `enters` are entered. One that cannot be entered
        (unreadable, more than `depth` folders beneath where the walk began, its path
        too long) comes as its path and the error.
        """
        pending = [(folder, 0)]
        while pending:
            current, level = pending.pop()
            try:
                found = self._listing_within(current, level, depth)
            except UnreadableError as error:
                yield current, error
                continue
            yield from found
            inner = [e for e in found if e.kind is Kind.FOLDER and enters(e.name)]
            pending.extend((entry.path, level + 1) for entry in reversed(inner))

    def fingerprint(self, depths: Mapping[str, int]) -> bytes:
        """A digest of all that lies beneath some folders, each to a depth of its own.

        It is the same as long as nothing there moved.
        """
        stamps = sorted((p, b and b.stamp) for p, b in self.amended.items())
        return fingerprint(self._folders, depths) + repr(stamps).encode()

    def read(self, path: str, *, limit: int = NOTE_LIMIT) -> Blob:
        """The bytes of a regular file beneath the root.

        Links that stay beneath it are followed (at most 8), all others refused.
        """
        check(path)
        return self._follow(path, lambda real: self._read(real, limit, path))

    def opened(self, path: str) -> OpenFile:
        """A regular file beneath the root held open, links followed as for `read`.

        To be closed by leaving its `with` block. Raises UnreadableError.
        """
        check(path)
        return self._follow(path, lambda real: self._open(real, path))

    def target(self, path: str) -> str | None:
        """Where a link leads, relative to the root, without opening it.

        None when it leads out, dangles or loops.
        """
        try:
            return resolve(self._folders, self._tops, path)
        except (OSError, ValueError, UnreadableError):
            return None

    def link_text(self, path: str) -> str | None:
        """The text of a symbolic link as it stands; None when there is no such link."""
        check(path)
        folder, _, name = path.rpartition("/")
        try:
            return self._follow(
                folder, lambda real: link_text(self._folders, real, name)
            )
        except UnreadableError:
            return None

    def _follow(self, path: str, act: Callable[[str], Answer]) -> Answer:
        """Do something with a path, once more without its links if it has some."""
        try:
            try:
                return act(path)
            except OSError as error:
                if error.errno not in _MAYBE_LINK:
                    raise
                return act(resolve(self._folders, self._tops, path))
        except (OSError, ValueError) as error:
            raise unreadable(path or str(self.path), error) from error

    def _read(self, real: str, limit: int, path: str) -> Blob:
        if real in self.amended:
            blob = self._amended_file(real)
            return Blob(blob.raw[:limit], blob.stamp, len(blob.raw) <= limit)
        folder, _, name = real.rpartition("/")
        return read_file(self._folders.reach(folder), name or ".", limit, path)

    def _open(self, real: str, path: str) -> OpenFile:
        if real in self.amended:
            return _OpenBlob(self._amended_file(real))
        folder, _, name = real.rpartition("/")
        return OpenFile(self._folders.reach(folder), name or ".", path)

    def _amended_file(self, real: str) -> Blob:
        blob = self.amended[real]
        if blob is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return blob

    def _listing(self, real: str, folder: str) -> list[Entry]:
        """The entries of a folder; `real` is its path without links. Raises OSError."""
        try:
            found = listing(self._folders.reach(real), folder)
        except FileNotFoundError:
            if not any(b and p.startswith(f"{real}/") for p, b in self.amended.items()):
                raise
            found = []
        if not self.amended:
            return found
        return _amended_listing(found, folder, real, self.amended)

    def _listing_within(self, folder: str, level: int, depth: int) -> list[Entry]:
        """What is in a folder that a walk came to; raises UnreadableError."""
        if level > depth:
            raise UnreadableError(f"{quoted(folder)} is too deep to read.")
        if level == 0:
            return self.entries(folder)
        check(folder)
        try:
            return self._listing(folder, folder)
        except OSError as error:
            raise unreadable(folder, error) from error


# What reads the files of one store, all beneath its root.


class Rooted(Closing):
    """Holds a store's folder open until it is closed."""

    def __init__(self, path: Path) -> None:
        self._root = Root(path)

    def amend(self, files: Amended) -> None:
        """Read these files in place of those on disk."""
        self._root.amended = files

    def close(self) -> None:
        """Close the store."""
        self._root.close()
