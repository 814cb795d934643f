"""What the program adds to the index from its own notes, not from the stores.

Pins that a store has no field for, half-done changes, memories that were lost, ignored
problems, and when each problem was first seen.
"""

import os
import shlex
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import orjson

from store.catalogue.database import transaction
from store.catalogue.sources import Known
from store.catalogue.sync import note_move
from store.errors import UnreadableError
from store.files.beneath import Root
from store.findings import Severity
from store.kinds.problems import HALF_DONE_CHANGE, LOST, NAMING, Problem, problem_id
from store.resource import Closing
from store.state import Ignored
from store.times import clock

# Ignored problems, each until it changes.
#
# A problem is known again by everything but its line number: its code, file, record and
# message, and the text that it is about. That text is its line, or the whole file of
# its record, so that other text with the same problem is reported.

_STORES = "SELECT id, path FROM stores"
_AT = """
    SELECT problems.*, stores.path AS store_path, coalesce(problems.line, (
        SELECT coalesce(memories.line, 0)
        FROM memories JOIN sources ON sources.id = memories.source
        WHERE memories.ref = problems.ref AND sources.path = problems.path LIMIT 1
    )) AS text_line
    FROM problems JOIN stores ON stores.id = problems.store
    WHERE problems.path = ? AND +problems.store = ?
"""
_PATHS = "SELECT DISTINCT path FROM problems WHERE store = ? AND ignored"
_CHANGE = """
    UPDATE problems SET ignored = NOT ignored
    WHERE id IN (SELECT value FROM json_each(?))
"""


def show_ignored(connection: sqlite3.Connection, ignored: Collection[Ignored]) -> None:
    """Mark exactly the problems that are ignored."""
    for store, raw in connection.execute(_STORES).fetchall():
        place = os.fsdecode(raw)
        here = {one for one in ignored if one.store == place}
        known = {one._replace(digest="") for one in here}
        paths = {path for (path,) in connection.execute(_PATHS, (store,))}
        paths |= {os.fsencode(one.path) for one in here}
        with _Texts(place) as texts:
            changed = [
                row["id"]
                for row in _at(connection, store, paths)
                if row["ignored"]
                != (_identity(row) in known and texts.identity(row) in here)
            ]
        if changed:
            with transaction(connection):
                connection.execute(_CHANGE, (orjson.dumps(changed).decode(),))
                note_move(connection, raw, {"problems"})


def identities(
    connection: sqlite3.Connection, problems: Iterable[Problem]
) -> set[Ignored]:
    """What identifies some problems until they change."""
    chosen = {one.id: one for one in problems}
    found: set[Ignored] = set()
    for store, raw in connection.execute(_STORES).fetchall():
        place = os.fsdecode(raw)
        here = {os.fsencode(p.path) for p in chosen.values() if p.store == place}
        with _Texts(place) as texts:
            rows = _at(connection, store, here)
            found.update(texts.identity(row) for row in rows if _id(row) in chosen)
    return found


def _at(
    connection: sqlite3.Connection, store: int, paths: Collection[bytes]
) -> Iterator[sqlite3.Row]:
    """The problems of a store at some paths."""
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    for path in sorted(paths):
        yield from cursor.execute(_AT, (path, store)).fetchall()


def _id(row: sqlite3.Row) -> str:
    return problem_id(*(row[name] for name in NAMING))


def _identity(row: sqlite3.Row) -> Ignored:
    """What identifies a problem, but for the text that it is about."""
    count, message = row["count"], row["message"]
    return Ignored(
        store=os.fsdecode(row["store_path"]),
        code=row["code"],
        path=os.fsdecode(row["path"]),
        ref=row["ref"] or "",
        message=f"{count} × {message}" if count > 1 else message,
        digest="",
    )


class _Texts(Closing):
    """Reads the texts of one store that problems are about."""

    def __init__(self, place: str) -> None:
        self._place = Path(place)
        self._root: Root | None = None
        self._path: str | None = None
        self._lines: list[bytes] = []

    def identity(self, row: sqlite3.Row) -> Ignored:
        """What identifies a problem until it changes."""
        known, line = _identity(row), row["text_line"]
        if line is None:
            return known
        lines = self._lines_of(known.path)
        if 0 < line <= len(lines):
            lines = lines[line - 1 : line]
        digest = blake2b(b"\n".join(lines), digest_size=16).hexdigest()
        return known._replace(digest=digest)

    def close(self) -> None:
        """Close the store."""
        if self._root:
            self._root.close()

    def _lines_of(self, path: str) -> list[bytes]:
        """The lines of a file up to the limit for notes; none if it cannot be read."""
        if path != self._path:
            self._path, self._lines = path, []
            with suppress(UnreadableError):
                self._root = self._root or Root(self._place)
                self._lines = self._root.read(path).raw.split(b"\n")
        return self._lines


