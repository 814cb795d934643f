"""The kinds of record: memories, edges, conversations and the others."""

from collections.abc import Mapping

from store.kinds.conversations import CONVERSATIONS, CONVERSATIONS_ALONE, Conversation
from store.kinds.edges import EDGES, Edge
from store.kinds.journals import (
    AGENTS,
    EVENTS,
    EVENTS_UPSTREAM,
    MEASURES,
    Agent,
    Event,
    Measure,
)
from store.kinds.kind import Kind
from store.kinds.memories import MEMORIES, Memory
from store.kinds.messages import MESSAGES, Message
from store.kinds.pages import DOCUMENTS, EPISODES, Document, Episode
from store.kinds.problems import PROBLEMS, Problem
from store.kinds.table import Table

Record = (
    Memory
    | Edge
    | Episode
    | Conversation
    | Message
    | Event
    | Measure
    | Agent
    | Document
    | Problem
)
"""A record of any kind."""

_KINDS: tuple[Kind[Record], ...] = (
    MEMORIES,
    EDGES,
    EPISODES,
    CONVERSATIONS,
    MESSAGES,
    EVENTS,
    MEASURES,
    AGENTS,
    DOCUMENTS,
    PROBLEMS,
)
"""In the order of lists."""

KINDS: Mapping[str, Kind[Record]] = {kind.name: kind for kind in _KINDS}
"""Every kind, by its name on the command line."""

KINDS_ALONE: Mapping[str, Kind[Record]] = {
    **KINDS,
    "conversations": CONVERSATIONS_ALONE,
}
"""The same, without texts that belong to records of another kind."""

KINDS_UPSTREAM: Mapping[str, Kind[Record]] = {**KINDS, "events": EVENTS_UPSTREAM}
"""The same, with events classed like the kit that writes the traces."""


def tables() -> dict[str, Table]:
    """Every table with what sources say, by name."""
    every = (one for kind in _KINDS for one in (kind.table, *kind.tables))
    return {one.name: one for one in every}
