"""How each kind of record is searched: its fields, states and texts, as SQL."""

from collections.abc import Mapping

from store.catalogue.conditions.kinds.edges import EDGES
from store.catalogue.conditions.kinds.journals import AGENTS, EVENTS, MEASURES
from store.catalogue.conditions.kinds.kind import Kind
from store.catalogue.conditions.kinds.memories import MEMORIES
from store.catalogue.conditions.kinds.pages import DOCUMENTS, EPISODES
from store.catalogue.conditions.kinds.problems import PROBLEMS
from store.catalogue.conditions.kinds.transcripts import (
    CONVERSATION_ALONE,
    CONVERSATIONS,
    MESSAGES,
)

__all__ = ["ALONE", "KINDS", "Kind"]

KINDS: Mapping[str, Kind] = {
    "memories": MEMORIES,
    "edges": EDGES,
    "episodes": EPISODES,
    "conversations": CONVERSATIONS,
    "messages": MESSAGES,
    "events": EVENTS,
    "measures": MEASURES,
    "agents": AGENTS,
    "documents": DOCUMENTS,
    "problems": PROBLEMS,
}
"""Every kind, by the word for it on the command line."""

ALONE: Mapping[str, Kind] = {**KINDS, "conversations": CONVERSATION_ALONE}
"""The same, each with the texts that are its own alone."""
