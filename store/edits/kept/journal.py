"""The journal: one entry a line, each with its digest, durable before anything else.

A line that was cut off, or that something else wrote, is passed over; what follows it
stands on a line of its own.
"""

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import cast

from store.errors import UnreadableError
from store.files.replacing.durable import make_folder, settle, settle_folder, write_all
from store.findings import Json

Entry = dict[str, Json]

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


class Journal:
    """A file of them, written by one process at a time."""

    def __init__(self, path: Path) -> None:
        """Nothing is made before something is written."""
        self.path = path
        self.damaged = 0
        """How many lines were passed over so far."""
        self._entries: list[Entry] = []
        self._read: tuple[int, int] = (0, 0)
        """Which file it was, and how far it was read."""
        self._is_named = False
        """Whether its name is known to be durable."""

    def entries(self) -> list[Entry]:
        """All of them, in order; what was read before is not read again.

        The list grows as long as the journal does; it is another one where the journal
        was written anew. Raises UnreadableError.
        """
        try:
            with self.path.open("rb") as file:
                inode, offset = self._read
                about = os.fstat(file.fileno())
                if inode != about.st_ino or about.st_size < offset:
                    self._entries, self.damaged, offset = [], 0, 0
                file.seek(offset)
                raw = file.read()
        except FileNotFoundError:
            self._entries, self._read = [], (0, 0)
            return self._entries
        except OSError as error:
            sentence = f"{self.path} cannot be read: {error.strerror}."
            raise UnreadableError(sentence) from error
        whole = raw.rfind(b"\n") + 1
        self._take(raw[:whole])
        self._read = (about.st_ino, offset + whole)
        return self._entries

    def append(self, entry: Entry, *, lasts: bool = True) -> None:
        """Write one; raises OSError, and then it may or may not be there.

        It is durable when this returns, or, unless it `lasts`, with the next that does.
        """
        if not self._is_named:
            make_folder(self.path.parent)
        handle = os.open(self.path, _FLAGS | os.O_CREAT, 0o600)
        try:
            size = os.lseek(handle, 0, os.SEEK_END)
            is_torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            line = (b"\n" if is_torn else b"") + encode(entry)
            try:
                write_all(handle, line)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(handle, size)
                raise
            if lasts:
                settle(handle)
        finally:
            os.close(handle)
        if not self._is_named:
            settle_folder(self.path.parent)
            self._is_named = True

    def rewrite(self, entries: Iterable[Entry]) -> None:
        """Put other entries in the place of all; raises OSError, then all is as was."""
        new = self.path.with_name(f"{self.path.name}.new")
        handle = os.open(
            new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600
        )
        try:
            write_all(handle, b"".join(map(encode, entries)))
            settle(handle)
        finally:
            os.close(handle)
        new.replace(self.path)
        settle_folder(self.path.parent)

    def _take(self, raw: bytes) -> None:
        for line in raw.split(b"\n")[:-1]:
            entry = decode(line)
            if entry is None:
                self.damaged += bool(line)
            else:
                self._entries.append(entry)


def encode(entry: Entry) -> bytes:
    """An entry as a line; paths that are no UTF-8 come back as they were."""
    text = json.dumps(entry, separators=(",", ":")).encode("ascii")
    return _digest(text) + b" " + text + b"\n"


def decode(line: bytes) -> Entry | None:
    """The entry of a line without its end; None for what is none."""
    digest, _, text = line.partition(b" ")
    if digest != _digest(text):
        return None
    return cast("Entry", json.loads(text))


def _digest(text: bytes) -> bytes:
    return blake2b(text, digest_size=16).hexdigest().encode("ascii")
