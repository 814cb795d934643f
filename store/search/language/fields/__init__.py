"""The table of fields: all that a query can ask of a record, by name."""

from collections.abc import Iterable
from functools import lru_cache

from store.search.language.fields import every_kind, memories, sessions, states
from store.search.language.fields.field import Field, Match, Type
from store.search.language.kinds import ALL, Kinds

__all__ = ["FIELDS", "Field", "Match", "Type", "field_of", "fields_of", "names"]

FIELDS: tuple[Field, ...] = (
    *memories.FIELDS,
    *sessions.FIELDS,
    *states.FIELDS,
    *every_kind.FIELDS,
)
"""Every field; no two of the same name belong to the same kind."""


def field_of(name: str, kind: str) -> Field | None:
    """The field that a kind of record has by a whole name."""
    return next((f for f in FIELDS if f.name == name and kind in f.kinds), None)


@lru_cache(maxsize=32)
def fields_of(kinds: Kinds = ALL) -> tuple[Field, ...]:
    """The fields that any of some kinds has."""
    return tuple(f for f in FIELDS if not kinds.isdisjoint(f.kinds))


def names(word: str, fields: Iterable[Field]) -> tuple[str, ...]:
    """The whole names that a word may stand for, each once.

    A whole name goes before what fields are called besides, and that before all that
    merely begin so.
    """
    exact = {f.name: None for f in fields if f.name == word}
    also = {f.name: None for f in fields if word in f.aliases}
    begun = {f.name: None for f in fields if _begins(f, word)}
    return tuple(exact or also or begun)


def _begins(field: Field, word: str) -> bool:
    return any(name.startswith(word) for name in field.called)
