"""What of a row the judge looks at, as SQL, for each kind."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import astuple

from store.catalogue.conditions.kinds.kind import PATH

_NOTHING = "''"
_UNKNOWN = "NULL"


class Judged(Struct, frozen=True, kw_only=True):
    """The columns that a candidate is made from."""

    kind: str
    """What one such record is called."""
    title: str = _NOTHING
    names: str = _NOTHING
    tags: str = "'[]'"
    description: str = _NOTHING
    body: str = _NOTHING
    at: str = _UNKNOWN
    strength: str = _UNKNOWN
    pinned: str = "0"
    archived: str = "0"

    @property
    def has_title(self) -> bool:
        """Whether such records are called something."""
        return self.title != _NOTHING

    @property
    def columns(self) -> str:
        """All of them, in the order of a candidate's attributes."""
        _, *columns = astuple(self)
        return ", ".join(columns)


JUDGED: Mapping[str, Judged] = {
    "memories": Judged(
        kind="memory",
        title="memories.title",
        names=(
            f"memories.names || ' ' || coalesce(memories.own_id, '') || ' ' || {PATH}"
        ),
        tags="memories.tags",
        description="memories.description",
        body=(
            "(SELECT bodies.text FROM bodies WHERE bodies.source = memories.source "
            "AND bodies.line = coalesce(memories.line, 0) LIMIT 1)"
        ),
        at="memories.changed_at",
        strength=("strength_of(memories.fades, memories.pinned, memories.vigour)"),
        pinned="memories.pinned",
        archived="memories.archived",
    ),
    "edges": Judged(
        kind="edge",
        title="edges.type",
        description=(
            "coalesce(starts.title, edges.start_title, '') || ' → ' || "
            "coalesce(ends.title, edges.end_title, '')"
        ),
        body="edges.context",
        at="edges.created_at",
    ),
    "episodes": Judged(
        kind="episode",
        title="episodes.title",
        tags="episodes.tags",
        body="episodes.summary",
        at="unixepoch(episodes.date) * 1000000",
    ),
    "conversations": Judged(
        kind="conversation",
        title="conversations.title",
        names="coalesce(conversations.project, '')",
        description="coalesce(conversations.cwd, '')",
        body="conversations.summary",
        at="conversations.last_at",
    ),
    "messages": Judged(kind="message", body="messages.text", at="messages.at_micros"),
    "events": Judged(
        kind="event",
        names="coalesce(events.tool, '') || ' ' || coalesce(events.file_path, '')",
        body="events.message",
        at="events.at_micros",
    ),
    "measures": Judged(
        kind="measure",
        title="coalesce(measures.name, '')",
        names="coalesce(measures.own_id, '') || ' ' || coalesce(measures.session, '')",
        body="coalesce(measures.metric, '') || ' ' || coalesce(measures.origin, '')",
        at="coalesce(measures.at_micros, measures.finish_at, measures.start_at)",
    ),
    "agents": Judged(
        kind="agent",
        title="agents.own_id",
        body="agents.columns",
        at="agents.started_at",
    ),
    "documents": Judged(
        kind="document",
        title="documents.title",
        names=PATH,
        body=(
            "(SELECT bodies.text FROM bodies WHERE bodies.source = documents.source "
            "LIMIT 1)"
        ),
        at="sources.mtime_ns / 1000",
    ),
}
"""The kinds that a search looks through, by the word for them on the command line."""
