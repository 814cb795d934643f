"""A list of what is nearly meant, where nobody wrote what was typed."""

from collections.abc import Iterator

import orjson

from store.catalogue.finding.asked import Asked
from store.catalogue.finding.similar import nearest_tree
from store.catalogue.views import VIEWS, Record
from store.search.language.tree import Node


def nearly(asked: Asked, kind: str, tree: Node) -> Iterator[Record]:
    """The records whose names are like what was typed, the most like first."""
    near = nearest_tree(tree)
    if near is None:
        return
    reader, view = asked.reader, VIEWS[kind]
    condition = asked.condition(near.tree, kind)
    rows = [one.row for one in asked.like(kind, near.text)]
    order = {row: place for place, row in enumerate(rows)}
    found = reader.ask(
        f"SELECT {view.table}.id AS found_row, {view.columns} "
        f"FROM {view.table} {view.joins} WHERE {view.shown} AND {condition.sql} "
        f"AND {view.table}.id IN (SELECT value FROM json_each(?)) "
        f"AND {reader.within('stores.id')}",
        (*condition.values, orjson.dumps(rows).decode(), *reader.stores_seen),
    ).fetchall()
    for row in sorted(found, key=lambda one: order[one["found_row"]]):
        yield view.make(row, asked.circumstances.now)
