"""Programs that share a store by its lock file: ours, and another one."""

import fcntl
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from store.files.locks import HeldError, Lock
from store.files.writable import WritableRoot

LINES = "memories.jsonl"


def locked(root: Path) -> Lock:
    """The store's lock, acquired."""
    with WritableRoot(root) as writable:
        return Lock(writable.entry(".lock"))


def add_ours(root: Path, line: bytes) -> None:
    """Add a line to the store's file by rewriting it under our lock."""
    while True:
        try:
            lock = locked(root)
        except HeldError:
            continue
        with lock:
            add(root, line)
        return


def add_theirs(root: Path, line: bytes) -> None:
    """The same as the text of the format has it: the lock file is opened anew, locked,
    unlocked, and removed after that."""
    path = root / ".lock"
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(f"{os.getpid()}\n")
        file.flush()
        add(root, line)
        fcntl.flock(file, fcntl.LOCK_UN)
    path.unlink(missing_ok=True)


def add(
    root: Path, line: bytes, when_read: Callable[[], object] = lambda: None
) -> None:
    """Add a line without a lock; others may write after it was read."""
    path = root / LINES
    raw = path.read_bytes()
    when_read()
    new = path.with_name(f"{LINES}.{os.getpid()}")
    new.write_bytes(raw + line)
    new.replace(path)


Adding = Callable[[Path, bytes], None]


def at_once(root: Path, programs: Sequence[Adding], times: int) -> set[bytes]:
    """Have programs add lines at the same time; returns what was lost."""
    (root / LINES).write_bytes(b"")
    children = [
        _start(root, program, name, times) for name, program in enumerate(programs)
    ]
    ends = [os.waitpid(child, 0)[1] for child in children]
    assert ends == [0] * len(programs)
    wanted = {
        line(name, number) for name in range(len(programs)) for number in range(times)
    }
    return wanted - set((root / LINES).read_bytes().splitlines(keepends=True))


def line(name: int, number: int) -> bytes:
    return b'{"program":%d,"number":%d}\n' % (name, number)


def _start(root: Path, program: Adding, name: int, times: int) -> int:
    child = os.fork()
    if not child:
        try:
            for number in range(times):
                program(root, line(name, number))
            os._exit(0)
        finally:
            os._exit(1)
    return child
