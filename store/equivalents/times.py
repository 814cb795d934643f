"""The time that a leaf of a query asks for, as one or two bounds."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from store.search.language.tree import Age, Compared, Days, Named, Value

_SECOND = 1_000_000
_UNITS = {"h": 3600, "d": 86_400, "w": 604_800, "m": 2_592_000, "y": 31_536_000}
_YOUNGER = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": ">="}
"""What is less long ago comes later."""


class Bound(NamedTuple):
    """What a time must be, held against seconds since 1970."""

    operator: str
    seconds: int

    @property
    def iso(self) -> str:
        """The instant as journals write theirs; those sort as they stand."""
        return f"{datetime.fromtimestamp(self.seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def bounds(leaf: Named | Compared, now: int) -> list[Bound] | None:
    """What a leaf asks of a time; None where it asks for none that can be told."""
    operator, value = "=", leaf.values[0] if isinstance(leaf, Named) else leaf.value
    if isinstance(leaf, Compared):
        operator = leaf.operator
    elif len(leaf.values) > 1:
        return None
    elif leaf.name == "since":
        operator = "<=" if isinstance(value, Age) else ">="
    elif isinstance(value, Age):
        operator = "<"
    try:
        return list(_bounds(operator, value, now)) or None
    except (OverflowError, OSError, ValueError):
        return None


def _bounds(operator: str, value: Value, now: int) -> Iterator[Bound]:
    match value:
        case Age(amount, unit):
            instant = now // _SECOND - int(amount * _UNITS[unit])
            yield Bound(_YOUNGER[operator], instant)
        case Days(first, last):
            begin, end = _midnight(first), _midnight(last + timedelta(days=1))
            if operator in {">=", "="}:
                yield Bound(">=", begin)
            if operator in {"<=", "="}:
                yield Bound("<", end)
            if operator == "<":
                yield Bound("<", begin)
            if operator == ">":
                yield Bound(">=", end)
        case _:
            return


def _midnight(day: date) -> int:
    """When a day begins here."""
    return int(datetime.combine(day, time.min).astimezone().timestamp())
