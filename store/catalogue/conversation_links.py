"""Links between conversations: their projects, their parents, and copies."""

import os
import sqlite3
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, permutations, takewhile, zip_longest
from operator import itemgetter
from typing import NamedTuple

import orjson

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
from store.catalogue.schema import FILE_NAME, TABLES, last_part
from store.derive.conversations import MINUTE
from store.derive.paths import folder_name, is_slug, project_folder, project_path
from store.findings import without_thoughts
from store.kinds.conversations import CONVERSATIONS
from store.kinds.messages import FAILED, MESSAGES, QUEUED
from store.kinds.table import Row, fit_to_store, holdable, json_text

# Transcripts that are completely contained in another one.

_NEW = "SELECT path FROM sources WHERE store = ? AND is_new"
_SHARED = """
    SELECT group_concat(source) FROM messages WHERE store = ? AND kin IS NOT NULL
    GROUP BY kin HAVING count(*) > 1
"""
_SIZES = """
    SELECT sources.id, sources.path, sources.copy_of, count(messages.kin)
    FROM sources JOIN messages ON messages.source = sources.id
    WHERE sources.store = ? GROUP BY sources.id
"""


class _Transcript(NamedTuple):
    """A transcript that may be contained in another."""

    path: bytes
    copy_of: int | None
    size: int
    """The number of its messages that may also be in another transcript."""

    @property
    def rank(self) -> tuple[int, bytes]:
        """Sorts the largest first, and equal ones by path."""
        return (-self.size, self.path)


def mark_copies(connection: sqlite3.Connection, store: int) -> list[str]:
    """Record for each transcript the larger one that contains all of it, if any.

    Only new transcripts and growing copies can change that. Returns their paths, and
    those of transcripts that became a copy, or no longer are.
    """
    fresh = [path for (path,) in connection.execute(_NEW, (store,))]
    if not fresh:
        return []
    rows = connection.execute(_SIZES, (store,))
    sources = {row: _Transcript(*about) for row, *about in rows}
    shared: Counter[tuple[int, int]] = Counter()
    for (several,) in connection.execute(_SHARED, (store,)):
        among = sorted({int(row) for row in several.split(",")})
        shared.update(permutations(among, 2))
    within: dict[int, int] = {}
    for (part, whole), count in shared.items():
        if count == sources[part].size and sources[whole].rank < sources[part].rank:
            best = within.setdefault(part, whole)
            within[part] = min(best, whole, key=lambda row: sources[row].rank)
    changed = [
        (within.get(row), row)
        for row, transcript in sources.items()
        if within.get(row) != transcript.copy_of
    ]
    connection.executemany("UPDATE sources SET copy_of = ? WHERE id = ?", changed)
    connection.execute(
        "UPDATE sources SET is_new = 0 WHERE store = ? AND is_new", (store,)
    )
    return [
        os.fsdecode(p) for p in (*fresh, *(sources[row].path for _, row in changed))
    ]


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


# Conversations that other programs copied from transcripts.

_COPIED = f"""
    SELECT source, origin, source_file, group_concat(id) FROM conversations
    WHERE origin IN (SELECT value FROM json_each(?1))
        OR origin <> '' AND source IN (SELECT value FROM json_each(?2))
            AND shown_in IS NULL AND EXISTS (
                SELECT 1 FROM sources WHERE {FILE_NAME} = origin
            )
    GROUP BY source, origin, source_file
"""
_SOURCE = "SELECT store, path FROM sources WHERE id = ?"
_TRANSCRIPTS = f"""
    SELECT coalesce(copy_of, sources.id), sources.store, stores.path, sources.path
    FROM sources JOIN stores ON stores.id = sources.store
    WHERE {last_part("sources.path", "/")} = ?1
        AND sources.id IN (SELECT source FROM sessions WHERE origin IS NULL)
    ORDER BY stores.path, sources.path
"""
_PLACE = "SELECT path FROM stores WHERE id = ?"
_IS_TRANSCRIPT = "SELECT 1 FROM sessions WHERE source = ? LIMIT 1"
_SAME_SESSION = """
    SELECT 1 FROM conversations JOIN conversations AS own
    ON own.session = conversations.session WHERE conversations.id = ? AND own.ref = ?
"""
_TALKS = "SELECT ref, first_at, last_at FROM conversations WHERE source = ?"
_DOUBLE = "INSERT INTO doubles (message, shown_in, store, source) VALUES (?, ?, ?, ?)"
_COPIES = "SELECT id, ref, first_at, last_at FROM conversations WHERE id IN ({})"
_ENTRIES = """
    SELECT messages.id, line, at_micros, role, text, tools FROM runs JOIN messages
    ON messages.source = runs.source AND line BETWEEN first_line AND last_line
    WHERE runs.conversation = ? ORDER BY line
"""
_COPIED_MESSAGES = """
    SELECT messages.id FROM runs JOIN messages
    ON messages.source = runs.source AND line BETWEEN first_line AND last_line
    WHERE runs.conversation = ?1 AND (
        kin IN (SELECT kin FROM messages WHERE source = ?2 AND kin IS NOT NULL)
        OR kin IS NULL AND (kind, text) IN (
            SELECT kind, text FROM messages WHERE source = ?2 AND kin IS NULL
        )
    )
"""
"""The messages of a copied transcript that its original has as well."""
_SPOKEN = """
    SELECT at_micros, role, id FROM messages
    WHERE source = ? AND at_micros IS NOT NULL AND role IS NOT NULL ORDER BY at_micros
"""
_FORGET = (
    "UPDATE conversations SET shown_as = NULL, shown_in = NULL WHERE id IN ({})",
    """DELETE FROM doubles WHERE message IN (SELECT messages.id FROM runs JOIN messages
        ON messages.source = runs.source AND line BETWEEN first_line AND last_line
        WHERE runs.conversation IN ({}))""",
    """DELETE FROM problems WHERE origin = 'copy' AND ref IN
        (SELECT ref FROM conversations WHERE id IN ({}))""",
)
_LINK = "UPDATE conversations SET shown_as = ?, shown_in = ? WHERE id = ?"
_DIFFERS = (
    "INSERT INTO problems (store, source, origin, path, ref, code, severity, line, "
    "message) VALUES (?, ?, 'copy', ?, ?, 'differs-from-transcript', 'warning', ?, ?)"
)


