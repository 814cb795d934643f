"""Events, measures and agents: what journals and ledgers hold."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from store.findings import Json
from store.kinds import field
from store.kinds.kind import (
    ID,
    LINE,
    PATH,
    REF,
    SESSION,
    STORE,
    Kind,
    Place,
    Ranked,
    Shelf,
    at,
    has_text,
    lines_of,
)
from store.kinds.table import Attribute, column, columns, json_of, later, moment

# Events.


class Event(Struct, frozen=True, kw_only=True):
    """One line of a trace or of a journal."""

    ref: Annotated[str, REF]
    """The event's ref for other commands."""
    store: Annotated[str, STORE]
    """The absolute path of the store's root."""
    session: Annotated[str | None, replace(SESSION, sort=field.PLAIN)]
    """The session in which it happened."""
    at: Annotated[str | None, field.Moment("when")]
    """When it happened."""
    kind: Annotated[str, field.Text("the kind of event", sort=field.PLAIN)]
    """The kind of line that reports it."""
    tool: Annotated[str | None, field.Text("a tool it called", sort=field.PLAIN)]
    """The tool that was used."""
    file_path: Annotated[
        str | None, field.Phrase("the affected file", aliases=("file",))
    ]
    """The file it was used on."""
    is_error: Annotated[bool, field.Flag()]
    """Whether it failed."""
    event_class: Annotated[
        str, field.Text("the event class", aliases=("class",), sort=field.PLAIN)
    ]
    """The class of the event."""
    message: Annotated[str | None, field.Phrase("its text")]
    """Its text."""
    path: Annotated[str, PATH]
    """The file that reports it, relative to the store."""
    line: Annotated[int, LINE]
    """Its line or row."""


_EVENT_TEXTS = Shelf("events", ("message", "tool", "file_path"))

EVENTS = Kind(
    name="events",
    record=Event,
    # One line may report several events, so they are numbered.
    identity=lambda found, at: (at.path, str(found.line), str(at.number)),
    stored=(
        *columns("upstream_class TEXT, is_copy INTEGER NOT NULL"),
        *later("is_hidden INTEGER NOT NULL DEFAULT 0"),
    ),
    indexes={
        "by_time": "(at_micros)",
        "copied": "(store, session) WHERE is_copy",
        "original": "(store, session) WHERE NOT is_copy",
    },
    is_shown="NOT events.is_hidden",
    ties=("source", "line", "ref"),
    sort_order="at kind event_class tool session path store",
    field_order="message tool kind at event_class file_path",
    shelves=(_EVENT_TEXTS,),
    everywhere=(_EVENT_TEXTS.whole,),
    places={"message": (_EVENT_TEXTS.part("message"),)},
    own_states={"error": "events.is_error"},
    belongings={
        "tool": "events.tool IS NOT NULL",
        "file": "events.file_path IS NOT NULL",
        "message": has_text("events.message"),
    },
    times=(at("events.at_micros"),),
    facets=("kind", "event_class", "tool"),
    ranked=Ranked(
        names="coalesce(events.tool, '') || ' ' || coalesce(events.file_path, '')",
        body="events.message",
        at="events.at_micros",
    ),
)
"""Events."""

EVENTS_UPSTREAM = replace(
    EVENTS,
    instead={
        "event_class": field.Text(
            shown="events.upstream_class", column=None, sort=field.PLAIN
        )
    },
    is_shown="NOT events.is_hidden AND events.upstream_class IS NOT NULL",
)
"""Events with the classes of the kit that writes the traces."""


# Measures.

_PROOF = (
    "SELECT proofs.ref, proofs.id FROM measures AS proofs "
    "JOIN sources AS places ON places.id = proofs.source "
    "WHERE proofs.store = measures.store "
    "AND proofs.{} = json_extract(measures.fields, '$.points_to.id') "
    "AND substr(CAST(places.path AS TEXT), "
    "-length(json_extract(measures.fields, '$.points_to.file'))) "
    "= json_extract(measures.fields, '$.points_to.file')"
)
"""The measures that a claim may point to, by the column of their name."""

POINTS_TO = (
    f"(SELECT ref FROM ({_PROOF.format('own_id')} UNION {_PROOF.format('name')}) "
    "ORDER BY id LIMIT 1)"
)
"""The ref of the measure that proves a claim."""

_AT = "coalesce(measures.at_micros, measures.finish_at, measures.start_at)"


