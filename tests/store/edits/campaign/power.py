"""Simulates a power failure: only durable data survives.

A folder has the names of its last sync, a file the bytes of its last sync. Real file
systems lose less than that, never more.
"""

import os
import shutil
import stat
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import cast

from tests.store.edits.campaign.shim import CALLS, Call

_real_fsync = os.fsync
_real_exit = os._exit  # its name for ending at once


@dataclass
class _Durable:
    """The surviving data, by number of file and folder."""

    names: dict[int, dict[str, int | str]] = field(
        default_factory=dict[int, dict[str, int | str]]
    )
    """In each folder: a number, or the text of a link."""
    files: dict[int, tuple[bytes, int]] = field(
        default_factory=dict[int, tuple[bytes, int]]
    )
    """The bytes and the mode of each file."""


class Power:
    """Fails at the N-th call, for the rest of this process."""

    def __init__(self, base: Path, at: int | None, *, is_honest: bool = True) -> None:
        """Without `honest`, syncs have no effect."""
        self._base, self._at, self._is_honest = base, at, is_honest
        self._durable = _Durable()
        self._real = {name: cast("Call", getattr(os, name)) for name in CALLS}
        self._began = time.time() - 60  # as long as a machine takes to come up
        self.count = 0

    def install(self) -> None:
        """Everything that exists now is durable; count from here."""
        for folder, _, _ in os.walk(self._base):
            self._settle_folder(Path(folder))
        for path in self._base.rglob("*"):
            if stat.S_ISREG(path.lstat().st_mode):
                self._settle_file(path)
        for name in CALLS:
            setattr(os, name, partial(self._call, name))

    def _call(self, name: str, *arguments: object, **named: object) -> object:
        self.count += 1
        if self.count == self._at:
            self._fail()
        if name != "fsync":
            return self._real[name](*arguments, **named)
        if self._is_honest:
            place = Path(f"/proc/self/fd/{arguments[0]}")
            settle = self._settle_folder if place.is_dir() else self._settle_file
            settle(place)
        return None

    def _settle_folder(self, folder: Path) -> None:
        names: dict[str, int | str] = {}
        for path in folder.iterdir():
            about = path.lstat()
            if stat.S_ISLNK(about.st_mode):
                names[path.name] = str(path.readlink())
                continue
            names[path.name] = self._known(path, about)
        self._durable.names[folder.stat().st_ino] = names

    def _settle_file(self, path: Path) -> None:
        about = path.stat()
        number = self._known(path, about)
        self._durable.files[number] = (path.read_bytes(), stat.S_IMODE(about.st_mode))

    def _known(self, path: Path, about: os.stat_result) -> int:
        """The number of a file, which no other file gets."""
        number = about.st_ino
        is_folder = stat.S_ISDIR(about.st_mode)
        if number not in (self._durable.names if is_folder else self._durable.files):
            self._real["open"](path, os.O_RDONLY)
            if is_folder:
                self._durable.names[number] = {}
            else:
                self._durable.files[number] = (b"", 0o600)
        return number

    def _fail(self) -> None:
        """Keep only the surviving data, and exit."""
        for name, real in self._real.items():
            setattr(os, name, real)
        top = self._base.stat().st_ino
        shutil.rmtree(self._base)
        self._leave(top, self._base, {})
        _real_exit(9)

    def _leave(self, folder: int, place: Path, written: dict[int, Path]) -> None:
        place.mkdir()
        for name, what in self._durable.names[folder].items():
            path = place / name
            if isinstance(what, str):
                path.symlink_to(what)
            elif what in self._durable.names:
                self._leave(what, path, written)
            elif what in written:
                path.hardlink_to(written[what])
            else:
                raw, mode = self._durable.files[what]
                path.write_bytes(raw)
                path.chmod(mode)
                os.utime(path, (self._began, self._began))
                written[what] = path
