"""The same conversation in several sources: find which is a copy of which."""

import os
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, takewhile, zip_longest
from operator import itemgetter
from typing import NamedTuple

import orjson

from store.catalogue.schema import FILE_NAME, last_part
from store.derive.conversations import MINUTE
from store.findings import without_thoughts
from store.kinds.table import fit_to_store, holdable, json_text

# Transcripts that are completely contained in another one.

_NEW = "SELECT path FROM sources WHERE store = ? AND is_new"
_KIN_OF = "SELECT kin FROM messages WHERE source = sources.id AND kin IS NOT NULL"
_ENDS = f"""
    SELECT id, ({_KIN_OF} ORDER BY line LIMIT 1) AS first,
        ({_KIN_OF} ORDER BY line DESC LIMIT 1) AS last
    FROM sources WHERE store = ?1
"""
_MET = f"""
    WITH ends AS ({_ENDS}), either AS (
        SELECT id, first AS kin, first <> last AS has_both FROM ends
        UNION ALL SELECT id, last, 1 FROM ends WHERE first <> last
    )
    SELECT either.id, messages.source FROM messages CROSS JOIN either USING (kin)
    WHERE messages.store = ?1 AND messages.source <> either.id
    GROUP BY either.id, messages.source
    HAVING count(DISTINCT messages.kin) > max(has_both)
"""
"""The transcripts whose first and last message another one has too, and that one.

Few are, so that all of their messages can be compared, without an index of all.
"""
_SIZES = """
    SELECT sources.id, sources.path, sources.copy_of, count(messages.kin)
    FROM sources JOIN messages ON messages.source = sources.id
    WHERE sources.store = ?1 AND (sources.copy_of IS NOT NULL
        OR sources.id IN (SELECT value FROM json_each(?2)))
    GROUP BY sources.id
"""
_IN_BOTH = """
    SELECT count(DISTINCT kin) FROM messages
    WHERE source = ? AND kin IN (SELECT kin FROM messages WHERE source = ?)
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
    met = connection.execute(_MET, (store,)).fetchall()
    some = orjson.dumps(sorted(set(chain.from_iterable(met)))).decode()
    rows = connection.execute(_SIZES, (store, some))
    sources = {row: _Transcript(*about) for row, *about in rows}
    within: dict[int, int] = {}
    for part, whole in sorted(met, key=lambda pair: sources[pair[1]].rank):
        if part not in within and sources[whole].rank < sources[part].rank:
            (count,) = connection.execute(_IN_BOTH, (part, whole)).fetchone()
            if count == sources[part].size:
                within[part] = whole
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


# Conversations that other programs copied from transcripts.

_HAS_ORIGIN = "SELECT 1 FROM conversations WHERE origin IS NOT NULL LIMIT 1"
_COPIED = f"""
    SELECT source, origin, source_file, group_concat(id) FROM conversations
    WHERE origin IN (SELECT value FROM json_each(?1))
        OR origin <> '' AND id > ?2 AND shown_in IS NULL AND EXISTS (
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
HAS_DOUBLES = (
    "UPDATE sources SET has_doubles = EXISTS (SELECT 1 FROM doubles "
    "WHERE doubles.source = sources.id) WHERE id = ?"
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
    connection: sqlite3.Connection, paths: Iterable[str], since: int
) -> set[int]:
    """Link copies of conversations to their transcripts; returns the copies' stores.

    Those are the copies of transcripts at some paths, and all after a row.
    """
    if connection.execute(_HAS_ORIGIN).fetchone() is None:
        return set()
    names = sorted({holdable(path.rpartition("/")[2]) for path in paths})
    terms = (json_text(names), since)
    touched: set[int] = set()
    for source, origin, file, ids in connection.execute(_COPIED, terms).fetchall():
        forget_links(connection, ids)
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
        connection.execute(HAS_DOUBLES, (source,))
        touched.add(store)
    return touched


def forget_links(connection: sqlite3.Connection, ids: str) -> None:
    """Unlink some copies of conversations from their transcripts."""
    for question in _FORGET:
        connection.execute(question.format(ids))


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