class _Original(NamedTuple):
    """The transcript that conversations were copied from."""

    source: int
    store: int
    place: bytes
    path: bytes

    def is_at(self, file: str | None) -> bool:
        """Whether a path that its copy gives may be its own."""
        whole = b"/".join((self.place, self.path))
        return file is None or whole.endswith(b"/" + os.fsencode(holdable(file)))

    def nearness(self, store: int, place: bytes) -> tuple[bool, int]:
        """How near it is to the store of a copy; a backup has its own originals."""
        folders = zip(self.place.split(b"/"), place.split(b"/"), strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], folders))
        return (self.store == store, shared)


def find_doubles(
    connection: sqlite3.Connection, paths: Iterable[str], rebuilt: Iterable[int]
) -> set[int]:
    """Link copies of conversations to their transcripts; returns the copies' stores.

    Those are the copies of transcripts at some paths, and all in some sources.
    """
    names = sorted({holdable(path.rpartition("/")[2]) for path in paths})
    terms = (json_text(names), json_text(sorted(rebuilt)))
    touched: set[int] = set()
    for source, origin, file, ids in connection.execute(_COPIED, terms).fetchall():
        for question in _FORGET:
            connection.execute(question.format(ids))
        store, path = connection.execute(_SOURCE, (source,)).fetchone()
        rows = connection.execute(_TRANSCRIPTS, (origin,))
        originals = (_Original(*row) for row in rows.fetchall())
        (place,) = connection.execute(_PLACE, (store,)).fetchone()
        found = max(
            (o for o in originals if o.source != source and o.is_at(file)),
            key=lambda original: original.nearness(store, place),
            default=None,
        )
        if found:
            copy = _Copy(store, source, path, is_whole=file is not None)
            is_exact = connection.execute(_IS_TRANSCRIPT, (source,)).fetchone()
            link = _link_transcript if is_exact else _link
            link(connection, copy, ids, found)
        connection.execute(
            "UPDATE sources SET has_doubles = EXISTS (SELECT 1 FROM doubles "
            "WHERE doubles.source = sources.id) WHERE id = ?",
            (source,),
        )
        touched.add(store)
    return touched


class _Copy(NamedTuple):
    """A source with copied conversations."""

    store: int
    source: int
    path: bytes
    is_whole: bool
    """Whether it should have nothing that the transcript has not."""


def _link(
    connection: sqlite3.Connection, copy: _Copy, ids: str, original: _Original
) -> None:
    """Link the copies of the conversations of one transcript, message by message."""
    talks = connection.execute(_TALKS, (original.source,)).fetchall()
    spoken = _Spoken(connection, original.source)
    near = 0 if copy.is_whole else _AT_ONCE
    for row, ref, *times in connection.execute(_COPIES.format(ids)).fetchall():
        talk = _overlapping(times, talks, near)
        if talk is None:
            continue
        entries = connection.execute(_ENTRIES, (row,)).fetchall()
        same = {entry[0] for entry in entries if spoken.has(near, *entry[2:])}
        if same or not entries or not copy.is_whole:
            connection.execute(_LINK, (talk, original.store, row))
            doubles = [(one, original.store, copy.store, copy.source) for one in same]
            connection.executemany(_DOUBLE, doubles)
        other = [entry[1] for entry in entries if entry[0] not in same]
        if other and copy.is_whole:
            message = (
                f"{len(other)} of its {len(entries)} entries differ from the "
                f"transcript {os.fsdecode(original.path)}."
            )
            cells = (copy.store, copy.source, copy.path, ref, other[0], message)
            connection.execute(_DIFFERS, fit_to_store([cells])[0])


