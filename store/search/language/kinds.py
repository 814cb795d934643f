"""The kinds of record that a query can be about."""

Kinds = frozenset[str]
"""Some of them, by the words that `list` takes."""

MEMORIES = frozenset({"memories"})
EDGES = frozenset({"edges"})
EPISODES = frozenset({"episodes"})
CONVERSATIONS = frozenset({"conversations"})
MESSAGES = frozenset({"messages"})
EVENTS = frozenset({"events"})
MEASURES = frozenset({"measures"})
AGENTS = frozenset({"agents"})
DOCUMENTS = frozenset({"documents"})
PROBLEMS = frozenset({"problems"})

TIMED = (
    MEMORIES | EDGES | EPISODES | CONVERSATIONS | MESSAGES | EVENTS | MEASURES | AGENTS
)
"""The kinds whose records have a time."""

ALL = TIMED | DOCUMENTS | PROBLEMS
"""Every kind."""
