"""What stands behind a field's name: read by what the field takes, and written."""

import re
from collections.abc import Callable, Sequence
from math import isfinite

from store.search.language import dates
from store.search.language.fields import Field, Type
from store.search.language.tree import Age, Days, Last, Value

_FLAGS = re.ASCII | re.IGNORECASE

_NUMBER = re.compile(r"(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([%km]?)", _FLAGS)
_FACTORS = {"": 1.0, "%": 1.0, "k": 1e3, "m": 1e6}

_SECONDS = re.compile(r"((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([smhd]?)", _FLAGS)
_LENGTHS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}

_LAST = "last"

_QUOTED = re.compile(r"""[\s,|()"]|^[:=/\\]|^$""")
"""What a value holds that must stand in quotes."""


def read(text: str, fields: Sequence[Field]) -> tuple[Value, ...]:
    """What a text says as a value of one of some fields; nothing where it says nothing.

    A beginning that several choices share stands for all of them.
    """
    for kind in _types(fields):
        value = _READERS[kind](text)
        if value is not None:
            return (value,)
    return chosen(text, fields) if Type.CHOICE in _types(fields) else ()


def compared(text: str, fields: Sequence[Field]) -> Value | None:
    """What a text says behind `<` or `>`."""
    return next(iter(read(text, [f for f in fields if f.is_compared])), None)


def is_begun(text: str, fields: Sequence[Field]) -> bool:
    """Whether a text that says nothing yet may come to, with more behind it."""
    return any(kind in _BEGUN for kind in _types(fields)) and dates.is_begun(text)


def chosen(text: str, fields: Sequence[Field]) -> tuple[str, ...]:
    """The choices of some fields that a text names, or that begin with it."""
    word = text.casefold()
    choices = list(dict.fromkeys(c for f in fields for c in f.choices or ()))
    return tuple([c for c in choices if c == word] or _beginning(word, choices))


def _beginning(word: str, choices: Sequence[str]) -> list[str]:
    return [choice for choice in choices if word and choice.startswith(word)]


def written(value: Value) -> str:
    """A value as it is typed."""
    match value:
        case str():
            return quoted(value) if _QUOTED.search(value) else value
        case Age(amount, unit):
            return f"{_number(amount)}{unit}"
        case Days():
            return dates.written(value)
        case Last():
            return _LAST
        case _:
            return _number(value)


def quoted(text: str) -> str:
    """A text in quotes; a quote in it is doubled."""
    return '"' + text.replace('"', '""') + '"'


def _number(number: float) -> str:
    text = repr(number).removesuffix(".0")
    return text.replace("0.", ".", 1) if text.startswith("0.") else text


def _types(fields: Sequence[Field]) -> dict[Type, None]:
    """What some fields take, each once, in the order to be tried."""
    return dict.fromkeys(kind for field in fields for kind in field.types)


def _measured(
    pattern: re.Pattern[str], factors: dict[str, float]
) -> Callable[[str], float | None]:
    """How to read a number with a unit behind it."""

    def number(text: str) -> float | None:
        match = pattern.fullmatch(text)
        if match is None:
            return None
        value = float(match[1]) * factors[match[2].lower()]
        if match[2] == "%":
            value /= 100
        return value if isfinite(value) else None

    return number


def _since(text: str) -> Value | None:
    return Last() if text.casefold() == _LAST else _time(text)


def _time(text: str) -> Value | None:
    return dates.age(text) or dates.days(text)


_READERS: dict[Type, Callable[[str], Value | None]] = {
    Type.TEXT: str,
    Type.CHOICE: lambda _: None,
    Type.NUMBER: _measured(_NUMBER, _FACTORS),
    Type.SECONDS: _measured(_SECONDS, _LENGTHS),
    Type.TIME: _time,
    Type.DAYS: dates.days,
    Type.SINCE: _since,
}
"""How each type is read; choices come last, where nothing else could be read."""

_BEGUN = frozenset({Type.NUMBER, Type.SECONDS, Type.TIME, Type.DAYS, Type.SINCE})
"""The types of which a part may be typed that says nothing by itself."""
