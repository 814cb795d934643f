"""Which columns a list shows to people, and what stands in them."""

from tui.faces.columns.changes import BACKUPS, CHANGES
from tui.faces.columns.column import Column, Listed
from tui.faces.columns.doubles import DOUBLES
from tui.faces.columns.graph import EDGES, EPISODES, LINKS, MEMORIES
from tui.faces.columns.health import HEALTH
from tui.faces.columns.journals import AGENTS, EVENTS, MEASURES
from tui.faces.columns.news import NEWS
from tui.faces.columns.pages import DOCUMENTS, PROBLEMS
from tui.faces.columns.queries import QUERIES
from tui.faces.columns.questions import QUESTIONS
from tui.faces.columns.reviewing import DUE
from tui.faces.columns.similar import SIMILAR
from tui.faces.columns.stores import STORES
from tui.faces.columns.transcripts import CONVERSATIONS, MESSAGES
from tui.faces.columns.vault import DAMAGES, ENDANGERED, KEPT
from tui.faces.columns.versions import VERSIONS

__all__ = ["Column", "Listed", "columns_for"]

_COLUMNS: dict[str, tuple[Column, ...]] = {
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
    "health": HEALTH,
    "stores": STORES,
    "news": NEWS,
    "links": LINKS,
    "similar": SIMILAR,
    "doubles": DOUBLES,
    "due": DUE,
    "versions": VERSIONS,
    "questions": QUESTIONS,
    "queries": QUERIES,
    "changes": CHANGES,
    "backups": BACKUPS,
    "kept": KEPT,
    "endangered": ENDANGERED,
    "damages": DAMAGES,
}


def columns_for(kind: str) -> tuple[Column, ...]:
    """The columns of a list."""
    return _COLUMNS[kind]