# Show pins of memories whose stores have no field for pins.

_OURS = 2
"""The value of `memories.pinned` for our own pins; 1 is a pin of the store itself."""

_NO_MORE = f"""
    SELECT 1 FROM memories WHERE store = ?1 AND pinned = {_OURS}
        AND key NOT IN (SELECT value FROM json_each(?2)) LIMIT 1
"""

_NOT_YET = """
    SELECT 1 FROM memories WHERE store = ?1 AND pinned = 0
        AND key IN (SELECT value FROM json_each(?2)) LIMIT 1
"""
"""This scans all memories of the store, so it runs only if some are marked."""

_PINNED = f"""
    UPDATE memories
    SET pinned = CASE WHEN pinned = {_OURS} THEN 0 ELSE {_OURS} END
    WHERE store = ?1 AND (
        (pinned = {_OURS} AND key NOT IN (SELECT value FROM json_each(?2)))
        OR (pinned = 0 AND key IN (SELECT value FROM json_each(?2)))
    )
"""


def show_pins(
    connection: sqlite3.Connection, marked: Mapping[str, Sequence[str]]
) -> None:
    """Pin exactly the marked memories, given as keys by store."""
    for row, place in connection.execute("SELECT id, path FROM stores").fetchall():
        keys = marked.get(os.fsdecode(place), ())
        terms = (row, orjson.dumps(keys).decode())
        questions = (_NO_MORE, _NOT_YET) if keys else (_NO_MORE,)
        if any(connection.execute(each, terms).fetchone() for each in questions):
            with transaction(connection):
                connection.execute(_PINNED, terms)
                note_move(connection, place, {"memories"})


# Show half-done changes as problems of their files.

_TOLD = (
    "SELECT path, message, fix FROM problems "
    "WHERE store = ? AND origin = 'change' ORDER BY id"
)
_FORGET = "DELETE FROM problems WHERE store = ? AND origin = 'change'"
_TELL = (
    "INSERT INTO problems (store, origin, path, code, severity, message, fix) "
    f"VALUES (?, 'change', ?, '{HALF_DONE_CHANGE}', 'error', ?, ?)"
)


def show_half_done(
    connection: sqlite3.Connection,
    changes: Mapping[str, Sequence[tuple[str, str, str]]],
) -> None:
    """Set the problems of half-done changes, by store: path, message and fix."""
    for row, place in connection.execute("SELECT id, path FROM stores").fetchall():
        found = changes.get(os.fsdecode(place), ())
        wanted = [(os.fsencode(path), *rest) for path, *rest in found]
        before = connection.execute(_TOLD, (row,)).fetchall()
        if before == wanted:
            continue
        with transaction(connection):
            connection.execute(_FORGET, (row,))
            connection.executemany(_TELL, [(row, *each) for each in wanted])
            paths = {path for path, *_ in (*before, *wanted)}
            notice_near(connection, row, clock(), paths)
            note_move(connection, place, {"problems"})


# Show memories that are gone or empty, although no change of ours removed them.

EMPTY = 2
"""The most bytes of a file without content: a line end."""

_MOST_LOST = 1000
"""The most files of one look that are recorded."""

_NAMED = 80
"""The most characters of a title."""

_SHOWN_FOR = 30 * 86_400 * 1_000_000
"""Microseconds for which a loss is reported."""

_LOSE = """
    INSERT OR REPLACE INTO lost
    SELECT sources.store, sources.path, sources.inode, sources.mtime_ns, ?2,
        documents.id IS NOT NULL, memories.title, memories.own_id, NULL
    FROM sources
    LEFT JOIN memories ON memories.source = sources.id AND NOT memories.archived
    LEFT JOIN documents ON documents.source = sources.id
        AND documents.role = 'memory-index'
    WHERE sources.id = ?1 AND coalesce(memories.id, documents.id) IS NOT NULL
    ORDER BY memories.line LIMIT 1
"""