class Measure(Struct, frozen=True, kw_only=True):
    """A duration or a count, with the evidence for it."""

    ref: Annotated[str, REF]
    """The measure's ref for other commands."""
    store: Annotated[str, STORE]
    """The absolute path of the store's root."""
    kind: Annotated[
        str,
        field.Text(
            "the kind of metric",
            choices=("session", "task", "claim", "toolstats"),
            sort=field.PLAIN,
        ),
    ]
    """`session task claim toolstats`."""
    name: Annotated[str | None, field.Phrase("its name", sort=field.NOCASE)]
    """What was measured."""
    id: Annotated[str | None, ID]
    """Its own identifier, if it has one."""
    session: Annotated[str | None, replace(SESSION, sort=field.PLAIN)]
    """Its session."""
    start: Annotated[str | None, field.Moment("when it started")]
    """When it started."""
    end: Annotated[str | None, field.Moment("when it ended", column="finish")]
    """When it ended."""
    duration_s: Annotated[
        float | None,
        field.Number(
            "its duration",
            name="duration",
            aliases=("duration_s",),
            types=(field.Type.SECONDS,),
        ),
    ]
    """The duration in seconds."""
    exit: Annotated[int | None, field.Number("the exit status", sort=field.UNSORTED)]
    """The exit code of the measured program."""
    metric: Annotated[
        Json, field.Data("its value", match=field.Match.PART, type="TEXT")
    ]
    """What was counted, or the claimed value."""
    source: Annotated[str | None, field.Phrase("its source", column="origin")]
    """The source of the metric: its writer, its evidence."""
    at: Annotated[str | None, field.Moment("when", sql=_AT)]
    """When it was recorded."""
    pointer: Annotated[str | None, field.Phrase("its evidence")]
    """The record given as evidence, as written."""
    points_to: Annotated[str | None, field.Text(joined=POINTS_TO)]
    """The ref of the measure that the pointer names; null if missing."""
    path: Annotated[str, PATH]
    """Its file, relative to the store."""
    line: Annotated[int, LINE]
    """Its line."""


class MeasureInFull(Struct, frozen=True, kw_only=True):
    """A measure as shown by `show`."""

    measure: Measure
    """The fields shown in a list."""
    fields: Mapping[str, Json]
    """Everything else in its line, unchanged."""


_MEASURED = ("kind", "name", "own_id", "session", "metric", "origin", "pointer")

MEASURES = Kind(
    name="measures",
    record=Measure,
    identity=lambda found, at: (at.path, str(found.line), found.kind),
    stored=(column("fields TEXT NOT NULL", json_of("fields")),),
    indexes={"by_own_id": "(store, own_id)", "by_name": "(store, name)"},
    ties=("source", "line", "ref"),
    sort_order="at kind name duration_s start end session path store",
    field_order="duration kind at name metric source exit start end pointer",
    titled="measures.name",
    everywhere=(Place(lines_of(*(f"measures.{name}" for name in _MEASURED))),),
    places={"name": (Place("measures.name"),), "metric": (Place("measures.metric"),)},
    belongings={
        "session": "measures.session IS NOT NULL",
        "metric": "coalesce(measures.metric, 'null') <> 'null'",
        "source": "measures.origin IS NOT NULL",
        "pointer": "measures.pointer IS NOT NULL",
    },
    times=(at(_AT),),
    facets=("kind",),
    ranked=Ranked(
        title="coalesce(measures.name, '')",
        names="coalesce(measures.own_id, '') || ' ' || coalesce(measures.session, '')",
        body="coalesce(measures.metric, '') || ' ' || coalesce(measures.origin, '')",
        at=_AT,
    ),
    names="measures.name",
    took="measures.duration_s",
)
"""Measures."""


# Agents.


class Agent(Struct, frozen=True, kw_only=True):
    """An agent, with its ledger's own columns."""

    ref: Annotated[str, REF]
    """The agent's ref for other commands."""
    store: Annotated[str, STORE]
    """The absolute path of the store's root."""
    path: Annotated[str, PATH]
    """The ledger, relative to the store."""
    columns: Annotated[Mapping[str, Json], field.Data()]
    """The ledger's columns, unchanged; in JSON they follow the fields above."""


def _told(name: str) -> str:
    """A column of a ledger, as SQL."""
    return f"json_extract(agents.columns, '$.{name}')"


_BEGAN, _ENDED = _told("started_ts"), _told("finished_ts")
_MODEL, _BRANCH = _told("model"), _told("branch")
_TOKENS = f"(coalesce({_told('tokens_in')}, 0) + coalesce({_told('tokens_out')}, 0))"
_CENTS = f"coalesce({_told('cost_micro_cents')} / 1e6, {_told('cost_cents')})"

AGENTS = Kind(
    name="agents",
    record=Agent,
    identity=lambda found, at: (at.path, found.id, str(found.line)),
    stored=(
        column("own_id TEXT NOT NULL", Attribute("id")),
        *moment("started"),
        *columns("line INTEGER NOT NULL"),
    ),
    ties=("source", "line", "ref"),
    sort_order="started id status model branch tokens cost path store",
    queried={
        "id": replace(ID, sort=field.PLAIN),
        "started": field.Moment("when it started"),
        "status": field.Text("its status", sql=_told("status"), sort=_told("status")),
        "outcome": field.Text("its outcome", sql=_told("outcome")),
        "model": field.Text(
            "its model", match=field.Match.PART, sql=_MODEL, sort=_MODEL
        ),
        "branch": field.Text(
            "its git branch", match=field.Match.PART, sql=_BRANCH, sort=_BRANCH
        ),
        "tokens": field.Number("the number of tokens", sql=_TOKENS),
        "cost": field.Number("what it cost, in dollars", sql=f"{_CENTS} / 100.0"),
    },
    field_order="started status outcome model branch tokens cost",
    titled="agents.own_id",
    everywhere=(Place("agents.columns"),),
    places={},
    times=(at("agents.started_at"),),
    facets=("status", "model", "branch"),
    ranked=Ranked(title="agents.own_id", body="agents.columns", at="agents.started_at"),
    took=(
        f"CASE WHEN typeof({_BEGAN}) = 'integer' AND typeof({_ENDED}) = 'integer' "
        f"THEN {_ENDED} - {_BEGAN} END"
    ),
    content=("columns",),
)
"""Agents."""
