"""Every field of the language can be queried in the catalogue."""

from datetime import date

import pytest

from store.kinds import KINDS
from store.kinds.field import Field, Type
from store.library import Library
from store.search.fields import FIELDS
from store.search.tree import ALL, Age, All, Compared, Days, Last, Named, Not, Value

_LOOKED_AT = {"marked", "changed", "new"}
"""The states that are not told of a record, but of somebody who looks at it."""

_TIMES = {"on", "month", "year", "since"}

BOTH = [(kind, field) for field in FIELDS for kind in sorted(field.kinds)]
OWN = [
    (kind, field)
    for kind, field in BOTH
    if field.name not in {"is", "has", "in", *_TIMES}
]
TODAY = Days(date(2026, 3, 1), date(2026, 3, 1))
VALUES: dict[Type, tuple[Value, ...]] = {
    Type.TEXT: ("redis", "", "日本", "it's", "%", "\0"),
    Type.NUMBER: (0.0, -1.5, 1e300),
    Type.SECONDS: (0.0, 90.0, 1e300),
    Type.TIME: (Age(30.0, "d"), Age(100_000.0, "y"), Age(0.0, "h")),
}


def named(one: str | Field) -> str:
    """The id of a test."""
    return one.name if isinstance(one, Field) else one


def test_the_kinds_are_those_of_the_language() -> None:
    assert set(KINDS) == ALL


@pytest.mark.parametrize(("kind", "field"), OWN, ids=named)
def test_every_field_is_known(kind: str, field: Field) -> None:
    assert field.name in KINDS[kind].fields


def test_every_known_field_can_be_queried() -> None:
    asked = {(kind, field.name) for kind, field in BOTH}
    told = {(name, field) for name, kind in KINDS.items() for field in kind.fields}
    assert told <= asked


@pytest.mark.parametrize(("kind", "field"), BOTH, ids=named)
def test_every_choice_is_known(kind: str, field: Field) -> None:
    known = {
        "is": _LOOKED_AT | set(KINDS[kind].states),
        "has": set(KINDS[kind].belongings),
        "in": set(KINDS[kind].places),
    }
    if field.name in known:
        assert set(field.choices or ()) == known[field.name]
    if field.name in _TIMES:
        assert KINDS[kind].times


@pytest.mark.parametrize(("kind", "field"), BOTH, ids=named)
def test_every_field_takes_any_value(samples: Library, kind: str, field: Field) -> None:
    everything = samples.lists.count(kind)
    for value in values_of(field):
        tree = Named(field.name, (value,))
        found = samples.lists.count(kind, tree)
        assert found + samples.lists.count(kind, Not(tree)) == everything
        assert samples.lists.count(kind, All((tree, Not(tree)))) == 0
    for operator in ("<", "<=", ">", ">=", "=") if field.is_compared else ():
        for value in values_of(field):
            if not isinstance(value, str | Last):
                tree = Compared(field.name, operator, value)
                found = samples.lists.count(kind, tree)
                assert found + samples.lists.count(kind, Not(tree)) == everything


def values_of(field: Field) -> list[Value]:
    """Some values of a field, including the smallest and the largest."""
    values = [value for kind in field.types for value in VALUES.get(kind, ())]
    values += field.choices or ()
    if not {Type.TIME, Type.DAYS, Type.SINCE}.isdisjoint(field.types):
        values += [Days(date.min, date.min), Days(date.max, date.max), TODAY]
    return values + [Last()] * (Type.SINCE in field.types)
