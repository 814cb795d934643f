"""A conversation that is kept."""

from pathlib import Path
from typing import NamedTuple

from msgspec import Struct


class Source(NamedTuple):
    """A file of a store, wherever it is by now."""

    store: str
    """The absolute path of the store's root."""
    path: str
    """The file, relative to it."""

    @property
    def file(self) -> Path:
        """Where it was found."""
        return Path(self.store) / self.path

    @property
    def session(self) -> str:
        """What a transcript is called: the session's own identifier."""
        return self.path.rpartition("/")[2].removesuffix(".jsonl")


class Version(Struct, frozen=True, kw_only=True):
    """A file as it was when it was kept."""

    digest: str
    """The blake2b of its bytes, hex: what its object is called."""
    size: int
    mtime_ns: int
    at: int
    """When it was kept, in microseconds since 1970."""


class KeptFile(Struct, frozen=True, kw_only=True):
    """A file that is kept, with every version of it that there is."""

    source: Source
    versions: tuple[Version, ...]
    """The oldest first; a version that a later one begins with is not among them."""

    @property
    def newest(self) -> Version:
        """The file as it was when it was kept last."""
        return self.versions[-1]


class Kept(Struct, frozen=True, kw_only=True):
    """A conversation's transcript, and the files that belong to it."""

    source: Source
    """The transcript."""
    title: str
    """What the conversation was called when it was kept first."""
    files: tuple[KeptFile, ...]
    """The transcript first."""

    @property
    def session(self) -> str:
        """What its transcript is called."""
        return self.source.session

    @property
    def size(self) -> int:
        """How many bytes the vault holds of it."""
        return sum(one.size for file in self.files for one in file.versions)

    @property
    def at(self) -> int:
        """When it was kept last."""
        return max(file.newest.at for file in self.files)

    @property
    def is_gone(self) -> bool:
        """Whether the transcript is no longer where it was found."""
        return not self.source.file.is_file()


class Damage(NamedTuple):
    """Something that was kept and is not what it was."""

    source: Source
    message: str
