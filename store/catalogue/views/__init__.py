"""The kinds of record that can be listed, and how each is asked for."""

from store.catalogue.views.edges import EDGES
from store.catalogue.views.journals import AGENTS, EVENTS, EVENTS_UPSTREAM, MEASURES
from store.catalogue.views.memories import MEMORIES
from store.catalogue.views.pages import DOCUMENTS, EPISODES
from store.catalogue.views.problems import PROBLEMS
from store.catalogue.views.transcripts import CONVERSATIONS, MESSAGES
from store.catalogue.views.view import View
from store.records.hit import Found

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

Record = Found
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
