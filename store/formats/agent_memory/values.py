"""JSON values as the fields of a memory: scalars as the text that stands there."""

from collections.abc import Mapping

import orjson

from store.findings import Json, Value

FIELDS = 100
"""How many fields of its own a memory may have; more are not kept."""

_DEEPEST = 8
_LONGEST = 2000
"""How much of a value of an unexpected kind is kept as text."""


def as_value(value: Json, depth: int = 0) -> Value:
    """A value as findings hold it; what is nested deeper than sense becomes text."""
    if isinstance(value, str):
        return value
    if depth < _DEEPEST and isinstance(value, list):
        return [as_value(item, depth + 1) for item in value[:_LONGEST]]
    if depth < _DEEPEST and isinstance(value, dict):
        return {key: as_value(item, depth + 1) for key, item in value.items()}
    return as_text(value)


def as_text(value: Json) -> str:
    """A value on one line, cut where it is long."""
    if isinstance(value, str):
        return value
    try:
        text = orjson.dumps(value).decode()
    except TypeError:
        return "[…]" if isinstance(value, list) else "{…}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def rest(thing: Mapping[str, Json], known: frozenset[str]) -> dict[str, Value]:
    """The fields that no attribute of a memory carries, as they stand."""
    fields: dict[str, Value] = {}
    for name, value in thing.items():
        if name not in known and len(fields) < FIELDS:
            fields[name] = as_value(value)
    return fields
