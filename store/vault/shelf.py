"""The folder that is a store of transcripts: what is gone where it came from."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from store.places import make_private
from store.private import NotWrittenError
from store.vault.kept import Kept, Source
from store.vault.objects import Objects

_TRACES = "traces"
"""A folder of this name is no project: the kit of another format keeps copies in it."""


class Shelf:
    """Lays conversations out as their agent does, for whatever reads those."""

    def __init__(self, folder: Path, objects: Objects) -> None:
        self._folder, self._objects = folder, objects

    def lay(self, kept: Iterable[Kept], stores: tuple[str, ...]) -> None:
        """Let exactly these conversations lie there; raises NotWrittenError.

        `stores` are all that anything was ever kept of, in their order.
        """
        wanted = dict(self._wanted(kept, stores))
        try:
            for path, digest in wanted.items():
                self._link(self._folder / path, self._objects.file(digest))
            self._clear(wanted)
        except OSError as error:
            sentence = f"{self._folder} cannot be written: {error.strerror}."
            raise NotWrittenError(sentence) from error

    def _wanted(
        self, kept: Iterable[Kept], stores: tuple[str, ...]
    ) -> Iterable[tuple[str, str]]:
        for one in kept:
            for file in one.files:
                yield place_of(file.source, stores), file.newest.digest

    def _link(self, target: Path, source: Path) -> None:
        """Link a file to an object, or copy it where no link can be made."""
        with suppress(FileNotFoundError):
            there, wanted = target.stat(), source.stat()
            is_same = there.st_ino == wanted.st_ino and there.st_dev == wanted.st_dev
            when = (there.st_size, there.st_mtime_ns)
            if is_same or when == (wanted.st_size, wanted.st_mtime_ns):
                return
        if not source.exists():
            return
        for folder in reversed(target.relative_to(self._folder).parents):
            make_private(self._folder / folder)
        new = target.with_name(f".{os.urandom(8).hex()}")
        try:
            os.link(source, new)
        except OSError:
            _copy(source, new)
        new.replace(target)

    def _clear(self, wanted: Mapping[str, str]) -> None:
        """Remove what is not to lie there, and folders that are empty by then."""
        if not self._folder.is_dir():
            return
        for folder, _, names in os.walk(self._folder, topdown=False):
            for name in names:
                file = Path(folder) / name
                if file.relative_to(self._folder).as_posix() not in wanted:
                    file.unlink()
            if not any(Path(folder).iterdir()):
                Path(folder).rmdir()


def _copy(source: Path, target: Path) -> None:
    """Copy a file with its time, where the file system has no links."""
    import shutil  # noqa: PLC0415  # hardly ever needed

    shutil.copy2(source, target)


def place_of(source: Source, stores: tuple[str, ...]) -> str:
    """Where a file lies on the shelf.

    As it lay in the first store that anything was kept of; the projects of all others
    have a mark behind their names, so that no two are mixed.
    """
    project, slash, rest = source.path.partition("/")
    if not slash:
        project, rest = _TRACES, source.path
    if source.store != stores[0] or project == _TRACES:
        seal = blake2b(os.fsencode(source.store), digest_size=3).hexdigest()
        project = f"{project}-{seal}"
    return f"{project}/{rest}"
