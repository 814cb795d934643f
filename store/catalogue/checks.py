"""Run the health checks on a store, save the problems, and add how to fix them."""

import os
import shlex
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from store import health
from store.catalogue.database import transaction
from store.catalogue.row_checks import CHECKS, EVIDENCE, RowCheck, complaints
from store.discover import Found
from store.errors import NotPossibleError, UnreadableError
from store.findings import MemoryFound, Side
from store.health import (
    ClaimSeen,
    Complaint,
    CopySeen,
    CountSeen,
    EdgeSeen,
    EntrySeen,
    LinkSeen,
    MemorySeen,
    MovedSeen,
    TimeSeen,
)
from store.kinds.memories import UNWRITTEN
from store.kinds.problems import CLOCK, SOURCE, TAIL, Problem
from store.times import Instant, horizon, written_at

if TYPE_CHECKING:
    from store.edits.draft import Scribe


_TIMES: Mapping[str, Sequence[str]] = {
    "memories": ("created", "updated", "accessed"),
    "edges": ("created",),
    "listed": ("first", "last"),
    "measures": ("start", "finish", "at"),
    "agents": ("started",),
}
"""The times of the records of a table, as the columns that contain them as written."""

_MOMENTS = {"at": "at_micros"}
"""The columns with a time in microseconds, unless they are named `…_at`."""

_MANY_TIMES = ("messages", "events")
"""The tables with many rows per file."""


def _listed_times(
    words: Sequence[str],
    texts: Sequence[str],
    moments: Sequence[int | None],
    limit: int,
) -> str:
    """The times after a limit, as written."""
    told = zip(words, texts, moments, strict=True)
    return ", ".join(
        f"{word} {text}" for word, text, moment in told if (moment or 0) > limit
    )


# The rows of a store, as input for the checks of `store.health`.


_RELATIONS = """
    (SELECT group_concat(
        claims.side || ' ' || claims.type || ' '
            || CASE claims.side WHEN 'outgoing' THEN claims."end" ELSE claims.start END,
        ', '
    ) FROM claims WHERE claims.source = memories.source
        AND claims.side IN ('outgoing', 'incoming'))
"""
"""The relations in a memory's file, spelled as in an index."""


_INDEXED = """
    (SELECT copies.id FROM memories AS copies JOIN sources ON sources.id = copies.source
    WHERE copies."key" = index_entries."key" AND copies.store = index_entries.store
    ORDER BY copies.archived, sources.path, copies.line, copies.id LIMIT 1)
"""
"""The memory of an index entry: of copies, the first that is not archived."""


_TEXT = """
    (SELECT bodies.text FROM bodies WHERE bodies.source = memories.source
    AND bodies.line = coalesce(memories.line, 0)
    AND json_extract(index_entries.facts, '$.preview') IS NOT NULL)
"""
"""The text of a memory, if its index entry repeats the beginning of it."""


_AWAY = "memories.archived AND NOT memories.fades"
"""Whether a memory is archived, so that an index omits it."""


