"""Databases in every state: new, left by a crash, in use by a writer."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from store.files.beneath import Root
from store.files.sqlite import Row, open_database

_WRITER = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
print("ready", flush=True)
for statement in sys.stdin:
    if statement == "crash\\n":
        os._exit(0)
    print(db.execute(statement).fetchall(), flush=True)
"""


class Writer:
    """Another program that has the database open."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WRITER, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._hear()

    def do(self, *statements: str) -> str:
        answer = ""
        for statement in statements:
            self._say(statement)
            answer = self._hear()
        return answer

    def crash(self) -> None:
        self._say("crash")
        self.close()

    def close(self) -> None:
        self._process.communicate()

    def _say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def _hear(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline()


@contextmanager
def writer(path: Path) -> Generator[Writer]:
    """A writer that runs until the end of the block."""
    living = Writer(path)
    try:
        yield living
    finally:
        living.close()


def make(path: Path, *statements: str) -> Path:
    """Create a database with these statements, and close it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


def read(path: Path, table: str = "t", columns: tuple[str, ...] = ("a",)) -> list[Row]:
    """All rows of a table, from the reader."""
    with Root(path.parent) as root, open_database(root, path.name) as database:
        return list(database.rows(table, columns))


def seen(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every entry of a folder: mode, time, content."""
    found: dict[str, tuple[int, int, bytes]] = {}
    for path in [folder, *sorted(folder.iterdir())]:
        status = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
        found[os.fspath(path)] = status.st_mode, status.st_mtime_ns, content
    return found
