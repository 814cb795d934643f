"""Edges: typed links between memories."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from store.findings import Side, Value
from store.kinds.field import NOCASE, PLAIN, Moment, Number, Phrase, Text, Texts
from store.kinds.kind import (
    ID,
    PATH,
    REF,
    STORE,
    Kind,
    Place,
    Ranked,
    at,
    has_text,
    problems_of,
    with_problem,
)
from store.kinds.table import Table, column, columns, last_part, moment, split

_NAMED = "substr(edges.{0}_key, instr(edges.{0}_key, ':') + 1)"
"""The name of an end in the edge itself, without a memory and a copied title."""

FROM_TITLE = f"coalesce(starts.title, edges.start_title, {_NAMED.format('start')})"
TO_TITLE = f"coalesce(ends.title, edges.end_title, {_NAMED.format('end')})"
"""The titles of the ends."""

_SIDES = "'[\"' || replace(edges.sides, ' ', '\",\"') || '\"]'"


class Edge(Struct, frozen=True, kw_only=True):
    """A typed link, combined from every place where it is written."""

    ref: Annotated[str, REF]
    """The edge's ref for other commands."""
    store: Annotated[str, STORE]
    """The absolute path of the store's root."""
    id: Annotated[str | None, replace(ID, column="edge_id")]
    """The edge's own identifier, if it has one."""
    type: Annotated[str, Text("the type of memory or link", sort=PLAIN)]
    """The type of the link: SOLVES, CAUSES, link, …"""
    from_: Annotated[str | None, Text(joined="starts.ref")]
    """The ref of the memory it starts at; null if missing."""
    to: Annotated[str | None, Text(joined="ends.ref")]
    """The ref of the memory it ends at; null if missing."""
    from_type: Annotated[
        str | None, Text("the type of the memory at its start", joined="starts.type")
    ]
    """The type of the memory it starts at, if there is one."""
    to_type: Annotated[
        str | None, Text("the type of the memory at its end", joined="ends.type")
    ]
    """The type of the memory it ends at, if there is one."""
    from_title: Annotated[
        str | None,
        Phrase(
            "the memory at its start",
            name="from",
            aliases=("from_title",),
            joined=FROM_TITLE,
            sort=NOCASE,
        ),
    ]
    """The title of its start; for a broken link, the name in the edge."""
    to_title: Annotated[
        str | None,
        Phrase(
            "the memory at its end",
            name="to",
            aliases=("to_title",),
            joined=TO_TITLE,
            sort=NOCASE,
        ),
    ]
    """The title of its end; for a broken link, the name in the edge."""
    strength: Annotated[float | None, Number("its strength")]
    """The strength of the link, 0…1."""
    context: Annotated[str | None, Phrase("why it was created")]
    """The reason for the link, in the writer's words."""
    created: Annotated[str | None, Moment("when it was created")]
    """When it was created, as written."""
    path: Annotated[str, PATH]
    """The file that contains it; the edge file if there is one."""
    sides: Annotated[
        tuple[str, ...],
        Texts(
            "where it is stored",
            aliases=("side",),
            choices=tuple(side.value for side in Side),
            read=split,
            sql=_SIDES,
        ),
    ]
    """The places where it is written: `file outgoing incoming wikilink index`."""
    problems: Annotated[tuple[str, ...], problems_of("edges")]
    """The codes of its problems."""


class EdgeInFull(Struct, frozen=True, kw_only=True):
    """An edge as shown by `show`, with the content of its own file."""

    edge: Edge
    """The fields shown in a list."""
    body: str
    """The text of its file; empty if it has no file."""
    fields: Mapping[str, Value]
    """Everything else in the header of its file, unchanged."""


START_NAME, END_NAME = last_part("start_key", "/"), last_part('"end_key"', "/")
"""The keys of an edge's ends without folders."""

_TITLES = f"coalesce({FROM_TITLE}, '') || char(10) || coalesce({TO_TITLE}, '')"
_CONTEXT = Place("edges.context")

_CLAIMS = Table(
    "claims",
    (
        *columns("start TEXT NOT NULL, end TEXT NOT NULL, type TEXT NOT NULL"),
        column("side TEXT NOT NULL", lambda claim, _: claim.side.value),
        *columns("edge_id TEXT, strength REAL, context TEXT"),
        *moment("created"),
        *columns("start_title TEXT, end_title TEXT, path TEXT, line INTEGER"),
    ),
    {
        "by_source": "(source)",
        "by_edge": "(edge_id, store) WHERE edge_id IS NOT NULL",
        "of_indexes": "(store) WHERE side = 'index'",
    },
    shows=("memories",),
    found="claims",
)
"""What each file says about edges; all claims about an edge are combined into it."""

EDGES = Kind(
    name="edges",
    record=Edge,
    stored=columns(
        "start INTEGER, end INTEGER, start_key TEXT NOT NULL, end_key TEXT NOT NULL, "
        "start_title TEXT, end_title TEXT, line INTEGER"
    ),
    indexes={
        "by_store": "(store)",
        "by_start": '(start, "end")',
        "by_end": '("end")',
        "from_nothing": f"({START_NAME}, store) WHERE start IS NULL",
        "to_nothing": f'({END_NAME}, store) WHERE "end" IS NULL',
    },
    tables=(_CLAIMS,),
    shows=("edges", "memories"),
    joins={
        "starts": "LEFT JOIN memories AS starts ON starts.id = edges.start",
        "ends": 'LEFT JOIN memories AS ends ON ends.id = edges."end"',
    },
    sort_order="created strength type from_title to_title path store",
    queried={"edge": Text("the type of one of its edges", sql="edges.type")},
    field_order=(
        "type strength created edge problems from to from_type to_type context sides"
    ),
    titled=FROM_TITLE,
    everywhere=(
        Place(
            f"edges.type || char(10) || {_TITLES} || char(10) "
            "|| coalesce(edges.context, '')"
        ),
    ),
    places={"title": (Place(_TITLES),), "context": (_CONTEXT,), "body": (_CONTEXT,)},
    own_states={
        "broken": 'edges.start IS NULL OR edges."end" IS NULL',
        "onesided": with_problem("edges", "one-sided-link"),
        "duplicate": with_problem("edges", "duplicate-id"),
    },
    belongings={
        "context": has_text("edges.context"),
        "strength": "edges.strength IS NOT NULL",
        "file": "instr(edges.sides, 'file')",
        "problems": "edges.ref IN (SELECT problems.ref FROM problems)",
    },
    times=(at("edges.created_at"),),
    facets=("type",),
    ranked=Ranked(
        title="edges.type",
        description=(
            "coalesce(starts.title, edges.start_title, '') || ' → ' || "
            "coalesce(ends.title, edges.end_title, '')"
        ),
        body="edges.context",
        at="edges.created_at",
    ),
    names=(
        "coalesce(edges.start_title, '') || char(10) "
        "|| coalesce(edges.end_title, '') || char(10) || edges.type"
    ),
    content=("type", "strength", "context", "start_key", "end_key"),
)
"""Edges."""
