"""Create the conversations of a store, and link them: projects and parents."""

import os
import sqlite3
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from store.catalogue.conversation_copies import (
    HAS_DOUBLES,
    find_doubles,
    forget_links,
    mark_copies,
)
from store.catalogue.conversations import (
    PROMPT,
    Made,
    Times,
    Whole,
    conversations_of,
    envelopes_of,
    listed_conversations,
    together,
    without_repeated,
)
from store.catalogue.schema import TABLES
from store.derive.paths import folder_name, is_slug, project_folder, project_path
from store.kinds.conversations import CONVERSATIONS
from store.kinds.messages import FAILED, MESSAGES, QUEUED
from store.kinds.table import Row, fit_to_store, json_text

# The project of each transcript: the path that its folder is named after.

_IN_FOLDER = """
    SELECT DISTINCT sources.id, sources.path, envelopes.cwd FROM sources
    JOIN sessions ON sessions.source = sources.id
    LEFT JOIN envelopes ON envelopes.source = sources.id
    WHERE sources.store = ? AND sources.path >= ? AND sources.path < ?
"""
_START = """
    SELECT cwd FROM messages JOIN envelopes ON envelopes.source = messages.source
        AND envelopes.number = messages.envelope
    WHERE messages.source = ? AND cwd IS NOT NULL ORDER BY line, messages.id LIMIT 1
"""
_NAMED = "UPDATE conversations SET project = ?1 WHERE source = ?2 AND project IS NOT ?1"


def find_projects(
    connection: sqlite3.Connection, store: int, place: bytes, paths: Iterable[str]
) -> None:
    """Set the project of all transcripts in the folders of the given paths.

    Folders that are not named after a path are skipped: their transcripts may belong
    to several projects.
    """
    root = os.fsdecode(place)
    for folder in filter(is_slug, {project_folder(root, path) for path in paths}):
        begin = os.fsencode(folder)
        is_all = folder == project_folder(root, "")
        bounds = (b"", b"\xff") if is_all else (begin + b"/", begin + b"0")
        rows = connection.execute(_IN_FOLDER, (store, *bounds)).fetchall()
        within = [
            (source, cwd)
            for source, path, cwd in rows
            if project_folder(root, os.fsdecode(path)) == folder
        ]
        sources = dict.fromkeys(source for source, _ in within)
        path = project_path(folder, sorted({cwd for _, cwd in within if cwd}))
        name = folder_name(path) if path else _most(connection, sources) or folder
        connection.executemany(_NAMED, [(name, source) for source in sources])


def _most(connection: sqlite3.Connection, sources: Iterable[int]) -> str | None:
    """The name of the folder in which most transcripts began."""
    found = (connection.execute(_START, (row,)).fetchone() for row in sources)
    known = Counter(sorted(start for (start,) in filter(None, found)))
    return next((folder_name(start) for start, _ in known.most_common(1)), None)


# Which conversation started each conversation of a sub-agent.

_AGENTS = """
    SELECT conversations.id, conversations.first_at, conversations.parent,
        sessions.parent
    FROM conversations JOIN sessions ON sessions.source = conversations.source
    WHERE conversations.store = ? AND sessions.parent IS NOT NULL
"""
_BEFORE = """
    SELECT conversations.id FROM conversations
    JOIN sources ON sources.id = conversations.source
    WHERE sources.store = ?1 AND sources.path = ?2
    ORDER BY conversations.first_at > ?3, abs(conversations.first_at - ?3) LIMIT 1
"""


def find_parents(connection: sqlite3.Connection, store: int) -> None:
    """Set as parent the last conversation that had begun in the parent transcript."""
    changed: list[tuple[int | None, int]] = []
    for row, began, before, path in connection.execute(_AGENTS, (store,)).fetchall():
        key = (store, os.fsencode(path), began or 0)
        found = connection.execute(_BEFORE, key).fetchone()
        parent = found[0] if found else None
        if parent != before:
            changed.append((parent, row))
    connection.executemany("UPDATE conversations SET parent = ? WHERE id = ?", changed)


# Create the conversations of a store for the transcripts that changed.
#
# A transcript has the status `ingesting` from when its messages are written until its
# conversations are; then it is `idle`. If it was read in one piece, its conversations
# were already created in the process. Those that came in several pieces are handled
# here.

_MOVED = "SELECT id, path FROM sources WHERE store = ? AND status = 'ingesting'"
_WITH_MESSAGES = """
    SELECT id, path FROM sources WHERE store = ?
    AND EXISTS (SELECT 1 FROM messages WHERE messages.source = sources.id)
"""
_WHERE = "WHERE source = ? ORDER BY line, id"
_NEEDLESS = frozenset({"ref", "offset", "extent", "kin"})
_CUT = {
    **{name: f"NULL AS {name}" for name in _NEEDLESS},
    "uuid": "CASE WHEN key IS NULL THEN uuid END",
    "text": f"CASE kind WHEN 'prompt' THEN substr(text, 1, {PROMPT}) END",
}
"""Long columns reduced to what is needed, so that many rows take little memory."""