class StoreEvidence:
    """The rows of one store, as queries that the checks need."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        store: int,
        two_sided: Iterable[str],
        sources: Iterable[int] | None = None,
    ) -> None:
        """Use all rows of the store, or only those of some sources."""
        self._connection = connection
        self._store = store
        self._sources = None if sources is None else f"[{','.join(map(str, sources))}]"
        self.two_sided = frozenset(two_sided)
        """The sides on which this store's format writes every edge."""

    @cached_property
    def index_path(self) -> bytes | None:
        """The path of the derived index, if it has entries."""
        row = self._ask(
            "SELECT sources.path FROM index_entries "
            "JOIN sources ON sources.id = index_entries.source "
            f"WHERE {self.within('index_entries')} "
            "AND index_entries.key NOT LIKE 'count:%' LIMIT 1"
        ).fetchone()
        return None if row is None else row[0]

    @cached_property
    def index_knows_edges(self) -> bool:
        """Whether the store's index lists any edges."""
        row = self._ask(
            "SELECT 1 FROM index_entries WHERE store = ? AND key = 'count:edges'"
        ).fetchone()
        return row is not None

    def doubtful_edges(self) -> Iterator[EdgeSeen]:
        """All edges that may have a problem; in a large store, most have none.

        An edge has no problem if both ends exist, all sides are written, and its copied
        titles are right.
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
            f"WHERE {self.within('edges')} AND ({' OR '.join(doubts)}) "
            "ORDER BY edges.id"
        )
        return starmap(EdgeSeen, rows)

    def copies(self) -> Iterator[CopySeen]:
        """The memories with the identifier of an earlier one; see `settle.Keys`."""
        rows = self._ask(
            "SELECT memories.ref, sources.path, memories.line, memories.own_id, "
            "firsts.title, places.path "
            "FROM memories JOIN sources ON sources.id = memories.source "
            'JOIN memories AS firsts ON firsts."key" = memories."key" '
            "AND firsts.store = memories.store AND NOT firsts.is_copy "
            "JOIN sources AS places ON places.id = firsts.source "
            f"WHERE {self.within('memories')} AND memories.is_copy"
        )
        return starmap(CopySeen, rows)

    def unmentioned(self) -> Iterator[MemorySeen]:
        """The memories that no document mentions."""
        return self._memories(
            "NOT EXISTS (SELECT 1 FROM mentions WHERE mentions.memory = memories.id)"
        )

    def unindexed(self) -> Iterator[MemorySeen]:
        """The memories with an identifier that the index lacks, except archived."""
        return self._memories(
            f"memories.own_id IS NOT NULL AND NOT ({_AWAY}) AND NOT EXISTS ("
            "SELECT 1 FROM index_entries WHERE index_entries.store = memories.store "
            'AND index_entries."key" = memories."key")'
        )

    def counts(self) -> Iterator[tuple[int, str | None, int]]:
        """The numbers of memories by archived and type; of copies the active one."""
        rows = self._ask(
            f"SELECT away, type, count(*) FROM (SELECT {_AWAY} AS away, type, "
            "row_number() OVER (PARTITION BY "
            'CASE WHEN own_id IS NULL THEN memories.id ELSE "key" END '
            f"ORDER BY {_AWAY}, sources.path, memories.line, memories.id) AS number "
            "FROM memories JOIN sources ON sources.id = memories.source "
            f"WHERE {self.within('memories')}) WHERE number = 1 GROUP BY 1, 2"
        )
        yield from rows

    def _memories(self, condition: str) -> Iterator[MemorySeen]:
        """The memories that meet a condition."""
        rows = self._ask(
            "SELECT memories.ref, memories.title, sources.path, memories.line "
            "FROM memories JOIN sources ON sources.id = memories.source "
            f"WHERE {self.within('memories')} AND {condition} ORDER BY memories.id"
        )
        return starmap(MemorySeen, rows)

    def claims_without_edge_file(self) -> Iterator[ClaimSeen]:
        """Relations with the id of an edge that has no edge file."""
        rows = self._ask(
            "SELECT memories.ref, sources.path, claims.line, claims.edge_id "
            "FROM claims JOIN sources ON sources.id = claims.source "
            "LEFT JOIN memories ON memories.source = claims.source "
            f"WHERE {self.within('claims')} "
            "AND claims.side IN ('outgoing', 'incoming') "
            "AND claims.edge_id IS NOT NULL AND NOT EXISTS "
            "(SELECT 1 FROM claims AS files WHERE files.store = claims.store "
            "AND files.side = 'file' AND files.edge_id = claims.edge_id) "
            "ORDER BY claims.id"
        )
        return starmap(ClaimSeen, rows)

    def memory_indexes(self) -> list[bytes]:
        """The paths of the documents that should list every memory.

        A document without text is only a link to a summary, which lists some.
        """
        rows = self._ask(
            "SELECT sources.path FROM documents "
            "JOIN sources ON sources.id = documents.source "
            "WHERE documents.store = ? AND documents.role = 'memory-index' "
            "AND documents.text_bytes > 0"
        )
        return [path for (path,) in rows]

    def without_index(self) -> Iterator[tuple[Path, int]]:
        """The store's folder, and how many notes it has, if it has no index.

        If that was lost, it is a problem of its own.
        """
        rows = self._ask(
            "SELECT stores.path, (SELECT count(*) FROM memories "
            "WHERE memories.store = stores.id AND NOT memories.archived) AS number "
            "FROM stores WHERE stores.id = ?1 AND stores.format = 'notes' AND number "
            "AND NOT EXISTS (SELECT 1 FROM lost WHERE store = ?1 AND is_index) "
            "AND NOT EXISTS (SELECT 1 FROM sources WHERE store = ?1 "
            "AND (CAST(path AS TEXT) LIKE 'MEMORY.md' "
            "OR CAST(path AS TEXT) LIKE '%/MEMORY.md'))"
        )
        is_whole = self._sources is None
        return ((Path(os.fsdecode(p)), n) for p, n in rows if is_whole)

    def lost_links(self) -> Iterator[LinkSeen]:
        """Links of episodes and documents to memories that do not exist."""
        episodes = self._ask(
            "SELECT episodes.ref, sources.path, episodes.line, episodes.link "
            "FROM episodes JOIN sources ON sources.id = episodes.source "
            f"WHERE {self.within('episodes')} "
            "AND target IS NOT NULL AND memory IS NULL"
        )
        mentions = self._ask(
            "SELECT documents.ref, sources.path, mentions.line, mentions.link "
            "FROM mentions JOIN sources ON sources.id = mentions.source "
            "LEFT JOIN documents ON documents.source = mentions.source "
            f"WHERE {self.within('mentions')} "
            "AND target IS NOT NULL AND memory IS NULL"
        )
        return starmap(LinkSeen, chain(episodes, mentions))

    def moved_links(self) -> Iterator[MovedSeen]:
        """Links of documents to memories that have been moved to another path."""
        rows = self._ask(
            "SELECT documents.ref, sources.path, mentions.line, "
            "substr(mentions.target, 6), theirs.path "
            "FROM mentions JOIN sources ON sources.id = mentions.source "
            "JOIN memories ON memories.id = mentions.memory "
            "JOIN sources AS theirs ON theirs.id = memories.source "
            "LEFT JOIN documents ON documents.source = mentions.source "
            f"WHERE {self.within('mentions')} AND mentions.target LIKE 'path:%' "
            "AND mentions.target <> 'path:' || CAST(theirs.path AS TEXT)"
        )
        return starmap(MovedSeen, rows)

    def future_times(self) -> Iterator[TimeSeen]:
        """The records with times in the future; messages and events by file."""
        limit = horizon()
        for table, words in _TIMES.items():
            for ref, path, line, texts, moments in self._dated(table, words, limit):
                told = _listed_times(words, texts, moments, limit)
                yield TimeSeen(ref, path, line, told)
        for table in _MANY_TIMES:
            rows = self._ask(
                f"SELECT sources.path, min({table}.line), count(*), "
                f"max({table}.at_micros) FROM {table} "
                f"JOIN sources ON sources.id = {table}.source "
                f"WHERE {table}.at_micros > {limit} AND {self.within(table)} "
                "GROUP BY sources.id"
            )
            for path, line, count, latest in rows:
                what = table if count > 1 else table.removesuffix("s")
                told = f"{count:,} {what} up to {written_at(latest)}"
                yield TimeSeen(None, path, line, told)

    def _dated(
        self, table: str, words: Sequence[str], limit: int
    ) -> Iterator[tuple[str, bytes, int | None, list[str], list[int | None]]]:
        """The records of a table with a time after a limit, with all their times."""
        moments = [_MOMENTS.get(word, f"{word}_at") for word in words]
        line = "NULL" if table == "edges" else f"{table}.line"
        texts = [f"{table}.{word}" for word in words]
        rows = self._ask(
            f"SELECT {table}.ref, sources.path, {line}, {', '.join(texts)}, "
            f"{', '.join(f'{table}.{moment}' for moment in moments)} "
            f"FROM {table} JOIN sources ON sources.id = {table}.source "
            f"WHERE {self.within(table)} AND "
            f"({' OR '.join(f'{table}.{moment} > {limit}' for moment in moments)}) "
            f"ORDER BY {table}.id"
        )
        count = len(words)
        for ref, path, number, *cells in rows:
            yield ref, path, number, cells[:count], cells[count:]

    def idle_accesses(self) -> Iterator[tuple[bytes, str]]:
        """Entries of the state file without a memory: the file and the key."""
        rows = self._ask(
            "SELECT sources.path, accesses.key FROM accesses "
            "JOIN sources ON sources.id = accesses.source "
            "LEFT JOIN memories ON memories.store = accesses.store "
            "AND memories.key = accesses.key "
            f"WHERE {self.within('accesses')} AND memories.id IS NULL "
            "AND accesses.count >= 0"
        )
        yield from rows

    def index_entries(self) -> Iterator[EntrySeen]:
        """Entries of the derived index, each with its memory."""
        rows = self._ask(
            "SELECT indexes.path, index_entries.key, index_entries.path, "
            f"index_entries.facts, memories.ref, sources.path, {_RELATIONS}, {_TEXT}, "
            "memories.title, "
            "memories.type, memories.tags, memories.importance, memories.confidence, "
            "memories.created, memories.updated "
            "FROM index_entries "
            "JOIN sources AS indexes ON indexes.id = index_entries.source "
            f"LEFT JOIN memories ON memories.id = {_INDEXED} "
            "LEFT JOIN sources ON sources.id = memories.source "
            f"WHERE {self.within('index_entries')} "
            "AND index_entries.key NOT LIKE 'count:%'"
        )
        for index, key, entry, text, ref, path, told, body, *rest in rows:
            facts, memory = orjson.loads(text), _memory(rest)
            yield EntrySeen(index, key, entry, facts, ref, path, memory, told, body)

    def index_counts(self) -> list[CountSeen]:
        """The numbers of memories according to the derived index."""
        rows = self._ask(
            "SELECT sources.path, substr(key, 7), json_extract(facts, '$.count') "
            "FROM index_entries JOIN sources ON sources.id = index_entries.source "
            f"WHERE {self.within('index_entries')} AND key LIKE 'count:%' "
            "AND key <> 'count:edges'"
        )
        return [CountSeen(*row) for row in rows]

    def within(self, table: str) -> str:
        """The SQL condition for a row to be among those used."""
        if self._sources is None:
            return f"{table}.store = ?1"
        return f"{table}.source IN (SELECT value FROM json_each('{self._sources}'))"

    def singly(self, checks: Iterable[RowCheck] = CHECKS) -> Iterator[Complaint]:
        """The problems of single records."""
        return complaints(self._ask, self.within, checks)

    def _ask(self, question: str) -> sqlite3.Cursor:
        """Execute a query about this store."""
        about = (self._store,) if "?" in question else ()
        return self._connection.execute(question, about)


def _memory(cells: list[Any]) -> MemoryFound | None:
    """The fields of a memory that an index copies."""
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


# Run all checks on a store, and save the results as problems.


def complaints_of(seen: StoreEvidence) -> Iterator[Complaint]:
    """The problems that all checks find, but for those of times."""
    index = seen.index_path
    edge_index = index if seen.index_knows_edges else None
    yield from health.check_edges(seen.doubtful_edges(), seen.two_sided, edge_index)
    yield from health.check_duplicate_id(seen.copies())
    yield from health.check_lost_link(seen.lost_links())
    yield from health.check_stale_path(seen.moved_links())
    yield from health.check_missing_edge_file(seen.claims_without_edge_file())
    yield from health.check_unlisted(seen.unmentioned(), seen.memory_indexes())
    yield from health.check_no_index(seen.without_index())
    yield from health.check_idle_state(seen.idle_accesses())
    yield from health.check_index_drift(seen.index_entries(), seen.unindexed(), index)
    yield from health.check_index_counts(seen.index_counts(), seen.counts())
    yield from seen.singly()


def check(connection: sqlite3.Connection, store: int, sides: Iterable[Side]) -> None:
    """Replace the problems from the last checks of a store."""
    connection.execute(
        "DELETE FROM problems WHERE store = ? AND origin = 'check'", (store,)
    )
    evidence = StoreEvidence(connection, store, sides)
    _complain(connection, store, evidence)
    _keep_times(connection, store, evidence)


def check_times(connection: sqlite3.Connection, store: int) -> None:
    """Remove the problems of times that have passed since, when no file has changed."""
    _keep_times(connection, store, StoreEvidence(connection, store, ()))


def _keep_times(
    connection: sqlite3.Connection, store: int, evidence: StoreEvidence
) -> None:
    """Replace the problems about times in a store."""
    question = f"DELETE FROM problems WHERE store = ? AND origin = '{CLOCK}'"
    connection.execute(question, (store,))
    _keep(connection, store, CLOCK, health.check_future(evidence.future_times()))


def check_near(
    connection: sqlite3.Connection,
    store: int,
    sides: Iterable[Side],
    sources: Iterable[int],
    paths: Iterable[bytes],
    tables: Collection[str],
) -> None:
    """Replace the problems at some paths, checking only some sources.

    Of memories that share an identifier, all sources must be given, or none. What an
    index says about the whole store is not checked; the evidence of its claims is if
    measures are among the tables that changed.
    """
    connection.executemany(
        "DELETE FROM problems WHERE path = ? AND store = ? "
        f"AND origin IN ('check', '{CLOCK}')",
        [(path, store) for path in paths],
    )
    evidence = StoreEvidence(connection, store, sides, sources)
    _complain(connection, store, evidence)
    _keep(connection, store, CLOCK, health.check_future(evidence.future_times()))
    if "measures" in tables:
        _check_proofs(connection, store)


def _check_proofs(connection: sqlite3.Connection, store: int) -> None:
    """Replace the problems of claims, whose evidence is in other files."""
    term = (store, EVIDENCE[0].code)
    question = "DELETE FROM problems WHERE store = ? AND code = ?"
    connection.execute(question, term)
    evidence = StoreEvidence(connection, store, ())
    _keep(connection, store, "check", evidence.singly(EVIDENCE))


def _complain(
    connection: sqlite3.Connection, store: int, evidence: StoreEvidence
) -> None:
    """Run the checks, and save their results."""
    _keep(connection, store, "check", complaints_of(evidence))


def _keep(
    connection: sqlite3.Connection,
    store: int,
    origin: str,
    complaints: Iterable[Complaint],
) -> None:
    """Save some problems with their origin."""
    connection.executemany(
        "INSERT INTO problems "
        "(store, origin, path, ref, code, severity, line, message) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                store,
                origin,
                complaint.path,
                complaint.ref,
                complaint.code,
                complaint.severity,
                complaint.line,
                complaint.message,
            )
            for complaint in complaints
        ),
    )


def keep_certain(
    connection: sqlite3.Connection, store: Path, unsure: Iterable[str]
) -> None:
    """Keep only the problems that files report themselves, but for some files.

    The checks compare files, of which not all are known in an earlier state.
    """
    place = os.fsencode(store)
    paths = [(place, os.fsencode(path)) for path in unsure]
    with transaction(connection):
        connection.execute(_FORGET_CHECKS, (place,))
        connection.executemany(f"{_FORGET} AND path = ?", paths)
        connection.execute(f"{_FORGET} AND origin = 'shared' AND count < 1", (place,))


_FORGET = "DELETE FROM problems WHERE store = (SELECT id FROM stores WHERE path = ?)"
_FORGET_CHECKS = f"{_FORGET} AND origin NOT IN ('{SOURCE}', '{TAIL}', 'shared')"


def forget_later(connection: sqlite3.Connection, at: int) -> None:
    """Forget when files of memories were written, if that was after a moment.

    Memories without another date are then the last in the list, not the first.
    """
    with transaction(connection):
        connection.execute(
            "UPDATE sources SET mtime_ns = ? WHERE role = 'memory' "
            "AND mtime_ns / 1000 > ?",
            (UNWRITTEN, at),
        )
        connection.execute(
            "UPDATE memories SET changed_at = coalesce(created_at, 0) "
            "WHERE changed_at > ?",
            (at,),
        )


# One row for a problem that very many records of a store share.

MOST = 1000
"""The most problems of one code and severity that a store lists one by one."""

_KIND = "store = :store AND code = :code AND severity = :severity"
_SINGLE = "shared IS NULL AND origin NOT IN ('shared', 'change', 'lost')"
_LISTED = (
    "SELECT code, severity, count(*) FROM problems "
    f"WHERE store = ? AND {_SINGLE} GROUP BY 1, 2"
)
_SHARING = (
    "SELECT code, severity, id, count FROM problems "
    "WHERE store = ? AND origin = 'shared'"
)
_BEGIN = """
    INSERT INTO problems (store, origin, path, code, severity, message)
    VALUES (:store, 'shared', X'', :code, :severity, '')
