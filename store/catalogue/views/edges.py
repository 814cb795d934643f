"""Edges, as lists show them."""

import os
import sqlite3

from store.catalogue.views.view import PLACE, PROBLEMS_OF, View, of_source
from store.records.edge import Edge

_NAMED = "substr(edges.{0}_key, instr(edges.{0}_key, ':') + 1)"
"""What an edge names an end by, where it is no memory and nobody copied its title."""

FROM_TITLE = f"coalesce(starts.title, edges.start_title, {_NAMED.format('start')})"
TO_TITLE = f"coalesce(ends.title, edges.end_title, {_NAMED.format('end')})"
"""What the ends are called."""


def _edge(row: sqlite3.Row, _now: int) -> Edge:
    """An edge."""
    return Edge(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        id=row["edge_id"],
        type=row["type"],
        from_=row["start_ref"],
        to=row["end_ref"],
        from_type=row["from_type"],
        to_type=row["to_type"],
        from_title=row["from_title"],
        to_title=row["to_title"],
        strength=row["strength"],
        context=row["context"],
        created=row["created"],
        path=os.fsdecode(row["path"]),
        sides=tuple(row["sides"].split()),
        problems=tuple((row["codes"] or "").split()),
    )


EDGES: View[Edge] = View(
    make=_edge,
    table="edges",
    ties=("edges.ref",),
    columns=(
        f"edges.*, {PLACE}, {PROBLEMS_OF.format('edges')} AS codes, "
        "starts.ref AS start_ref, ends.ref AS end_ref, "
        "starts.type AS from_type, ends.type AS to_type, "
        f"{FROM_TITLE} AS from_title, {TO_TITLE} AS to_title"
    ),
    belongs={
        **of_source("edges"),
        "starts": "LEFT JOIN memories AS starts ON starts.id = edges.start",
        "ends": 'LEFT JOIN memories AS ends ON ends.id = edges."end"',
    },
    sorts={
        "created": "edges.created_at",
        "strength": "edges.strength",
        "type": "edges.type",
        "from_title": "from_title COLLATE NOCASE",
        "to_title": "to_title COLLATE NOCASE",
        "path": "sources.path",
        "store": "stores.path",
    },
    largest_first=frozenset({"created", "strength"}),
)