_MESSAGE = MESSAGES.table.filled
_SAID = f"SELECT {', '.join(_CUT.get(n, n) for n in _MESSAGE)} FROM messages {_WHERE}"
_SINCE = _WHERE.replace("source = ?", "source = ? AND line > ?")
_SAID_SINCE = _SAID.replace(_WHERE, _SINCE)
_TIMES = f"SELECT line, at_micros, until_micros, entries, role FROM messages {_SINCE}"
_WAITED = f"SELECT 1 FROM messages WHERE source = ? AND flags & {QUEUED} LIMIT 1"
_PROMPTS = (
    f"SELECT {', '.join(_MESSAGE)} FROM messages WHERE source = ? AND kind = 'prompt'"
)
_LISTED = f"SELECT {TABLES['listed'].selected} FROM listed {_WHERE}"
_WRITES = (
    "SELECT line, path FROM writes WHERE source = ? AND line > ? AND NOT failed "
    "ORDER BY line"
)
_MAY_FAIL = """
    WITH new AS (SELECT id AS source, fresh_from FROM sources
        WHERE id = ? AND fresh_from IS NOT NULL)
    SELECT EXISTS (SELECT 1 FROM new JOIN writes USING (source)
        WHERE line >= fresh_from)
    OR EXISTS (SELECT 1 FROM new JOIN messages USING (source), json_each(answers)
        WHERE line >= fresh_from AND answers IS NOT NULL
        AND value IN (SELECT call FROM new JOIN writes USING (source)))
"""
_RESULTS = f"""
    WITH results AS (SELECT value AS call, coalesce(flags, 0) & {FAILED} AS failed
        FROM messages, json_each(answers) WHERE source = ?1 AND answers IS NOT NULL),
    failures AS MATERIALIZED (SELECT call FROM results WHERE call <> ''
        GROUP BY call HAVING min(failed))
    UPDATE writes SET failed = NOT failed WHERE source = ?1
        AND failed <> (call IN (SELECT call FROM failures)) RETURNING line
"""
_ENVELOPES = f"SELECT {TABLES['envelopes'].selected} FROM envelopes WHERE source = ?"
_SESSIONS = (
    f"SELECT {TABLES['sessions'].selected} FROM sessions WHERE source = ? ORDER BY id"
)


_LISTS = """
    SELECT 1 FROM listed WHERE source = ?1 UNION ALL
    SELECT 1 FROM unsettled WHERE source = ?1 LIMIT 1
"""
_SETTLED = "DELETE FROM unsettled WHERE source = ?"
_CHANGED = """
    WITH changed AS (SELECT key, min(first_line) AS first, max(last_line) AS last
        FROM unsettled WHERE source = ?1 GROUP BY key),
    lines AS (SELECT key, min(first_line) AS first, max(last_line) AS last
        FROM conversations JOIN runs ON conversation = conversations.id
        WHERE conversations.source = ?1 AND key IN (SELECT key FROM changed)
        GROUP BY key)
    SELECT changed.key,
        min(coalesce(changed.first, lines.first), coalesce(lines.first, changed.first)),
        max(coalesce(changed.last, lines.last), coalesce(lines.last, changed.last))
    FROM changed LEFT JOIN lines ON lines.key = changed.key
"""
"""The changed conversations, and the first and the last line of their messages."""
_OF_CHANGED = "WHERE source = ? AND key IN (SELECT value FROM json_each(?))"
_CHANGED_ROWS = f"SELECT id FROM conversations {_OF_CHANGED}"
_CHANGED_LISTED = (
    f"SELECT {TABLES['listed'].selected} FROM listed {_OF_CHANGED} ORDER BY line, id"
)
_SAID_BETWEEN = _SAID.replace(
    _WHERE, _WHERE.replace("source = ?", "source = ? AND line BETWEEN ? AND ?")
)
_FRESH = "SELECT fresh_from FROM sources WHERE id = ?"
_ALL_TOLD = "UPDATE sources SET fresh_from = NULL WHERE id = ?"
_EXTENTS = """
    SELECT conversations.id, min(first_line), max(last_line), coalesce(first_at, 0),
        coalesce(last_at, 1 << 62), entries, cwd
    FROM runs JOIN conversations ON conversations.id = runs.conversation
    WHERE runs.source = ? GROUP BY conversations.id ORDER BY min(first_line)
"""
_CLOSE = """
    UPDATE conversations SET is_closed = 1
    WHERE id IN (SELECT value FROM json_each(?)) AND NOT is_closed
"""