"""
_JOIN = f"UPDATE problems SET shared = :row, fix = NULL WHERE {_KIND} AND {_SINGLE}"
_SHOW_FIRST = """
    UPDATE problems SET count = :count, (path, line, message) = (
        SELECT path, line, message FROM problems AS each WHERE each.shared = :row
        ORDER BY path, line, message LIMIT 1
    ) WHERE id = :row
"""
_NOT_LISTED = """
    store = :store AND code = :code AND path <> X'' AND NOT EXISTS (
        SELECT 1 FROM problems WHERE problems.path = noticed.path
            AND problems.store = noticed.store AND problems.code = noticed.code
            AND coalesce(problems.ref, '') = noticed.ref AND problems.shared IS NULL
    )
"""
_JOIN_DATES = f"""
    INSERT OR IGNORE INTO noticed
    SELECT store, X'', code, :severity, min(at) FROM noticed
    WHERE {_NOT_LISTED} GROUP BY code
"""
_WHOLE = "store = :store AND path = X'' AND code = :code AND ref = :severity"
_PART_DATES = """
    INSERT OR IGNORE INTO noticed
    SELECT problems.store, problems.path, problems.code, coalesce(problems.ref, ''),
        whole.at
    FROM problems JOIN noticed AS whole ON whole.store = problems.store
        AND whole.path = X'' AND whole.code = problems.code
        AND whole.ref = problems.severity
    WHERE problems.shared = :row
