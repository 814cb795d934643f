"""How memories are searched."""

from store.catalogue.conditions.kinds.kind import (
    Kind,
    Place,
    common,
    problems_of,
    suspicious,
    with_problem,
)
from store.catalogue.conditions.told import Told, moment, number, several
from store.catalogue.words import shelves

_STAGE = "stage_of(memories.fades, memories.pinned, memories.vigour)"
_STRENGTH = "strength_of(memories.fades, memories.pinned, memories.vigour)"

_WEIGHT = (
    "CASE memories.importance WHEN 'high' THEN 0.9 WHEN 'medium' THEN 0.5 "
    "WHEN 'low' THEN 0.1 ELSE memories.importance END"
)
"""Importance as a number, where it is a word as well."""

_WITH_EDGE = (
    "memories.id IN (SELECT edges.start FROM edges WHERE {0} "
    'UNION ALL SELECT edges."end" FROM edges WHERE {0})'
)

_BEGUN = "coalesce(memories.created_at, memories.changed_at)"
"""When a memory came to be, as far as anything tells."""

_DANGLES = '(edges.start IS NULL OR edges."end" IS NULL)'

_HEAD = Place(shelves.MEMORIES.text("memories"), shelves.MEMORIES, "memories.id")


def _part(column: str) -> Place:
    """A column of what a list shows."""
    return Place(f"memories.{column}", shelves.MEMORIES, "memories.id", is_whole=False)


_BODY = Place(
    "bodies.text",
    shelves.BODIES,
    "bodies.id",
    chosen=(
        "(memories.source, coalesce(memories.line, 0)) IN "
        "(SELECT bodies.source, bodies.line FROM bodies WHERE {})"
    ),
    each=(
        "EXISTS (SELECT 1 FROM bodies WHERE bodies.source = memories.source "
        "AND bodies.line = coalesce(memories.line, 0) AND {})"
    ),
)

_STAGES = ("vault", "active", "fading", "dormant")

MEMORIES = Kind(
    table="memories",
    title="memories.title",
    everywhere=(_HEAD, _BODY),
    places={
        "title": (_part("title"),),
        "tags": (_part("tags"),),
        "description": (_part("description"),),
        "body": (_BODY,),
    },
    fields={
        **common("memories"),
        "id": Told("memories.own_id"),
        "line": number("memories.line"),
        "type": Told("memories.type"),
        "tags": several("memories.tags"),
        "stage": Told(_STAGE),
        "title": Told("memories.title"),
        "description": Told("memories.description"),
        "importance": number(_WEIGHT, "memories.importance"),
        "confidence": number("memories.confidence"),
        "strength": number(_STRENGTH),
        "created": moment("memories.created_at"),
        "updated": moment("memories.changed_at"),
        "accessed": moment("memories.accessed_at"),
        "modified": moment("sources.mtime_ns / 1000"),
        "access_count": number("memories.access_count"),
        "links": number("(memories.links_in + memories.links_out)"),
        "links_in": number("memories.links_in"),
        "links_out": number("memories.links_out"),
        "edge": Told("edges.type", within=_WITH_EDGE),
        "problems": problems_of("memories"),
    },
    states={
        "pinned": "memories.pinned",
        **{stage: f"{_STAGE} = '{stage}'" for stage in _STAGES},
        "archived": f"memories.archived OR {_STAGE} = 'archived'",
        "orphan": "memories.links_in + memories.links_out = 0",
        "broken": (
            f"{_WITH_EDGE.format(_DANGLES)} OR memories.ref IN "
            "(SELECT problems.ref FROM problems WHERE problems.severity = 'error')"
        ),
        "onesided": _WITH_EDGE.format(with_problem("edges", "one-sided-link")),
        "duplicate": (
            f"memories.is_copy OR {with_problem('memories', 'duplicate-id')}"
        ),
        **suspicious("memories"),
    },
    belongings={
        "edges": "memories.links_in + memories.links_out > 0",
        "tags": "memories.tags <> '[]'",
        "description": "coalesce(memories.description, '') <> ''",
        "steps": "memories.type = 'procedure'",
        "problems": "memories.ref IN (SELECT problems.ref FROM problems)",
    },
    times=(moment(_BEGUN), moment("memories.changed_at")),
    new=_BEGUN,
    changed="max(memories.changed_at, sources.mtime_ns / 1000)",
    facets={
        "type": "memories.type",
        "tags": "memories.tags",
        "stage": _STAGE,
    },
)
"""Memories."""