_LINKS = (
    "SELECT shown_as, shown_in, ref, messages, last_at FROM conversations "
    "WHERE source = ? AND shown_in IS NOT NULL"
)
_RELINK = (
    "UPDATE conversations SET shown_as = ?, shown_in = ? "
    "WHERE ref = ? AND messages = ? AND last_at IS ?"
)
"""Restores the links of copies that did not change, when they are made again."""


def settle_conversations(
    connection: sqlite3.Connection,
    store: int,
    place: bytes,
    gap: int,
    moved: Iterable[str],
) -> set[int]:
    """Create the conversations of changed transcripts, or of all if the gap changed.

    `moved` are the paths of the files that changed or were deleted. Returns the other
    stores in which copies of these conversations were linked.
    """
    (before,) = connection.execute(
        "SELECT gap FROM stores WHERE id = ?", (store,)
    ).fetchone()
    anew = before not in (gap, None)
    question = _WITH_MESSAGES if anew else _MOVED
    again = connection.execute(question, (store,)).fetchall()
    (last,) = connection.execute("SELECT max(id) FROM conversations").fetchone()
    for source, path in again:
        about = (place, os.fsdecode(path))
        _settle_one(connection, (store, source), about, gap, anew=anew)
    paths = [os.fsdecode(path) for _, path in again]
    find_projects(connection, store, place, chain(paths, moved))
    paths = [*mark_copies(connection, store), *paths, *moved]
    find_parents(connection, store)
    touched = find_doubles(connection, paths, last or 0)
    connection.execute(
        "UPDATE sources SET status = 'idle' "
        "WHERE store = ? AND status = 'ingesting' AND NOT more",
        (store,),
    )
    connection.execute("UPDATE stores SET gap = ? WHERE id = ?", (gap, store))
    return touched - {store}


def put_conversations(
    connection: sqlite3.Connection, store: int, source: int, several: Iterable[Made]
) -> None:
    """Write the conversations of a source, with the lines of each."""
    for made in several:
        (cells,) = fit_to_store([(store, source, *made.row)])
        row = connection.execute(CONVERSATIONS.table.insert, cells).lastrowid
        connection.executemany(
            "INSERT INTO runs VALUES (?, ?, ?, ?)",
            [(source, first, last, row) for first, last in made.runs],
        )


def _settle_one(
    connection: sqlite3.Connection,
    numbers: tuple[int, int],
    where: tuple[bytes, str],
    gap: int,
    *,
    anew: bool,
) -> None:
    """Replace the conversations of one source, all of `anew` or those that changed."""
    store, source = numbers
    if not anew and _settle_listed(connection, numbers, where):
        return
    links = connection.execute(_LINKS, (source,)).fetchall()
    is_same = not _drop_repeated(connection, source) and not anew
    before, sessions = _merged_sessions(connection, store, source)
    envelopes = envelopes_of(_cursor(connection, _ENVELOPES, source))
    listed = _cursor(connection, _LISTED, source)
    names = [column[0] for column in listed.description]
    told = [dict(zip(names, row, strict=True)) for row in listed]
    if told:
        _forget_conversations(connection, source, _ALL_CHANGED)
        messages = _cursor(connection, _SAID, source)
        made = listed_conversations(*where, told, messages, envelopes)
    else:
        same = _ALL_CHANGED
        failed = _find_failures(connection, source)
        if is_same and before == together(sessions).title_facts:
            same = _unchanged(connection, source, failed)
        _forget_conversations(connection, source, same)
        since = (source, same.until)
        times = same.times or Times.of(connection.execute(_TIMES, since))
        messages = connection.execute(_SAID_SINCE, since)
        writes = connection.execute(_WRITES, since).fetchall()
        project = folder_name(same.cwd) if same.cwd else None
        whole = Whole(times, messages, sessions, writes, envelopes, project)
        made = conversations_of(*where, whole, gap)
    put_conversations(connection, store, source, made)
    connection.executemany(_RELINK, links)
    connection.execute(_ALL_TOLD, (source,))
    connection.execute(_SETTLED, (source,))


def _settle_listed(
    connection: sqlite3.Connection, numbers: tuple[int, int], where: tuple[bytes, str]
) -> bool:
    """Replace the listed conversations of a source that changed.

    False if all have to be replaced, or it does not list its conversations.
    """
    store, source = numbers
    (fresh,) = _cursor(connection, _FRESH, source).fetchone()
    if fresh is not None or not _cursor(connection, _LISTS, source).fetchone():
        return False
    changed: dict[str, tuple[int | None, int | None]] = {
        key: (first, last) for key, first, last in _cursor(connection, _CHANGED, source)
    }
    keys = json_text(list(changed))
    rows = connection.execute(_CHANGED_ROWS, (source, keys)).fetchall()
    forget_links(connection, ",".join(str(row) for (row,) in rows))
    for table, column in (("runs", "conversation"), ("conversations", "id")):
        connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", rows)
    listed = connection.execute(_CHANGED_LISTED, (source, keys))
    names = [column[0] for column in listed.description]
    told = [dict(zip(names, row, strict=True)) for row in listed]
    envelopes = envelopes_of(_cursor(connection, _ENVELOPES, source))
    messages = chain.from_iterable(
        connection.execute(_SAID_BETWEEN, (source, *lines))
        for lines in _merged(changed.values())
    )
    made = listed_conversations(*where, told, messages, envelopes, among=changed)
    put_conversations(connection, store, source, made)
    connection.execute(_SETTLED, (source,))
    connection.execute(HAS_DOUBLES, (source,))
    return True


