"""How edges are searched."""

from store.catalogue.conditions.kinds.kind import (
    Kind,
    Place,
    common,
    problems_of,
    suspicious,
    with_problem,
)
from store.catalogue.conditions.told import Told, moment, number, several
from store.catalogue.views.edges import FROM_TITLE, TO_TITLE

_TITLES = f"coalesce({FROM_TITLE}, '') || char(10) || coalesce({TO_TITLE}, '')"
_CONTEXT = "coalesce(edges.context, '')"

EDGES = Kind(
    table="edges",
    title=f"{FROM_TITLE}",
    everywhere=(
        Place(f"edges.type || char(10) || {_TITLES} || char(10) || {_CONTEXT}"),
    ),
    places={
        "title": (Place(_TITLES),),
        "context": (Place("edges.context"),),
        "body": (Place("edges.context"),),
    },
    fields={
        **common("edges"),
        "id": Told("edges.edge_id"),
        "type": Told("edges.type"),
        "edge": Told("edges.type"),
        "strength": number("edges.strength"),
        "created": moment("edges.created_at"),
        "problems": problems_of("edges"),
        "from": Told(FROM_TITLE),
        "to": Told(TO_TITLE),
        "from_type": Told("starts.type"),
        "to_type": Told("ends.type"),
        "context": Told("edges.context"),
        "sides": several("'[\"' || replace(edges.sides, ' ', '\",\"') || '\"]'"),
    },
    states={
        "broken": 'edges.start IS NULL OR edges."end" IS NULL',
        "onesided": with_problem("edges", "one-sided-link"),
        "duplicate": with_problem("edges", "duplicate-id"),
        **suspicious("edges"),
    },
    belongings={
        "context": f"{_CONTEXT} <> ''",
        "strength": "edges.strength IS NOT NULL",
        "file": "instr(edges.sides, 'file')",
        "problems": "edges.ref IN (SELECT problems.ref FROM problems)",
    },
    times=(moment("edges.created_at"),),
    new="edges.created_at",
    facets={"type": "edges.type"},
)
"""Edges."""
