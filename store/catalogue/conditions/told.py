"""How a field of a record is told in SQL."""

from enum import Enum, auto

from msgspec import Struct


class Form(Enum):
    """What an expression comes to."""

    TEXT = auto()
    """Text, or null."""
    NUMBER = auto()
    """A number, or null."""
    MOMENT = auto()
    """Microseconds since 1970, or null."""
    DAY = auto()
    """A day as YYYY-MM-DD, or null."""
    LIST = auto()
    """A JSON list of texts, or null."""


class Told(Struct, frozen=True):
    """A field, as SQL."""

    sql: str
    """What it comes to."""
    form: Form = Form.TEXT
    """And what that is."""
    word: str | None = None
    """The same as a word, where stores that know no numbers say it with one."""
    within: str = "{}"
    """What a condition on it stands in, where it is told by other rows."""


def number(sql: str, word: str | None = None) -> Told:
    """A field that is a number, or a word that stands for one."""
    return Told(sql, Form.NUMBER, word)


def moment(sql: str) -> Told:
    """A field that is an instant."""
    return Told(sql, Form.MOMENT)


def several(sql: str) -> Told:
    """A field that is a list."""
    return Told(sql, Form.LIST)
