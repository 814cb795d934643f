"""What the catalogue holds of single files, whatever else there is in their stores."""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from store.catalogue.writer import Writer
from store.files.beneath.entry import stamp_of

Place = tuple[Path, str]
"""A file, by its store and its path there."""

Lines = tuple[int, int]
"""Lines of a file, from one to another that is none of them."""

_STORE = "SELECT id FROM stores WHERE path = ?"


def is_known(connection: sqlite3.Connection, place: Place) -> bool:
    """Whether the catalogue holds what a file says now."""
    root, path = place
    row = connection.execute(_STORE, (os.fsencode(root),)).fetchone()
    known = Writer(connection).known_one(row[0], path) if row else None
    if known is None:
        return False
    try:
        about = (root / path).lstat()
    except OSError:
        return False
    return known.stamp == stamp_of(about)


def refs_at(
    connection: sqlite3.Connection,
    kinds: Iterable[str],
    places: Sequence[tuple[Place, Lines | None]],
) -> list[str]:
    """The refs of the records that lie in some files, in the order of the files.

    Of a file with lines those that lie there alone, and whatever is of no line.
    """
    return [
        ref
        for kind in kinds
        for (root, path), lines in places
        for question, terms in _questions(kind, lines)
        for (ref,) in connection.execute(
            question, (os.fsencode(root), os.fsencode(path), *terms)
        )
    ]


def _questions(kind: str, lines: Lines | None) -> Iterator[tuple[str, tuple[int, ...]]]:
    question = (
        f"SELECT {kind}.ref FROM {kind} "
        f"JOIN sources ON sources.id = {kind}.source "
        f"JOIN stores ON stores.id = sources.store "
        f"WHERE stores.path = ? AND sources.path = ? {{}} ORDER BY {kind}.id"
    )
    if lines is None:
        yield question.format(""), ()
    else:
        yield question.format(f"AND {kind}.line IS NULL"), ()
        yield question.format(f"AND {kind}.line >= ? AND {kind}.line < ?"), lines
