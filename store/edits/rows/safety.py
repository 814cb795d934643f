"""A database copied as a whole before it is written for the first time."""

import os
import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

from store.edits.refusals import NotPossibleError
from store.files.beneath.naming import quoted
from store.places import make_private

KEPT = 2
"""How many copies are kept of each database."""


def back_up(connection: sqlite3.Connection, path: Path, folder: Path, now: int) -> Path:
    """Copy it, and look whether the copy is sound; raises NotPossibleError and OSError.

    What is damaged already is not written into: that could make it worse.
    """
    make_private(folder)
    stem = blake2b(os.fsencode(path), digest_size=6).hexdigest()
    copy = folder / f"{stem}-{now:020}.db"
    os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    try:
        with closing(sqlite3.connect(copy)) as target:
            connection.backup(target)
            (answer,) = target.execute("PRAGMA quick_check(1)").fetchone()
    except BaseException:
        copy.unlink()
        raise
    if answer != "ok":
        copy.unlink()
        raise NotPossibleError(f"{quoted(path.name)} is damaged: {answer}.")
    for old in sorted(folder.glob(f"{stem}-*.db"))[:-KEPT]:
        old.unlink()
    return copy
