"""Bytes from before and after every change, each kept once under its own digest."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from store.edits.refusals import BackupLostError
from store.files.replacing.durable import make_folder, settle, write_all

_NEW = ".new"
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC


def name_of(raw: bytes) -> str:
    """What some bytes are kept under."""
    return blake2b(raw, digest_size=32).hexdigest()


class Blobs:
    """A folder of them, written by one process at a time."""

    def __init__(self, folder: Path) -> None:
        """Nothing is made before something is kept."""
        self.folder = folder

    def keep(self, raws: Iterable[bytes]) -> None:
        """Keep them, durably; raises OSError."""
        self.keep_as({name_of(raw): raw for raw in raws})

    def keep_as(self, wanted: Mapping[str, bytes]) -> None:
        """Keep what goes by these digests, which are not worked out again."""
        missing = {name: raw for name, raw in wanted.items() if self._lacks(name, raw)}
        if not missing:
            return
        make_folder(self.folder)
        handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for name, raw in missing.items():
                _write(handle, name, raw)
            settle(handle)
        finally:
            os.close(handle)

    def read(self, name: str) -> bytes:
        """The bytes that go by a digest; raises BackupLostError."""
        try:
            raw = (self.folder / name).read_bytes()
        except OSError as error:
            raise BackupLostError(f"The backup {name[:12]} is gone.") from error
        if name_of(raw) != name:
            raise BackupLostError(f"The backup {name[:12]} is damaged.")
        return raw

    def has(self, name: str) -> bool:
        """Whether something is kept under a digest."""
        return (self.folder / name).is_file()

    def sizes(self) -> dict[str, int]:
        """How large each one is; leftovers of a write that broke off among them."""
        try:
            with os.scandir(self.folder) as found:
                return {entry.name: entry.stat().st_size for entry in found}
        except FileNotFoundError:
            return {}

    def drop_but(self, names: set[str]) -> int:
        """Remove all others; how many bytes that gave back."""
        freed = 0
        for name, size in self.sizes().items():
            if name not in names:
                (self.folder / name).unlink(missing_ok=True)
                freed += size
        return freed

    def sweep(self) -> None:
        """Remove what a write left that broke off; raises OSError."""
        for path in self.folder.glob(f"*{_NEW}"):
            path.unlink(missing_ok=True)

    def _lacks(self, name: str, raw: bytes) -> bool:
        try:
            return (self.folder / name).read_bytes() != raw
        except FileNotFoundError:
            return True


def _write(folder: int, name: str, raw: bytes) -> None:
    """Write one whole or not at all; raises OSError."""
    new = name + _NEW
    handle = os.open(new, _FLAGS, 0o600, dir_fd=folder)
    try:
        try:
            os.fchmod(handle, 0o600)
            write_all(handle, raw)
            settle(handle)
        finally:
            os.close(handle)
        os.rename(new, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with suppress(OSError):
            os.unlink(new, dir_fd=folder)
        raise
