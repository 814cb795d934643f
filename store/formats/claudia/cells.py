"""Values of a database as what they should be, whatever they are."""

import math

from store.files.sqlite import Scalar
from store.findings import Json
from store.times import Instant, parse


def text(value: Scalar) -> str | None:
    """The value as text; None where there is none."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return repr(value)


def whole(value: Scalar) -> int:
    """The value as a count; 0 where it is none."""
    if isinstance(value, int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return int(value)
    return 0


def instant(value: Scalar) -> Instant | None:
    """The value as a point in time; None where there is nothing written."""
    if value is None or value == "":
        return None
    return parse(value if isinstance(value, (int, float)) else text(value) or "")


def json_value(value: Scalar) -> Json:
    """The value as JSON can hold it."""
    if isinstance(value, bytes) or (
        isinstance(value, float) and not math.isfinite(value)
    ):
        return text(value)
    return value
