"""What the checks of `store.health` look at: a store's rows, put as questions."""

import sqlite3
from collections.abc import Iterable
from typing import Any

import orjson

from store.findings import MemoryFound
from store.health.evidence import (
    ClaimSeen,
    CountSeen,
    EdgeSeen,
    EntrySeen,
    LinkSeen,
    MemorySeen,
)
from store.times import Instant


class StoreEvidence:
    """The rows of one store, asked as the checks need them."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        store: int,
        two_sided: Iterable[str],
        sources: Iterable[int] | None = None,
    ) -> None:
        """Ask for the rows of the store, or for those of some of its sources."""
        self._connection = connection
        self._store = store
        self._sources = None if sources is None else f"[{','.join(map(str, sources))}]"
        self.two_sided = frozenset(two_sided)
        """The sides that belong together in this store's format."""
        self.index_knows_edges = self._index_knows_edges()
        """Whether the store's index lists edges at all."""
        self.doubtful_edges = self._doubtful_edges()
        """The edges that a check could object to."""
        self.memories = self._memories()
        """All memories, in order of their paths."""

    def _index_knows_edges(self) -> bool:
        row = self._ask(
            "SELECT 1 FROM claims WHERE store = ? AND side = 'index' LIMIT 1"
        ).fetchone()
        return row is not None

    def _doubtful_edges(self) -> list[EdgeSeen]:
        """All edges but those that are plainly whole, which are most of a large store.

        Whole is one with both ends and every side, whose copied titles are right.
        """
        sides = [*self.two_sided, *(["index"] if self.index_knows_edges else [])]
        lacking = [f"instr(edges.sides, '{side}') = 0" for side in sorted(sides)]
        doubts = [
            "edges.start IS NULL",
            'edges."end" IS NULL',
            "edges.start_title <> starts.title",
            "edges.end_title <> ends.title",
            *lacking,
        ]
        rows = self._ask(
            "SELECT edges.ref, edges.type, sources.path, edges.line, edges.sides, "
            'edges.start, edges."end", edges.start_key, edges.end_key, '
            "edges.start_title, edges.end_title, starts.title, ends.title "
            "FROM edges JOIN sources ON sources.id = edges.source "
            "LEFT JOIN memories AS starts ON starts.id = edges.start "
            'LEFT JOIN memories AS ends ON ends.id = edges."end" '
            f"WHERE {self._within('edges')} AND ({' OR '.join(doubts)}) "
            "ORDER BY edges.id"
        )
        return [EdgeSeen(*row) for row in rows]

    def _memories(self) -> list[MemorySeen]:
        """All memories, in order of their paths."""
        rows = self._ask(
            "SELECT memories.ref, memories.key, own_id, title, sources.path, "
            "memories.line, (SELECT count(*) FROM mentions "
            "WHERE mentions.memory = memories.id), memories.archived, "
            "memories.type, memories.is_copy "
            "FROM memories JOIN sources ON sources.id = memories.source "
            f"WHERE {self._within('memories')} "
            "ORDER BY sources.path, memories.line, memories.id"
        )
        return [MemorySeen(*row) for row in rows]

    def claims_without_edge_file(self) -> list[ClaimSeen]:
        """Relations that name an edge which no edge file has."""
        rows = self._ask(
            "SELECT memories.ref, sources.path, claims.line, claims.edge_id "
            "FROM claims JOIN sources ON sources.id = claims.source "
            "LEFT JOIN memories ON memories.source = claims.source "
            f"WHERE {self._within('claims')} "
            "AND claims.side IN ('outgoing', 'incoming') "
            "AND claims.edge_id IS NOT NULL AND NOT EXISTS "
            "(SELECT 1 FROM claims AS files WHERE files.store = claims.store "
            "AND files.side = 'file' AND files.edge_id = claims.edge_id) "
            "ORDER BY claims.id"
        )
        return [ClaimSeen(*row) for row in rows]

    def memory_indexes(self) -> list[bytes]:
        """The paths of the documents that are meant to name every memory.

        One without a text of its own is but a link to a summary, which names some.
        """
        rows = self._ask(
            "SELECT sources.path FROM documents "
            "JOIN sources ON sources.id = documents.source "
            "WHERE documents.store = ? AND documents.role = 'memory-index' "
            "AND documents.text_bytes > 0"
        )
        return [path for (path,) in rows]

    def lost_links(self) -> list[LinkSeen]:
        """Links of episodes and documents that lead to no memory."""
        episodes = self._ask(
            "SELECT episodes.ref, sources.path, episodes.line, episodes.link "
            "FROM episodes JOIN sources ON sources.id = episodes.source "
            f"WHERE {self._within('episodes')} "
            "AND target IS NOT NULL AND memory IS NULL"
        )
        mentions = self._ask(
            "SELECT documents.ref, sources.path, mentions.line, mentions.link "
            "FROM mentions JOIN sources ON sources.id = mentions.source "
            "LEFT JOIN documents ON documents.source = mentions.source "
            f"WHERE {self._within('mentions')} "
            "AND target IS NOT NULL AND memory IS NULL"
        )
        return [LinkSeen(*row) for row in (*episodes, *mentions)]

    def idle_accesses(self) -> list[tuple[bytes, str]]:
        """Entries of the state file that speak of no memory: the file and the key."""
        rows = self._ask(
            "SELECT sources.path, accesses.key FROM accesses "
            "JOIN sources ON sources.id = accesses.source "
            "LEFT JOIN memories ON memories.store = accesses.store "
            "AND memories.key = accesses.key "
            f"WHERE {self._within('accesses')} AND memories.id IS NULL"
        )
        return [(path, key) for path, key in rows]

    def index_entries(self) -> list[EntrySeen]:
        """Entries of the derived index, each beside its memory."""
        rows = self._ask(
            "SELECT indexes.path, index_entries.key, index_entries.path, "
            "index_entries.facts, memories.ref, sources.path, memories.title, "
            "memories.type, memories.tags, memories.importance, memories.confidence, "
            "memories.created, memories.updated "
            "FROM index_entries "
            "JOIN sources AS indexes ON indexes.id = index_entries.source "
            "LEFT JOIN memories ON memories.store = index_entries.store "
            "AND memories.key = index_entries.key AND NOT memories.is_copy "
            "LEFT JOIN sources ON sources.id = memories.source "
            f"WHERE {self._within('index_entries')} "
            "AND index_entries.key NOT LIKE 'count:%'"
        )
        return [
            EntrySeen(index, key, entry, orjson.loads(facts), ref, path, _memory(rest))
            for index, key, entry, facts, ref, path, *rest in rows
        ]

    def index_counts(self) -> list[CountSeen]:
        """The numbers of memories that the derived index tells."""
        rows = self._ask(
            "SELECT sources.path, substr(key, 7), json_extract(facts, '$.count') "
            "FROM index_entries JOIN sources ON sources.id = index_entries.source "
            f"WHERE {self._within('index_entries')} AND key LIKE 'count:%'"
        )
        return [CountSeen(*row) for row in rows]

    def _within(self, table: str) -> str:
        """That a row is one of those that are asked for, as SQL."""
        if self._sources is None:
            return f"{table}.store = ?1"
        return f"{table}.source IN (SELECT value FROM json_each('{self._sources}'))"

    def _ask(self, question: str) -> sqlite3.Cursor:
        """Put a question about this store."""
        about = (self._store,) if "?" in question else ()
        return self._connection.execute(question, about)


def _memory(cells: list[Any]) -> MemoryFound | None:
    """As much of a memory as an index copies."""
    title, kind, tags, importance, confidence, created, updated = cells
    if title is None:
        return None
    return MemoryFound(
        title=title,
        type=kind,
        tags=tuple(orjson.loads(tags)),
        importance=importance,
        confidence=confidence,
        created=Instant(created, None) if created else None,
        updated=Instant(updated, None) if updated else None,
    )
