"""Rows of journals and ledgers: events, figures, agents."""

from store.catalogue.refs import ref
from store.catalogue.rows.cells import Row, json_text, micros, written
from store.findings import AgentFound, EventFound, MeasureFound

COLUMNS = {
    "events": (
        "ref session at at_micros kind tool file_path is_error event_class "
        "upstream_class message line is_copy"
    ),
    "measures": (
        "ref kind name own_id session start start_at finish finish_at duration_s "
        "exit metric origin at at_micros pointer line fields"
    ),
    "agents": "ref own_id started started_at line columns",
}


def event(store: bytes, path: str, number: int, found: EventFound) -> Row:
    """An event; one line may tell of several, so they are numbered."""
    return (
        ref("event", store, path, str(found.line), str(number)),
        found.session,
        written(found.at),
        micros(found.at),
        found.kind,
        found.tool,
        found.file_path,
        found.is_error,
        found.event_class,
        found.upstream_class,
        found.message,
        found.line,
        found.is_copy,
    )


def measure(store: bytes, path: str, found: MeasureFound) -> Row:
    """A figure."""
    return (
        ref("measure", store, path, str(found.line), found.kind),
        found.kind,
        found.name,
        found.id,
        found.session,
        written(found.start),
        micros(found.start),
        written(found.end),
        micros(found.end),
        found.duration_s,
        found.exit,
        None if found.metric is None else json_text(found.metric),
        found.source,
        written(found.at),
        micros(found.at),
        found.pointer,
        found.line,
        json_text(dict(found.fields)),
    )


def agent(store: bytes, path: str, found: AgentFound) -> Row:
    """A row of a ledger."""
    return (
        ref("agent", store, path, found.id, str(found.line)),
        found.id,
        written(found.started),
        micros(found.started),
        found.line,
        json_text(dict(found.columns)),
    )
