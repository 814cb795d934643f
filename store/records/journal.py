"""What KeiSeiKit writes down: events, measures, agents."""

from collections.abc import Mapping
from dataclasses import dataclass

from store.findings import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened in a session."""

    ref: str
    """Names the event for every other command."""
    store: str
    """The absolute path of the store's root."""
    session: str | None
    """The session that it happened in."""
    at: str | None
    """When it happened."""
    kind: str
    """What sort of line it was."""
    tool: str | None
    """The tool that was called."""
    file_path: str | None
    """The file that it touched."""
    is_error: bool
    """Whether it failed."""
    event_class: str
    """What it counts as."""
    message: str | None
    """What it says."""
    line: int
    """The line it stands on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One line of a journal: a session, a task, a claim, a tool's statistics."""

    ref: str
    """Names the measure for every other command."""
    store: str
    """The absolute path of the store's root."""
    kind: str
    """`session task claim toolstats`."""
    name: str | None
    """What was measured."""
    id: str | None
    """Its own identifier, where it has one."""
    start: str | None
    """When it began."""
    end: str | None
    """When it ended."""
    duration_s: float | None
    """How long it took, in seconds."""
    exit: int | None
    """What it ended with."""
    metric: Mapping[str, Value]
    """What else was measured."""
    source: str | None
    """Who wrote it down."""
    at: str | None
    """When it was written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One row of the ledger of agents, its columns as they are."""

    ref: str
    """Names the agent for every other command."""
    store: str
    """The absolute path of the store's root."""
    columns: Mapping[str, Value]
    """The ledger's columns, by name."""
