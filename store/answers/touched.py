"""Which records lie in the files that a change touches, before it and after it."""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

Place = tuple[Path, str]
"""A file, by its store and its path there."""

Lines = tuple[int, int]
"""Lines of a file, from one to another that is none of them."""

_USUAL = ("memories",)
_KINDS = {"link": ("edges",), "append": ("episodes", "measures")}
"""What a change makes, by the word of its intent, where that is no memory."""


_MAKING = frozenset({"append", "link", "move", "new"})
_TAKING = frozenset({"delete", "merge"})


def kinds_of(word: str) -> tuple[str, ...]:
    """The kinds of record that a change may make or take away."""
    return _KINDS.get(word, _USUAL)


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


def refs_then(
    word: str, refs: Sequence[str], before: Sequence[str], after: Sequence[str]
) -> tuple[str, ...]:
    """What a change was about, as it goes by its refs afterwards.

    What is gone from the files is left out, unless nothing would be left. What came is
    added where the change makes something, or where it gave something another ref; any
    other record that goes by a new ref only lies behind it in the same file.
    """
    gone = set(before) - set(after)
    now = [ref for ref in refs if ref not in gone]
    is_renamed = len(now) < len(refs) and word not in _TAKING
    if word in _MAKING or is_renamed:
        known = {*before, *refs}
        now += [ref for ref in after if ref not in known]
    return tuple(dict.fromkeys(now)) or tuple(refs)
