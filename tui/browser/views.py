"""The views: a kind of record each, under a number that stays."""

from msgspec import Struct


class View(Struct, frozen=True):
    """What a number shows."""

    key: str
    """The number."""
    kind: str
    """The kind of record, by the word for it on the command line."""
    label: str
    """What the tab bar calls it."""
    none: str
    """What is said where there is nothing of the kind."""


VIEWS = (
    View("1", "memories", "Memories", "No agent has kept a memory here."),
    View("2", "edges", "Edges", "Nothing links these memories with one another."),
    View("3", "episodes", "Episodes", "These stores keep no episodes."),
    View("4", "conversations", "Timeline", "These stores hold no conversations."),
    View("5", "measures", "Journals", "These stores keep no journals of figures."),
    View("6", "problems", "Health", "All is as it should be."),
    View("7", "documents", "Documents", "These stores hold no documents."),
    View("8", "messages", "Messages", "These stores hold no messages."),
    View("9", "events", "Events", "These stores keep no traces of events."),
    View("0", "agents", "Agents", "These stores keep no ledger of agents."),
)
"""All of them, in the order of the tab bar."""

BY_KIND = {view.kind: view for view in VIEWS}
"""The same by kind."""
