"""What journals and ledgers hold: events, figures, agents."""

from collections.abc import Mapping

from msgspec import Struct, field

from store.findings.words import Json
from store.times import Instant


class EventFound(Struct, frozen=True, kw_only=True):
    """Something that happened in a session, as a journal or a trace tells it."""

    kind: str
    """What kind of line tells of it."""
    line: int
    """The line or row that it stands on."""
    session: str | None = None
    """The session that it happened in."""
    at: Instant | None = None
    """When it happened."""
    tool: str | None = None
    """The tool that was used."""
    file_path: str | None = None
    """The file that it was used on."""
    is_error: bool = False
    """Whether it went wrong."""
    event_class: str = "other"
    """What class of event it is, as people would tell."""
    upstream_class: str | None = None
    """What class the kit that writes the traces takes it for; None: it drops it."""
    message: str | None = None
    """What it says."""
    is_copy: bool = False
    """Whether a better source may tell of the same session: then this is not shown."""


class MeasureFound(Struct, frozen=True, kw_only=True):
    """A figure that was written down: how long, how much, on what evidence."""

    kind: str
    """`session task claim toolstats`."""
    line: int
    """The line it stands on."""
    name: str | None = None
    """What was measured."""
    id: str | None = None
    """Its own identifier, where it has one."""
    session: str | None = None
    """The session that it belongs to."""
    start: Instant | None = None
    """When it began."""
    end: Instant | None = None
    """When it ended."""
    duration_s: float | None = None
    """How many seconds it took."""
    exit: int | None = None
    """What the program that was measured returned."""
    metric: Json = None
    """What was counted, or the value that is claimed."""
    source: str | None = None
    """Where the figure comes from: its writer, its evidence."""
    at: Instant | None = None
    """When it was written down."""
    pointer: str | None = None
    """The record that proves it, as written."""
    fields: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """What else the line says, as it stands."""


class AgentFound(Struct, frozen=True, kw_only=True):
    """One row of a ledger of agents."""

    id: str
    """The agent's identifier."""
    line: int
    """The row that it stands on."""
    started: Instant | None = None
    """When it was started."""
    columns: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """The ledger's columns, as they are."""