def _link_transcript(
    connection: sqlite3.Connection, copy: _Copy, ids: str, original: _Original
) -> None:
    """Link the conversations of a copied transcript, message by message.

    A conversation of another session that shares no message with the original is
    listed by itself.
    """
    talks = connection.execute(_TALKS, (original.source,)).fetchall()
    for row, _, *times in connection.execute(_COPIES.format(ids)).fetchall():
        talk = _overlapping(times, talks, _AT_ONCE)
        same = connection.execute(_COPIED_MESSAGES, (row, original.source)).fetchall()
        if talk and (same or connection.execute(_SAME_SESSION, (row, talk)).fetchone()):
            connection.execute(_LINK, (talk, original.store, row))
            doubles = [
                (one, original.store, copy.store, copy.source) for (one,) in same
            ]
            connection.executemany(_DOUBLE, doubles)


def _overlapping(
    times: Sequence[int | None],
    talks: Iterable[tuple[str, int | None, int | None]],
    near: int,
) -> str | None:
    """The ref of the conversation that shares most time with another one.

    They may be as far apart as `near`.
    """
    first, last = times
    best: tuple[int, str | None] = (-1 - near, None)
    for ref, begin, end in talks:
        if None not in {first, last, begin, end}:
            shared = min(last or 0, end or 0) - max(first or 0, begin or 0)
            best = max(best, (shared, ref), key=itemgetter(0))
    return best[1]


_NEAR = 10 * MINUTE
"""How much later or earlier a copy may say that a message was written."""
_AT_ONCE = 2_000_000
"""How much later a transcript has a prompt, which it may spell in another way."""
_COMPARED = 1000
"""The characters of a paragraph that are compared: long texts are cut off."""
_USED = "[Used tools: "
"""What a copy adds to the words of a message that calls tools."""


class _Spoken:
    """The messages of a transcript by time, to be compared with copies."""

    def __init__(self, connection: sqlite3.Connection, source: int) -> None:
        self._connection = connection
        rows = connection.execute(_SPOKEN, (source,)).fetchall()
        self._times = [at for at, _, _ in rows]
        self._rows = [(role, row) for _, role, row in rows]

    def has(  # the columns of a message
        self, near: int, at: int | None, role: str | None, text: str, tools: str | None
    ) -> bool:
        """Whether a message of about that time has the same words, or calls.

        A message that is as near as `near` is the same, whatever its words.
        """
        words = [part for part in _paragraphs(text) if not part.startswith(_USED)]
        calls = set(orjson.loads(tools or "[]"))
        return any(
            abs((at or 0) - self._times[place]) < near
            or _is_same(words, calls, *self._message(place))
            for place in self._nearest(at)
            if self._rows[place][0] == role
        )

    def _nearest(self, at: int | None) -> Iterator[int]:
        """The messages around a time, beginning with the one that it was written in."""
        if at is None:
            return
        middle = bisect_right(self._times, at)
        before = range(middle - 1, bisect_left(self._times, at - _NEAR) - 1, -1)
        after = range(middle, bisect_right(self._times, at + _NEAR))
        for pair in zip_longest(before, after):
            yield from (place for place in pair if place is not None)

    def _message(self, place: int) -> tuple[str, str, str | None]:
        question = "SELECT kind, text, tools FROM messages WHERE id = ?"
        return self._connection.execute(question, self._rows[place][1:]).fetchone()


def _is_same(
    words: list[str], calls: set[str], kind: str, text: str, tools: str | None
) -> bool:
    """Whether one of two messages has all words of the other, or all calls."""
    if not words:
        return calls <= set(orjson.loads(tools or "[]"))
    said = _paragraphs(without_thoughts(kind, text)[0])
    return bool(said) and (_contains(said, words) or _contains(words, said))


def _contains(some: list[str], others: list[str]) -> bool:
    whole = " ".join(some)
    return all(part[:_COMPARED] in whole for part in others)


def _paragraphs(text: str) -> list[str]:
    parts = (" ".join(part.split()) for part in text.split("\n\n"))
    return [part for part in parts if part]


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
    for source, path in again:
        about = (place, os.fsdecode(path))
        _settle_one(connection, (store, source), about, gap, anew=anew)
    paths = [os.fsdecode(path) for _, path in again]
    find_projects(connection, store, place, chain(paths, moved))
    paths = [*mark_copies(connection, store), *paths, *moved]
    find_parents(connection, store)
    touched = find_doubles(connection, paths, [source for source, _ in again])
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
