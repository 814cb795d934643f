"""Values of records, taken for what they should be where they are that."""

import math
from collections.abc import Iterable

from store.findings import Json
from store.formats.kei.growing import Record
from store.times import Instant, parse

_LONGEST_NUMBER = 300
_LARGEST = 2**63


def text(record: Record, *keys: str) -> str | None:
    """The first of these fields that holds text."""
    values = (record.get(key) for key in keys)
    return next((v for v in values if isinstance(v, str) and v), None)


def number(value: Json) -> float | None:
    """A finite number; digits in quotes are one too."""
    if isinstance(value, str):
        return _spelt(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    finite = abs(value) < _LARGEST and not math.isnan(value)
    return float(value) if finite else None


def whole(value: Json) -> int | None:
    """An integer that a catalogue can hold."""
    fits = type(value) is int and abs(value) < _LARGEST
    return value if fits and isinstance(value, int) else None


def instant(value: Json) -> Instant | None:
    """When something was, in any of the forms that writers use."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return parse(value) if value != "" else None


def told(record: Record, *keys: str) -> Instant | None:
    """The first of these fields that tells a time."""
    found = (instant(record.get(key)) for key in keys)
    return next((one for one in found if one and one.micros is not None), None)


def without(record: Record, used: Iterable[str]) -> Record:
    """What else a record says."""
    taken = frozenset(used)
    return {key: value for key, value in record.items() if key not in taken}


def _spelt(value: str) -> float | None:
    if len(value) > _LONGEST_NUMBER:
        return None
    try:
        return number(float(value))
    except ValueError:
        return None