def _merged(several: Iterable[tuple[int | None, int | None]]) -> list[list[int]]:
    """Stretches of lines in order, those that overlap as one."""
    merged: list[list[int]] = []
    stretches = ((a, b) for a, b in several if a is not None and b is not None)
    for first, last in sorted(stretches):
        if merged and first <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], last)
        else:
            merged.append([first, last])
    return merged


class _Same(NamedTuple):
    """The conversations that stay as they are: none, or all but the last one."""

    rows: tuple[int, ...] = ()
    """Their row numbers."""
    until: int = -1
    """The line before the last conversation."""
    cwd: str | None = None
    """The first folder in which one of them was."""
    times: Times | None = None
    """The times of the messages after them."""


_ALL_CHANGED = _Same()


def _unchanged(
    connection: sqlite3.Connection, source: int, changed: Iterable[int]
) -> _Same:
    """All conversations but the last one, if nothing that is new can concern them.

    So it is if that is the last by line and by time, and nothing new is on an earlier
    line or older than its first entry. `changed` are lines that turned out otherwise.
    """
    *others, last = _cursor(connection, _EXTENTS, source).fetchall() or [()]
    if not others:
        return _ALL_CHANGED
    rows, _, lines, _, ends, entries, folders = zip(*others, strict=True)
    _, first_line, _, first_at, *_ = last
    cwd = next((cwd for _, cwd in sorted(zip(rows, folders, strict=True)) if cwd), None)
    if not (max(lines) < first_line and max(ends) < first_at and any(entries) and cwd):
        return _ALL_CHANGED
    until = first_line - 1
    times = Times.of(connection.execute(_TIMES, (source, until)), has_entries=True)
    (fresh,) = _cursor(connection, _FRESH, source).fetchone()
    new = [*changed] if fresh is None else [fresh, *changed]
    begin = times.earliest(new[0]) if new else None
    is_later = begin is None or begin >= first_at
    if min(new, default=first_line) < first_line or not is_later:
        return _ALL_CHANGED
    return _Same(rows, until, cwd, times)


def _find_failures(connection: sqlite3.Connection, source: int) -> list[int]:
    """Note which writes failed, where something new may say so; returns their lines."""
    (may_differ,) = _cursor(connection, _MAY_FAIL, source).fetchone()
    rows = _cursor(connection, _RESULTS, source) if may_differ else ()
    return [line for (line,) in rows]


def _forget_conversations(
    connection: sqlite3.Connection, source: int, same: _Same
) -> None:
    """Delete the conversations of a source but for those that are the same."""
    kept = json_text(same.rows)
    for table, column in (("conversations", "id"), ("runs", "conversation")):
        connection.execute(
            f"DELETE FROM {table} WHERE source = ? AND {column} NOT IN "
            "(SELECT value FROM json_each(?))",
            (source, kept),
        )
    connection.execute(_CLOSE, (kept,))


def _merged_sessions(
    connection: sqlite3.Connection, store: int, source: int
) -> tuple[object, list[Row]]:
    """What titles depended on before, and the transcript's own data in one row."""
    rows = _cursor(connection, _SESSIONS, source).fetchall()
    before = together(rows[:1]).title_facts
    if len(rows) > 1:
        rows = [together(rows).row()]
        connection.execute("DELETE FROM sessions WHERE source = ?", (source,))
        connection.execute(
            TABLES["sessions"].insert,
            (store, source, *rows[0]),
        )
    return before, rows


def _drop_repeated(connection: sqlite3.Connection, source: int) -> bool:
    """Delete queued prompts that were also sent; returns whether there were any."""
    if not _cursor(connection, _WAITED, source).fetchone():
        return False
    prompts = _cursor(connection, _PROMPTS, source).fetchall()
    kept = {row[0] for row in without_repeated(prompts)}
    dropped = [(row[0],) for row in prompts if row[0] not in kept]
    connection.executemany("DELETE FROM messages WHERE ref = ?", dropped)
    return bool(dropped)


def _cursor(
    connection: sqlite3.Connection, question: str, source: int
) -> sqlite3.Cursor:
    """Execute a query about one source."""
    return connection.execute(question, (source,))