_REGAINED = f"""
    DELETE FROM lost WHERE at < ?1
    OR EXISTS (SELECT 1 FROM sources WHERE sources.store = lost.store
        AND sources.path = lost.path AND sources.size > {EMPTY})
    OR EXISTS (SELECT 1 FROM sources WHERE sources.inode = lost.inode
        AND sources.mtime_ns = lost.mtime_ns)
    OR EXISTS (SELECT 1 FROM memories JOIN sources ON sources.id = memories.source
        WHERE (memories.own_id = lost.own_id
            OR memories.title = lost.title AND memories.store = lost.store)
        AND (memories.store, sources.path) <> (lost.store, lost.path))
"""
"""Forgets what is back, was moved, or is in another file now, and what is long ago."""

_LEFT_HERE = f"""
    SELECT count(*) FROM memories JOIN sources ON sources.id = memories.source
    WHERE memories.store = ? AND NOT memories.archived AND sources.size > {EMPTY}
"""

_LOST = """
    SELECT lost.path, is_index, title, sources.id IS NOT NULL, lost.mtime_ns, fix
    FROM lost LEFT JOIN sources
        ON sources.store = lost.store AND sources.path = lost.path
    WHERE lost.store = ? ORDER BY lost.path
"""

_EMPTY_INDEXES = f"""
    INSERT OR IGNORE INTO lost
    SELECT sources.store, sources.path, sources.inode, -1, ?1, 1, NULL, NULL, NULL
    FROM documents JOIN sources ON sources.id = documents.source
    WHERE documents.role = 'memory-index' AND sources.size <= {EMPTY}
"""

_LOST_TOLD = (
    "SELECT path, code, severity, message, fix FROM problems "
    "WHERE store = ? AND origin = 'lost' ORDER BY path"
)
_LOST_TELL = (
    "INSERT INTO problems (store, origin, path, code, severity, message, fix) "
    "VALUES (?, 'lost', ?, ?, ?, ?, ?)"
)


class Explain(Protocol):
    """What is known about a lost file beside the index."""

    def is_removed_here(self, store: str, path: str, mtime_ns: int) -> bool:
        """Whether one of our changes removed this version of it."""
        ...

    def is_known(self, store: str, path: str) -> bool:
        """Whether an earlier version of it is known."""
        ...


def note_lost(
    connection: sqlite3.Connection, sources: Sequence[Known], now: int
) -> None:
    """Record the memories and indexes in some sources before their rows go."""
    rows = [(known.row, now) for known in sources[:_MOST_LOST]]
    connection.executemany(_LOSE, rows)


def show_lost(connection: sqlite3.Connection, explain: Callable[[], Explain]) -> None:
    """Set the problems of lost memories and indexes."""
    with transaction(connection):
        connection.execute(_EMPTY_INDEXES, (clock(),))
        connection.execute(_REGAINED, (clock() - _SHOWN_FOR,))
    for row, place in connection.execute("SELECT id, path FROM stores").fetchall():
        _explain(connection, row, place, explain)
        wanted = list(_losses(connection, row))
        before = connection.execute(_LOST_TOLD, (row,)).fetchall()
        if before == wanted:
            continue
        with transaction(connection):
            connection.execute(
                "DELETE FROM problems WHERE store = ? AND origin = 'lost'", (row,)
            )
            connection.executemany(_LOST_TELL, [(row, *each) for each in wanted])
            paths = {path for path, *_ in (*before, *wanted)}
            notice_near(connection, row, clock(), paths)
            note_move(connection, place, {"problems"})


def _explain(
    connection: sqlite3.Connection,
    store: int,
    place: bytes,
    explain: Callable[[], Explain],
) -> None:
    """Look once for each new loss whether it is ours, and whether it can be undone."""
    name = os.fsdecode(place)
    lost = connection.execute(_LOST, (store,)).fetchall()
    new = [row for row in lost if row[-1] is None]
    if not new:
        return
    known = explain()
    for path, is_index, _, is_there, mtime_ns, _ in new:
        file, code = os.fsdecode(path), _code(is_index, is_there)
        command = f"recollect health --fix {code} -s {shlex.quote(name)}"
        fix = command if known.is_known(name, file) else ""
        with transaction(connection):
            if known.is_removed_here(name, file, mtime_ns):
                question = "DELETE FROM lost WHERE store = ? AND path = ?"
                connection.execute(question, (store, path))
            else:
                question = "UPDATE lost SET fix = ? WHERE store = ? AND path = ?"
                connection.execute(question, (fix, store, path))


