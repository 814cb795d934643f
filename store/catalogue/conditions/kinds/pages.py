"""How episodes and documents are searched."""

from store.catalogue.conditions.kinds.kind import Kind, Place, common, suspicious
from store.catalogue.conditions.told import Form, Told, moment, number, several
from store.catalogue.words import shelves

_ENTRY = Place(shelves.EPISODES.text("episodes"), shelves.EPISODES, "episodes.id")


_TOLD_AT = (
    "1000000 * coalesce(unixepoch(episodes.date || ' ' || episodes.time, 'utc'), "
    "unixepoch(episodes.date || ' 23:59', 'utc'))"
)
"""When an entry was told, by the clock on the wall; without a time, late that day."""

_CHANGED = "sources.mtime_ns / 1000"
"""When a document was changed last."""


def _part(column: str) -> tuple[Place]:
    """A column of an episode."""
    return (
        Place(f"episodes.{column}", shelves.EPISODES, "episodes.id", is_whole=False),
    )


_BODY = Place(
    "bodies.text",
    shelves.BODIES,
    "bodies.id",
    chosen="documents.source IN (SELECT bodies.source FROM bodies WHERE {})",
    each=(
        "EXISTS (SELECT 1 FROM bodies WHERE bodies.source = documents.source AND {})"
    ),
)

EPISODES = Kind(
    table="episodes",
    title="episodes.title",
    everywhere=(_ENTRY,),
    places={name: _part(name) for name in ("title", "tags", "summary")},
    fields={
        **common("episodes"),
        "line": number("episodes.line"),
        "type": Told("episodes.type"),
        "tags": several("episodes.tags"),
        "title": Told("episodes.title"),
        "date": Told("episodes.date", Form.DAY),
        "time": Told("episodes.time"),
        "memory": Told("memories.ref || char(10) || memories.title"),
        "link": Told("episodes.link"),
        "summary": Told("episodes.summary"),
    },
    states=suspicious("episodes"),
    belongings={
        "tags": "episodes.tags <> '[]'",
        "summary": "coalesce(episodes.summary, '') <> ''",
        "memory": "episodes.memory IS NOT NULL",
        "link": "episodes.link IS NOT NULL",
    },
    times=(Told("episodes.date", Form.DAY),),
    new=_TOLD_AT,
    facets={"type": "episodes.type", "tags": "episodes.tags"},
)
"""Episodes."""

DOCUMENTS = Kind(
    table="documents",
    title="documents.title",
    everywhere=(Place("documents.title"), _BODY),
    places={"title": (Place("documents.title"),), "body": (_BODY,)},
    fields={
        **common("documents"),
        "title": Told("documents.title"),
        "category": Told("documents.category"),
        "text_bytes": number("documents.text_bytes"),
        "role": Told("documents.role"),
    },
    states=suspicious("documents"),
    belongings={"category": "documents.category IS NOT NULL"},
    times=(moment(_CHANGED),),
    new=_CHANGED,
    facets={"role": "documents.role"},
)
"""Documents."""
