"""What a provider answered, never trusted: a vector, or a sentence on why not."""

from math import hypot, isfinite
from typing import cast

from store.errors import RecollectError

LONGEST = 8192
"""The longest vector that is taken for one."""

_LARGEST = 1e30
"""Numbers of a vector are near 1; what is as large as this is none of them."""


class NoAnswerError(RecollectError):
    """A provider gave no vector; the message says why, and neither key nor text."""


def at(answer: object, *path: str | int) -> object:
    """What lies at a path in an answer; None where there is nothing."""
    for step in path:
        if isinstance(answer, dict):
            answer = cast("dict[object, object]", answer).get(step)
        elif isinstance(answer, list) and isinstance(step, int):
            values = cast("list[object]", answer)
            answer = values[step] if step < len(values) else None
        else:
            return None
    return answer


def as_vector(value: object, name: str) -> list[float]:
    """A value as a vector that has a direction; raises NoAnswerError."""
    values = cast("list[object]", value) if isinstance(value, list) else []
    numbers = [
        float(number)
        for number in values[: LONGEST + 1]
        if isinstance(number, int | float) and abs(number) < _LARGEST
    ]
    length = hypot(*numbers)
    if len(numbers) != len(values) or not (length > 0 and isfinite(length)):
        raise NoAnswerError(f"{name} answered with something that is no vector.")
    return numbers
