"""A store of a few files, and an engine to change them, for tests."""

import os
import sqlite3
import stat
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, Self

from store.edits.draft import (
    AppendStep,
    Draft,
    FileStep,
    Marking,
    ModeStep,
    Remake,
    Step,
    behind,
)
from store.edits.engine import Applied, Engine
from store.files.beneath import Root
from store.machine import Places
from store.resource import Closing

FILES = {
    "a.md": b"---\ntitle: A\n---\nfirst\n",
    "b.md": b"---\ntitle: B\n---\nsecond\n",
    "notes/c.md": b"c\r\nwith CRLF\r\n",
    "_index.json": b'{"count": 3}\n',
}


class Here(NamedTuple):
    """The current state of a file."""

    raw: bytes
    mode: int


class Trial(Closing):
    """A store, and the program's own folder beside it."""

    def __init__(self, root: Path, places: Places) -> None:
        self.root, self.places = root, places
        self.now = 1_800_000_000_000_000
        self.marks: list[Marking] = []
        self.engine = Engine(places, self._tick, self._remember)

    @classmethod
    def again(cls, folder: Path) -> Self:
        """The trial in an existing folder."""
        places = Places(folder / "cache", folder / "state", folder / "config")
        return cls(folder / "store", places)

    @classmethod
    def at(cls, folder: Path) -> Self:
        """A new trial."""
        root = folder / "store"
        for path, raw in FILES.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(raw)
        return cls.again(folder)

    @property
    def changes(self) -> Path:
        return self.places.state / "changes"

    def tree(self) -> dict[str, Here | None]:
        """Every file beneath the store, and every folder as None."""
        return tree(self.root)

    def raw(self, path: str) -> bytes | None:
        file = self.root / path
        return file.read_bytes() if file.exists() else None

    def step(
        self, path: str, after: bytes | None, remake: Remake | None = None
    ) -> FileStep:
        """A step from the current content."""
        before = self.raw(path)
        return FileStep(path=path, before=before, after=after, remake=remake)

    def adding(self, path: str, *lines: bytes) -> AppendStep:
        """A step that appends lines."""
        with Root(self.root) as root:
            step = behind(root, path, lines)
        assert step is not None
        return step

    def moded(self, path: str, others: int) -> ModeStep:
        """A step that makes a file private, or readable by others again."""
        mode = stat.S_IMODE((self.root / path).stat().st_mode)
        after = mode & ~others if mode & others else mode | 0o044
        return ModeStep(path=path, before=mode, after=after)

    def draft(self, *steps: Step) -> Draft:
        return Draft(action="test", steps=steps)

    def apply(self, *steps: Step, lock: str | None = None) -> Applied:
        """Apply steps as one change."""
        draft = Draft(action="test", steps=steps, lock=lock)
        return self.engine.apply(self.root, draft)

    def _remember(self, root: Path, marks: Sequence[Marking], now: int) -> None:
        assert (root, now) == (self.root, self.now)
        self.marks += marks

    def _tick(self) -> int:
        self.now += 1_000_000
        return self.now

    def close(self) -> None:
        self.engine.close()


def tree(root: Path) -> dict[str, Here | None]:
    """Every file beneath a folder, and every folder as None."""
    found: dict[str, Here | None] = {}
    for path in sorted(root.rglob("*")):
        if path.name.endswith(("-journal", "-wal", "-shm")):
            continue
        about = os.lstat(path)
        name = path.relative_to(root).as_posix()
        mode = stat.S_IMODE(about.st_mode)
        is_file = stat.S_ISREG(about.st_mode)
        found[name] = Here(_content(path), mode) if is_file else None
    return found


def _content(path: Path) -> bytes:
    """A file's bytes; of a database its content, independent of the layout."""
    if path.suffix != ".db":
        return path.read_bytes()
    with closing(sqlite3.connect(path)) as connection:
        return "\n".join(connection.iterdump()).encode()
