"""The kinds of record that can be listed, and how each is asked for."""

from store.catalogue.views.edges import EDGES
from store.catalogue.views.journals import AGENTS, EVENTS, EVENTS_UPSTREAM, MEASURES
from store.catalogue.views.memories import MEMORIES
from store.catalogue.views.pages import DOCUMENTS, EPISODES
from store.catalogue.views.problems import PROBLEMS
from store.catalogue.views.transcripts import CONVERSATIONS, MESSAGES
from store.catalogue.views.view import View
from store.records.agent import Agent
from store.records.conversation import Conversation, Message
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.event import Event
from store.records.measure import Measure
from store.records.memory import Memory
from store.records.problem import Problem

__all__ = [
    "AGENTS",
    "CONVERSATIONS",
    "DOCUMENTS",
    "EDGES",
    "EPISODES",
    "EVENTS",
    "MEASURES",
    "MEMORIES",
    "MESSAGES",
    "PROBLEMS",
    "UPSTREAM",
    "VIEWS",
    "Record",
    "View",
]

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
"""Whatever a list can show."""

VIEWS: dict[str, View[Record]] = {
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
"""The kinds that can be listed, by the word for them on the command line."""

UPSTREAM: dict[str, View[Record]] = {**VIEWS, "events": EVENTS_UPSTREAM}
"""The same, with events classed as the kit that writes the traces does it."""