"""
_PART = """
    UPDATE problems SET shared = NULL,
        fix = (SELECT fix FROM problems AS whole WHERE whole.id = :row)
    WHERE shared = :row
"""


def share_rows(connection: sqlite3.Connection, store: int) -> None:
    """List problems of one kind in one row where a store has more than `MOST` of them.

    The row shows the first of them by path, and how many there are. The cost depends on
    the number of rows listed, not on the number of problems.
    """
    rows = connection.execute(_LISTED, (store,))
    listed = {(code, severity): count for code, severity, count in rows}
    rows = connection.execute(_SHARING, (store,))
    sharing = {(code, severity): shared for code, severity, *shared in rows}
    many = {kind for kind, count in listed.items() if count > MOST}
    for kind in sorted(many.union(sharing)):
        row, count = sharing.get(kind, (None, 0))
        terms = dict(zip(("code", "severity"), kind, strict=True))
        count += listed.get(kind, 0)
        _share(connection, {**terms, "store": store, "row": row, "count": count})


def _share(connection: sqlite3.Connection, terms: dict[str, Any]) -> None:
    """List the problems of one kind in one row, or one by one if they are few now."""
    run = connection.execute
    if terms["count"] <= MOST:
        run(_PART_DATES, terms)
        run(f"DELETE FROM noticed WHERE {_WHOLE}", terms)
        run(_PART, terms)
        run("DELETE FROM problems WHERE id = :row", terms)
        return
    if terms["row"] is None:
        terms["row"] = run(_BEGIN, terms).lastrowid
    if run(_JOIN, terms).rowcount:
        run(_JOIN_DATES, terms)
        run(f"DELETE FROM noticed WHERE {_NOT_LISTED}", terms)
    run(_SHOW_FIRST, terms)


# Add to each problem the command that fixes it, if its format has one.

_FIX = "fix"
"""The word for fixing a problem."""

_PROBLEMS = (
    "SELECT id, code, severity, ref, path, line, message FROM problems "
    "WHERE store = ? AND origin NOT IN ('change', 'lost') AND shared IS NULL"
)
_PROBLEMS_AT = _PROBLEMS.replace("store = ?", "+store = ? AND path = ?")
_PROBLEMS_SHARED = f"{_PROBLEMS} AND origin = 'shared'"


def offer_fixes(
    connection: sqlite3.Connection,
    row: int,
    found: Found,
    paths: Iterable[bytes] | None = None,
) -> None:
    """Save the fixes of all listed problems of a store, or of those at some paths."""
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    if paths is None:
        problems = cursor.execute(_PROBLEMS, (row,)).fetchall()
    else:
        problems = cursor.execute(_PROBLEMS_SHARED, (row,)).fetchall()
        for path in paths:
            problems += cursor.execute(_PROBLEMS_AT, (row, path)).fetchall()
    if not problems or not found.format.editable:
        return
    try:
        with found.format.scribe(found.path) as scribe:
            fixes = [
                (_fix(scribe, found, problem), problem["id"]) for problem in problems
            ]
    except (NotPossibleError, UnreadableError):
        return
    connection.executemany("UPDATE problems SET fix = ? WHERE id = ?", fixes)


def _fix(scribe: "Scribe", found: Found, row: sqlite3.Row) -> str | None:
    """The command that fixes a problem, if there is one."""
    problem = Problem(
        code=row["code"],
        severity=row["severity"],
        store=str(found.path),
        ref=row["ref"],
        path=os.fsdecode(row["path"]),
        line=row["line"],
        message=row["message"],
        fix=None,
    )
    if scribe.possible(problem).get(_FIX) != "":
        return None
    return f"recollect health --fix {problem.code} -s {shlex.quote(problem.store)}"
