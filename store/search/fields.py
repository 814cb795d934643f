"""The fields that a query can use, and the values that each takes."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import isfinite

from store.kinds import KINDS
from store.kinds.field import Field, Type
from store.kinds.kind import LAST
from store.search import tree as dates
from store.search.tree import ALL, Age, Days, Kinds, Last, Value
from store.text import regex

# The fields of every kind of record, by name.

_OFFERED = [field for kind in KINDS.values() for field in kind.offered]

FIELDS: tuple[Field, ...] = (
    *(field for field in _OFFERED if field.name not in LAST),
    *(field for name in LAST for field in _OFFERED if field.name == name),
)
"""Every field; no two fields of one kind have the same name."""

_BY_NAME = {(field.name, kind): field for field in FIELDS for kind in field.kinds}


USUAL = {"tags": "tag"}
"""The names that are written in queries in place of the full ones."""


def field_of(name: str, kind: str) -> Field | None:
    """The field with this full name that a kind of record has."""
    return _BY_NAME.get((name, kind))


@lru_cache(maxsize=32)
def fields_of(kinds: Kinds = ALL) -> tuple[Field, ...]:
    """The fields that any of the kinds has."""
    return tuple(f for f in FIELDS if not kinds.isdisjoint(f.kinds))


def names(word: str, fields: Iterable[Field]) -> tuple[str, ...]:
    """The full names that a word may mean, each once.

    Full names take precedence over aliases, and both over names that merely start with
    the word.
    """
    exact = {f.name: None for f in fields if f.name == word}
    also = {f.name: None for f in fields if word in f.aliases}
    begun = {f.name: None for f in fields if _begins(f, word)}
    return tuple(exact or also or begun)


def _begins(field: Field, word: str) -> bool:
    return any(name.startswith(word) for name in field.called)


# Read the value after a field's name by the field's types, and print it.

_FLAGS = re.ASCII | re.IGNORECASE

_VALUES_NUMBER = regex(r"(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([%km]?)", _FLAGS)
_FACTORS = {"": 1.0, "%": 1.0, "k": 1e3, "m": 1e6}

_SECONDS = regex(r"((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([smhd]?)", _FLAGS)
_LENGTHS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}

_LAST = "last"

_QUOTED = regex(r"""[\s,|()"]|^[:=/\\]|^$""")
"""Anything in a value that requires quotes."""


def read(text: str, fields: Sequence[Field]) -> tuple[Value, ...]:
    """The value of a text for one of some fields; empty if it is not valid.

    A prefix that several choices share means all of them.
    """
    for kind in _types(fields):
        value = _READERS[kind](text)
        if value is not None:
            return (value,)
    return chosen(text, fields) if Type.CHOICE in _types(fields) else ()


def compared(text: str, fields: Sequence[Field]) -> Value | None:
    """The value of a text after `<` or `>`."""
    return next(iter(read(text, [f for f in fields if f.is_compared])), None)


def is_begun(text: str, fields: Sequence[Field]) -> bool:
    """Whether an incomplete value may become valid when more is typed."""
    return any(kind in _BEGUN for kind in _types(fields)) and dates.is_begun(text)


def chosen(text: str, fields: Sequence[Field]) -> tuple[str, ...]:
    """The choices of some fields that equal a text, or else start with it."""
    word = text.casefold()
    choices = list(dict.fromkeys(c for f in fields for c in f.choices or ()))
    return tuple([c for c in choices if c == word] or _beginning(word, choices))


def _beginning(word: str, choices: Sequence[str]) -> list[str]:
    return [choice for choice in choices if word and choice.startswith(word)]


def written(value: Value) -> str:
    """The text of a value."""
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
    """A text in quotes, with quotes inside doubled."""
    return '"' + text.replace('"', '""') + '"'


def _number(number: float) -> str:
    text = repr(number).removesuffix(".0")
    return text.replace("0.", ".", 1) if text.startswith("0.") else text


def _types(fields: Sequence[Field]) -> dict[Type, None]:
    """The types of some fields, each once, in the order to try them."""
    return dict.fromkeys(kind for field in fields for kind in field.types)


def _measured(
    pattern: re.Pattern[str], factors: dict[str, float]
) -> Callable[[str], float | None]:
    """A reader for numbers with a unit."""

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
    Type.NUMBER: _measured(_VALUES_NUMBER, _FACTORS),
    Type.SECONDS: _measured(_SECONDS, _LENGTHS),
    Type.TIME: _time,
    Type.DAYS: dates.days,
    Type.SINCE: _since,
}
"""The reader of each type; choices are tried last, if nothing else matched."""

_BEGUN = frozenset({Type.NUMBER, Type.SECONDS, Type.TIME, Type.DAYS, Type.SINCE})
"""The types for which a partly typed value may be invalid by itself."""
