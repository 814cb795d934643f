"""Cells: what a column can hold, and values made fit for one."""

import os
from collections.abc import Iterable, Mapping
from typing import cast

import orjson

from store.times import Instant

Cell = str | int | float | bytes | None
Row = tuple[Cell, ...]

LARGEST = 2**63 - 1
"""The largest number that SQLite holds."""


def fit_to_store(rows: Iterable[Row]) -> list[Row]:
    """The rows with text that SQLite cannot hold (lone surrogates) made holdable."""
    return [
        tuple(holdable(cell) if isinstance(cell, str) else cell for cell in row)
        for row in rows
    ]


def holdable(text: str) -> str:
    """The text with every lone surrogate replaced."""
    return text.encode("utf-8", "replace").decode()


def json_text(value: object) -> str:
    """A value as JSON text.

    Of what JSON cannot carry, lone surrogates become `?` and larger numbers text.
    """
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return orjson.dumps(_holdable(value), default=str).decode()


def words(names: Iterable[str]) -> str | None:
    """Several words as JSON text; None where there are none, which is the rule."""
    several = tuple(names)
    return json_text(several) if several else None


def written(instant: Instant | None) -> str | None:
    """An instant as records show it."""
    return instant.iso if instant else None


def micros(instant: Instant | None) -> int | None:
    """An instant as rows are sorted by it."""
    return instant.micros if instant else None


def path_bytes(path: str) -> bytes:
    """A path as the file system spells it."""
    return os.fsencode(path)


def _holdable(value: object) -> object:
    """The value with all that JSON cannot carry replaced."""
    if isinstance(value, str):
        return holdable(value)
    if isinstance(value, int) and abs(value) > LARGEST:
        return str(value)
    if isinstance(value, Mapping):
        entries = cast("Mapping[object, object]", value).items()
        return {str(_holdable(key)): _holdable(item) for key, item in entries}
    if isinstance(value, list | tuple):
        return [_holdable(item) for item in cast("Iterable[object]", value)]
    return value
