"""The columns of a row as bytes, so that they are kept like those of a file."""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import cast

from store.edits.refusals import NotPossibleError
from store.files.sqlite import Scalar
from store.findings import Json

Columns = Mapping[str, Scalar]

_BYTES = "base64"


def columns_of(values: Mapping[str, object]) -> Columns:
    """Values as a database holds them; raises NotPossibleError for what it cannot."""
    columns: dict[str, Scalar] = {}
    for name, value in values.items():
        if isinstance(value, bool):
            columns[name] = int(value)
        elif value is None or isinstance(value, (int, float, str, bytes)):
            columns[name] = value
        else:
            raise NotPossibleError(f"The column {name!r} takes no such value.")
    return columns


def raw_of(columns: Columns | None) -> bytes | None:
    """Columns as lines of JSON, for people to compare."""
    if columns is None:
        return None
    spelt = {name: _spelt(value) for name, value in columns.items()}
    return json.dumps(spelt, indent=0).encode("ascii")


def spelt_of(raw: bytes | None) -> dict[str, Json] | None:
    """The same as JSON spells it: bytes within an object of their own."""
    return None if raw is None else cast("dict[str, Json]", json.loads(raw))


def image_of(raw: bytes | None) -> Columns | None:
    """The columns that some bytes were made of."""
    if raw is None:
        return None
    spelt = spelt_of(raw) or {}
    return {name: _value(value) for name, value in spelt.items()}


def _spelt(value: Scalar) -> object:
    if isinstance(value, bytes):
        return {_BYTES: b64encode(value).decode("ascii")}
    return value


def _value(spelt: Json) -> Scalar:
    if isinstance(spelt, dict):
        return b64decode(str(spelt[_BYTES]))
    return cast("Scalar", spelt)
