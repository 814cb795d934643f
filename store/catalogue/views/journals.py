"""Events, measures and agents, as lists show them."""

import os
import sqlite3

import orjson
from msgspec.structs import replace

from store.catalogue.views.view import PLACE, View, of_source
from store.records.agent import Agent
from store.records.event import Event
from store.records.measure import Measure

_PROOF = (
    "SELECT proofs.ref, proofs.id FROM measures AS proofs "
    "JOIN sources AS places ON places.id = proofs.source "
    "WHERE proofs.store = measures.store "
    "AND proofs.{} = json_extract(measures.fields, '$.points_to.id') "
    "AND CAST(places.path AS TEXT) LIKE "
    "'%' || json_extract(measures.fields, '$.points_to.file')"
)
"""The refs of what is called as a claim says, by a column in which it may be."""

_POINTS_TO = (
    f"(SELECT ref FROM ({_PROOF.format('own_id')} UNION {_PROOF.format('name')}) "
    "ORDER BY id LIMIT 1)"
)
"""The ref of what proves a claim."""


def _event(row: sqlite3.Row, _now: int) -> Event:
    """An event."""
    return Event(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        session=row["session"],
        at=row["at"],
        kind=row["kind"],
        tool=row["tool"],
        file_path=row["file_path"],
        is_error=bool(row["is_error"]),
        event_class=row["event_class"],
        message=row["message"],
        path=os.fsdecode(row["path"]),
        line=row["line"],
    )


def _measure(row: sqlite3.Row, _now: int) -> Measure:
    """A figure."""
    return Measure(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        kind=row["kind"],
        name=row["name"],
        id=row["own_id"],
        session=row["session"],
        start=row["start"],
        end=row["finish"],
        duration_s=row["duration_s"],
        exit=row["exit"],
        metric=orjson.loads(row["metric"] or "null"),
        source=row["origin"],
        at=row["at"],
        pointer=row["pointer"],
        points_to=row["points_to"],
        path=os.fsdecode(row["path"]),
        line=row["line"],
    )


def _agent(row: sqlite3.Row, _now: int) -> Agent:
    """An agent."""
    return Agent(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        path=os.fsdecode(row["path"]),
        columns=orjson.loads(row["columns"]),
    )


EVENTS: View[Event] = View(
    make=_event,
    table="events",
    ties=("events.source", "events.line", "events.ref"),
    columns=f"events.*, {PLACE}",
    belongs=of_source("events"),
    shown="NOT events.is_hidden",
    sorts={
        "at": "events.at_micros",
        "kind": "events.kind",
        "event_class": "events.event_class",
        "tool": "events.tool",
        "session": "events.session",
        "path": "sources.path",
        "store": "stores.path",
    },
    largest_first=frozenset({"at"}),
)

EVENTS_UPSTREAM: View[Event] = replace(
    EVENTS,
    columns=f"events.upstream_class AS event_class, events.*, {PLACE}",
    shown="NOT events.is_hidden AND events.upstream_class IS NOT NULL",
    sorts={**EVENTS.sorts, "event_class": "events.upstream_class"},
)
"""Events as the kit that writes the traces sees them."""

MEASURES: View[Measure] = View(
    make=_measure,
    table="measures",
    ties=("measures.source", "measures.line", "measures.ref"),
    columns=f"measures.*, {PLACE}, {_POINTS_TO} AS points_to",
    belongs=of_source("measures"),
    sorts={
        "at": "coalesce(measures.at_micros, measures.finish_at, measures.start_at)",
        "kind": "measures.kind",
        "name": "measures.name COLLATE NOCASE",
        "duration_s": "measures.duration_s",
        "start": "measures.start_at",
        "end": "measures.finish_at",
        "session": "measures.session",
        "path": "sources.path",
        "store": "stores.path",
    },
    largest_first=frozenset({"at", "duration_s", "start", "end"}),
)

AGENTS: View[Agent] = View(
    make=_agent,
    table="agents",
    ties=("agents.source", "agents.line", "agents.ref"),
    columns=f"agents.*, {PLACE}",
    belongs=of_source("agents"),
    sorts={
        "started": "agents.started_at",
        "id": "agents.own_id",
        "path": "sources.path",
        "store": "stores.path",
    },
    largest_first=frozenset({"started"}),
)
