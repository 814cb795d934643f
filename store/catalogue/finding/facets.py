"""What a result is made of: how many of each type, tag, store and month."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from store.catalogue.conditions.condition import Condition
from store.catalogue.conditions.kinds import KINDS, Kind
from store.catalogue.conditions.told import Form
from store.catalogue.finding.asked import Asked
from store.catalogue.views import VIEWS
from store.search.language.tree import Node

_MONTH = 7
_YEAR = 4

MOST = 50
"""So many values of a facet are told at most, the most frequent."""


class Share(NamedTuple):
    """How many of a result have a value."""

    value: str
    number: int


Facets = Mapping[str, list[Share]]
"""The shares of each facet, the largest first; nulls are not counted."""


def facets(
    asked: Asked, kind: str, tree: Node, names: Collection[str] | None = None
) -> Facets:
    """What the records that a query finds are made of; some facets, or all of them."""
    counted = {
        name: sql
        for name, sql in _counted(KINDS[kind]).items()
        if names is None or name in names
    }
    _gather(asked, kind, asked.condition(tree, kind))
    shares = {name: _shares(asked, kind, sql) for name, sql in counted.items()}
    return {name: found for name, found in shares.items() if found}


def _gather(asked: Asked, kind: str, condition: Condition) -> None:
    """Find the rows once; every facet is counted over them."""
    reader, view = asked.reader, VIEWS[kind]
    reader.connection.execute("DELETE FROM result")
    reader.connection.execute(
        f"INSERT INTO result SELECT {view.table}.id FROM {view.joined(condition.sql)} "
        f"WHERE {view.shown} AND {condition.sql} "
        f"AND {reader.within(f'{view.table}.store')}",
        (*condition.values, *reader.stores_seen),
    )


def _counted(kind: Kind) -> dict[str, str]:
    """The facets of a kind, as SQL."""
    found = {"store": "stores.title", **kind.facets}
    if kind.times:
        first = kind.times[0]
        day = first.sql
        if first.form is Form.MOMENT:
            day = f"datetime({first.sql} / 1000000, 'unixepoch', 'localtime')"
        found["year"] = f"substr({day}, 1, {_YEAR})"
        found["month"] = f"substr({day}, 1, {_MONTH})"
    return found


def _shares(asked: Asked, kind: str, sql: str) -> list[Share]:
    """How many rows of the result have each value, case aside, as queries compare."""
    view = VIEWS[kind]
    each, value, number = "", sql, "count(*)"
    if sql.endswith((".tags", ".tools")):
        each, value = f", json_each({sql})", "value"
        number = "count(DISTINCT result.id)"
    rows = asked.reader.connection.execute(
        f"SELECT min({value}) AS share, {number} AS number FROM {view.joined(sql)} "
        f"JOIN result ON result.id = {view.table}.id{each} "
        f"WHERE {value} <> '' GROUP BY {value} COLLATE NOCASE "
        "ORDER BY number DESC, share LIMIT ?",
        (MOST,),
    )
    return [Share(str(value), number) for value, number in rows]
