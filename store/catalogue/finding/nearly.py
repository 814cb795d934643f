"""A list of what is nearly meant, where nobody wrote what was typed."""

import orjson

from store.catalogue.finding.asked import Asked
from store.catalogue.finding.similar import nearest_tree
from store.catalogue.views import VIEWS
from store.search.language.tree import Node


def nearly(asked: Asked, kind: str, tree: Node) -> list[int]:
    """The rows of a kind whose names are like what was typed, the most like first."""
    near = nearest_tree(tree)
    if near is None:
        return []
    reader, view = asked.reader, VIEWS[kind]
    condition = asked.condition(near.tree, kind)
    rows = [one.row for one in asked.like(kind, near.text)]
    found = reader.connection.execute(
        f"SELECT {view.table}.id FROM {view.joined(condition.sql)} "
        f"WHERE {view.shown} AND {condition.sql} "
        f"AND {view.table}.id IN (SELECT value FROM json_each(?)) "
        f"AND {reader.within(f'{view.table}.store')}",
        (*condition.values, orjson.dumps(rows).decode(), *reader.stores_seen),
    )
    meeting = {row for (row,) in found}
    return [row for row in rows if row in meeting]
