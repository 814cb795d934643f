"""A field held against a value, as a condition."""

import orjson

from store.catalogue.conditions import moments
from store.catalogue.conditions.condition import NEVER, Condition, all_of
from store.catalogue.conditions.told import Form, Told
from store.catalogue.rows.cells import Cell
from store.search.fold import fold
from store.search.language.fields import Match
from store.search.language.tree import Age, Days, Value

_BETWEEN = ","
"""What stands between the entries of a list as well as in them."""

_MATCHED = {Match.IS: "same", Match.PART: "holds", Match.BEGINS: "begins"}


def has_value(told: Told, match: Match, value: Value, now: int) -> Condition:
    """Whether a field has a value."""
    return _within(told, _equal(told, match, value, now))


def compares(told: Told, operator: str, value: Value, now: int) -> Condition:
    """Whether a field compares so with a value."""
    return _within(told, _compared(told, operator, value, now))


def not_before(told: Told, value: Value, now: int) -> Condition:
    """Whether an instant is not before a time."""
    match value:
        case Age():
            instant = moments.ago(value, now)
        case Days():
            instant = moments.begin(value)
        case _:
            return NEVER
    return _ordered(told, ">=", instant)


def _within(told: Told, condition: Condition) -> Condition:
    """The condition, in what it stands in; that may name it more than once."""
    times = told.within.count("{")
    return Condition(told.within.format(condition.sql), condition.values * times)


def _equal(told: Told, match: Match, value: Value, now: int) -> Condition:
    if isinstance(value, str):
        return _is_text(told, match, value)
    return _compared(told, "<" if isinstance(value, Age) else "=", value, now)


def _is_text(told: Told, match: Match, value: str) -> Condition:
    """Whether a field's text is, or holds, or begins with another."""
    if told.form is Form.LIST:
        return _is_listed(told, match, value)
    sql = told.word or told.sql
    if match is Match.IS and value.isascii():
        return Condition(f"{sql} = ? COLLATE NOCASE", (value,))
    return Condition(f"{_MATCHED[match]}({sql}, ?)", (value,))


def _is_listed(told: Told, match: Match, value: str) -> Condition:
    """Whether one entry of a list is, or holds, another text."""
    if match is Match.IS and value.isascii() and value != _BETWEEN:
        quoted = orjson.dumps(value.lower()).decode()
        return Condition(f"instr(lower({told.sql}), ?)", (quoted,))
    each = f"{_MATCHED[match]}(value, ?)"
    sql = f"EXISTS (SELECT 1 FROM json_each({told.sql}) WHERE {each})"
    return Condition(sql, (fold(value) if match is Match.IS else value,))


def _compared(told: Told, operator: str, value: Value, now: int) -> Condition:
    """Whether a field compares so with a number or a time."""
    match value:
        case float() if told.form is Form.NUMBER:
            return Condition(f"{told.sql} {operator} ?", (value,))
        case float():
            return Condition(f"CAST({told.sql} AS REAL) {operator} ?", (value,))
        case Age():
            return _aged(told, operator, moments.ago(value, now))
        case Days():
            return _dated(told, operator, value)
        case _:
            return NEVER


_YOUNGER = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": ">="}
"""What is less long ago comes later."""


def _aged(told: Told, operator: str, instant: int) -> Condition:
    return _ordered(told, _YOUNGER[operator], instant)


def _dated(told: Told, operator: str, days: Days) -> Condition:
    """How an instant lies to some days, both ends of which belong to them."""
    begin, end = moments.begin(days), moments.end(days)
    match operator:
        case "<":
            return _ordered(told, "<", begin)
        case "<=":
            return _ordered(told, "<", end)
        case ">":
            return _ordered(told, ">=", end)
        case ">=":
            return _ordered(told, ">=", begin)
        case _:
            both = (_ordered(told, ">=", begin), _ordered(told, "<", end))
            return all_of(both)


def _ordered(told: Told, operator: str, instant: int) -> Condition:
    """How an instant lies to another; a day is held against the day."""
    value: Cell = instant
    if told.form is Form.DAY:
        value = moments.day_of(instant)
    return Condition(f"{told.sql} {operator} ?", (value,))
