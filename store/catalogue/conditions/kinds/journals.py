"""How events, measures and agents are searched."""

from store.catalogue.conditions.kinds.kind import Kind, Place, common, suspicious
from store.catalogue.conditions.told import Told, moment, number
from store.catalogue.words import shelves

_AT = "coalesce(measures.at_micros, measures.finish_at, measures.start_at)"

_MEASURED = ("kind", "name", "own_id", "session", "metric", "origin", "pointer")

_EVENT = Place(shelves.EVENTS.text("events"), shelves.EVENTS, "events.id")

EVENTS = Kind(
    table="events",
    everywhere=(_EVENT,),
    places={
        "message": (
            Place("events.message", shelves.EVENTS, "events.id", is_whole=False),
        )
    },
    fields={
        **common("events"),
        "line": number("events.line"),
        "session": Told("events.session"),
        "message": Told("events.message"),
        "tool": Told("events.tool"),
        "kind": Told("events.kind"),
        "at": moment("events.at_micros"),
        "event_class": Told("events.event_class"),
        "file_path": Told("events.file_path"),
    },
    states={"error": "events.is_error", **suspicious("events")},
    belongings={
        "tool": "events.tool IS NOT NULL",
        "file": "events.file_path IS NOT NULL",
        "message": "coalesce(events.message, '') <> ''",
    },
    times=(moment("events.at_micros"),),
    new="events.at_micros",
    facets={
        "kind": "events.kind",
        "event_class": "events.event_class",
        "tool": "events.tool",
    },
)
"""Events."""

MEASURES = Kind(
    table="measures",
    title="measures.name",
    everywhere=(
        Place(
            " || char(10) || ".join(
                f"coalesce(measures.{column}, '')" for column in _MEASURED
            )
        ),
    ),
    places={
        "name": (Place("measures.name"),),
        "metric": (Place("measures.metric"),),
    },
    fields={
        **common("measures"),
        "id": Told("measures.own_id"),
        "line": number("measures.line"),
        "session": Told("measures.session"),
        "duration": number("measures.duration_s"),
        "kind": Told("measures.kind"),
        "at": moment(_AT),
        "name": Told("measures.name"),
        "metric": Told("measures.metric"),
        "source": Told("measures.origin"),
        "exit": number("measures.exit"),
        "start": moment("measures.start_at"),
        "end": moment("measures.finish_at"),
        "pointer": Told("measures.pointer"),
    },
    states=suspicious("measures"),
    belongings={
        "session": "measures.session IS NOT NULL",
        "metric": "coalesce(measures.metric, 'null') <> 'null'",
        "source": "measures.origin IS NOT NULL",
        "pointer": "measures.pointer IS NOT NULL",
    },
    times=(moment(_AT),),
    new=_AT,
    facets={"kind": "measures.kind"},
)
"""Measures."""

AGENTS = Kind(
    table="agents",
    title="agents.own_id",
    everywhere=(Place("agents.columns"),),
    places={},
    fields={
        **common("agents"),
        "id": Told("agents.own_id"),
        "started": moment("agents.started_at"),
    },
    states=suspicious("agents"),
    belongings={},
    times=(moment("agents.started_at"),),
    new="agents.started_at",
)
"""Agents."""