def _code(is_index: bool, is_there: bool) -> str:  # noqa: FBT001  # columns of a row
    return "index-gone" if is_index else LOST[is_there]


def _losses(
    connection: sqlite3.Connection, store: int
) -> Iterator[tuple[bytes, str, str, str, str | None]]:
    """The rows of the problems: path, code, severity, message, fix."""
    lost = connection.execute(_LOST, (store,)).fetchall()
    if not lost:
        return
    (left,) = connection.execute(_LEFT_HERE, (store,)).fetchone()
    gone = sum(not is_index for _, is_index, *_ in lost)
    severity = Severity.NOTE if gone < left else Severity.WARNING
    severity = severity if left else Severity.ERROR
    for path, is_index, title, is_there, _, fix in lost:
        how, verb = ("is empty", "empty") if is_there else ("is gone", "remove")
        if is_index and not left:
            continue
        if is_index:
            name = os.fsdecode(path).rpartition("/")[2]
            several = "memory" if left == 1 else f"{left} memories"
            message = f"{name} {how}, so agents don't see the {several} here."
            kind = Severity.WARNING
        else:
            message = f"“{title[:_NAMED]}” {how}, and recollect did not {verb} it."
            kind = severity
        yield path, _code(is_index, is_there), kind.value, message, fix or None


# When each problem was first found, recorded as long as it exists.
#
# Problems that share a row have one date, under their code and severity.

_PLACE = "CASE problems.origin WHEN 'shared' THEN X'' ELSE problems.path END"
_REF = (
    "CASE problems.origin WHEN 'shared' THEN problems.severity "
    "ELSE coalesce(problems.ref, '') END"
)
_IS_FIRST = "SELECT NOT EXISTS (SELECT 1 FROM noticed WHERE store = ?)"
_MET = f"""
    INSERT OR IGNORE INTO noticed (store, path, code, ref, at)
    SELECT problems.store, {_PLACE}, problems.code, {_REF},
        min(?1, CASE WHEN ?2 THEN coalesce(sources.mtime_ns / 1000, 0) ELSE ?1 END)
    FROM problems LEFT JOIN sources
        ON sources.store = problems.store AND sources.path = problems.path
    WHERE problems.store = ?3 AND problems.shared IS NULL
"""
_MET_AT = _MET.replace(
    "problems.store = ?3", "problems.path = ?4 AND problems.store = ?3"
)
_LEFT = f"SELECT {_PLACE}, code, {_REF} FROM problems WHERE shared IS NULL"
_FIXED = f"""
    DELETE FROM noticed WHERE store = ?1 AND code <> ''
        AND (path, code, ref) NOT IN ({_LEFT} AND store = ?1)
"""
_FIXED_AT = f"""
    DELETE FROM noticed WHERE store = ?1 AND path = ?2 AND code <> ''
        AND (path, code, ref) NOT IN ({_LEFT} AND path = ?2 AND store = ?1)
"""
_MARK = "INSERT OR IGNORE INTO noticed VALUES (?, X'', '', '', ?)"
"""A row without a code, which marks a store whose problems were recorded before."""


def notice(connection: sqlite3.Connection, store: int, now: int) -> None:
    """Record which problems of a store are new, and forget those that are fixed.

    `now` is in microseconds since 1970. When a store is read for the first time, a
    problem is dated by the modification time of its file. If that is unknown, it counts
    as older than everything else.
    """
    (is_first,) = connection.execute(_IS_FIRST, (store,)).fetchone()
    connection.execute(_MET, (now, is_first, store))
    connection.execute(_FIXED, (store,))
    connection.execute(_MARK, (store, now))


def notice_near(
    connection: sqlite3.Connection, store: int, now: int, paths: Iterable[bytes]
) -> None:
    """The same for the problems at some paths, in a store recorded before."""
    for path in paths:
        connection.execute(_MET_AT, (now, False, store, path))
        connection.execute(_FIXED_AT, (store, path))
