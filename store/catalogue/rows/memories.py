"""Rows of memories, and of what is said about them."""

from store.catalogue.refs import ref
from store.catalogue.rows.cells import LARGEST, Row, json_text, micros, written
from store.findings import AccessFound, Claim, IndexEntry, MemoryFound
from store.formats.port import Source

COLUMNS = {
    "memories": (
        "ref own_id key names title type description tags importance confidence "
        "created created_at updated updated_at changed_at "
        "accessed accessed_at access_count pinned archived fades line session"
    ),
    "claims": (
        'start "end" type side edge_id strength context created created_at '
        "start_title end_title line"
    ),
    "accesses": "key count last last_at score",
    "index_entries": "key path facts",
}


def own_key(path: str, own_id: str | None) -> str:
    """The key that claims call a memory by: its identifier, else its path."""
    return f"id:{own_id.casefold()}" if own_id else f"path:{path}"


def memory(store: bytes, source: Source, found: MemoryFound) -> Row:
    """A memory."""
    path = source.path
    key = own_key(path, found.id)
    line = () if found.line is None or found.id else (str(found.line),)
    created, updated, accessed = found.created, found.updated, found.accessed
    return (
        ref("memory", store, key, *line),
        found.id,
        key,
        " ".join(found.names),
        found.title,
        found.type,
        found.description,
        json_text(found.tags) if found.tags else "[]",
        found.importance,
        found.confidence,
        written(created),
        micros(created),
        written(updated),
        micros(updated),
        _changed(found, source),
        written(accessed),
        micros(accessed),
        min(found.access_count, LARGEST),
        found.pinned,
        found.archived,
        found.fades,
        found.line,
        found.session,
    )


def _changed(found: MemoryFound, source: Source) -> int:
    """When a memory was last changed, as far as it or its file can tell."""
    told = found.updated.micros if found.updated else None
    return source.stamp.mtime_ns // 1000 if told is None else told


def claim(said: Claim) -> Row:
    """One file's word about an edge."""
    return (
        said.start,
        said.end,
        said.type,
        said.side.value,
        said.edge_id,
        said.strength,
        said.context,
        written(said.created),
        micros(said.created),
        said.start_title,
        said.end_title,
        said.line,
    )


def access(found: AccessFound) -> Row:
    """How a memory was used."""
    return (
        found.key,
        min(found.count, LARGEST),
        written(found.last),
        micros(found.last),
        found.score,
    )


def index_entry(entry: IndexEntry) -> Row:
    """What a derived index says of a memory."""
    return (entry.key, entry.path, json_text(entry.facts))
