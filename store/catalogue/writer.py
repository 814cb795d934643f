"""Write what was read from one source: delete old rows, insert new ones."""

import os
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import groupby
from operator import itemgetter

from msgspec.structs import replace

from store.catalogue.conversation_links import put_conversations
from store.catalogue.read import SourceRows
from store.catalogue.schema import OF_SOURCE, TABLES
from store.catalogue.sources import Known
from store.findings import Replaced
from store.formats.port import Source
from store.kinds.messages import MESSAGES, envelopes, found_again
from store.kinds.problems import TAIL
from store.kinds.table import Cell, Origin, Row, fit_to_store, json_text
from store.transcript.messages import join

# Combine messages whose lines were read in several pieces.
#
# A message of a model spans several lines, and a file may be read in pieces or while it
# grows. In any case, one message becomes one row.

_NAMES = MESSAGES.table.filled
_ENVELOPES = TABLES["envelopes"]

_FAR = 20_000
"""The most lines between two parts of a message."""

_SPLIT = (
    "SELECT ref FROM messages WHERE source = ? AND line >= ? AND role = 'assistant' "
    "GROUP BY ref HAVING count(*) > 1"
)
_PARTS = (
    f"SELECT messages.id, {', '.join(f'messages.{name}' for name in _NAMES)}, "
    f"{', '.join(f'envelopes.{name}' for name in _ENVELOPES.filled)} FROM messages "
    "JOIN envelopes ON envelopes.source = messages.source "
    "AND envelopes.number = messages.envelope "
    "WHERE messages.source = ? AND messages.ref = ? AND messages.line >= ? "
    "AND role = 'assistant' ORDER BY messages.line, messages.id"
)
_KEPT = (
    f"UPDATE messages SET {', '.join(f'{name} = ?' for name in _NAMES)} WHERE id = ?"
)
_WRITTEN = """
    UPDATE writes SET line = ?1 WHERE source = ?2 AND line = ?3 AND (
        call IN (SELECT value FROM json_each(?4))
        OR call = '' AND NOT EXISTS (
            SELECT 1 FROM messages WHERE source = ?2 AND line = ?3
        )
    )
"""
"""Moves the writes of a part to the first line; its line may have other messages."""
_UNUSED = (
    "DELETE FROM envelopes WHERE source = ?1 AND number = ?2 AND NOT EXISTS "
    "(SELECT 1 FROM messages WHERE source = ?1 AND envelope = ?2)"
)


def put_together(
    connection: sqlite3.Connection, store: int, source: int, line: int
) -> int:
    """Combine all messages with a part at or after a line into one row each.

    Returns the first line that changed, which is that line or one before.
    """
    near = (source, line - _FAR)
    names = [name for (name,) in connection.execute(_SPLIT, near).fetchall()]
    lines = [_join(connection, store, (source, name, near[1])) for name in names]
    return min([line, *lines])


def _join(
    connection: sqlite3.Connection, store: int, parts_of: tuple[int, str, int]
) -> int:
    """Merge the other rows of a message into the first; returns its line."""
    source = parts_of[0]
    cursor = connection.execute(_PARTS, parts_of)
    names = [column[0] for column in cursor.description]
    rows = [dict(zip(names, row, strict=True)) for row in cursor]
    whole = reduce(join, map(found_again, rows))
    (kept,) = MESSAGES.table.rows([whole], Origin(b"", ""))
    connection.execute(_KEPT, (rows[0]["ref"], *kept[1:], rows[0]["id"]))
    connection.executemany(
        "DELETE FROM messages WHERE id = ?", [(row["id"],) for row in rows[1:]]
    )
    connection.executemany(
        _WRITTEN, [(whole.line, source, row["line"], row["calls"]) for row in rows[1:]]
    )
    kept_envelopes = envelopes([whole])
    connection.executemany(
        _ENVELOPES.insert, [(store, source, *row) for row in kept_envelopes]
    )
    numbers = {row["envelope"] for row in rows} - {row[0] for row in kept_envelopes}
    connection.executemany(_UNUSED, [(source, number) for number in numbers])
    return whole.line


# Replace some rows of a source that was compared with what was read of it before.
#
# Rows that are as before stay, so that only words that changed are indexed again. The
# conversations with other messages, or other runs of them, are noted to be settled.

_REPLACED = tuple(
    table
    for table in OF_SOURCE
    if table
    not in {
        *("messages", "envelopes", "doubles", "listed", "problems"),
        *("conversations", "runs", "unsettled"),
    }
)
"""The tables of which a comparison replaces all rows of a source."""
_COMPLAINTS = "DELETE FROM problems WHERE source = ? AND origin = 'source' AND line "
_SAID = (
    f"SELECT id, {', '.join(_NAMES)} FROM messages "
    "WHERE source = ? AND line BETWEEN ? AND ? ORDER BY line, id"
)
_BESIDE = "SELECT line, conversation_key FROM messages WHERE source = ? AND line {} ? "
_BESIDES = (
    _BESIDE.format("<") + "ORDER BY line DESC, id DESC LIMIT 1",
    _BESIDE.format(">") + "ORDER BY line, id LIMIT 1",
)
_OTHER_NAMES = [name for name in _NAMES if name != "text"]
_UPDATE = f"UPDATE messages SET {' = ?, '.join(_OTHER_NAMES)} = ? WHERE id = ?"
"""Keeps the text, which would be indexed again."""
_REPLACE = _UPDATE.replace("SET ", "SET text = ?, ")
_LISTED = TABLES["listed"]
_TOLD = (
    f"SELECT id, {_LISTED.selected} FROM listed WHERE source = ?1 AND (EXISTS ("
    "SELECT 1 FROM json_each(?2) WHERE line BETWEEN json_extract(value, '$[0]') "
    "AND json_extract(value, '$[1]')) "
    "OR line IS NULL AND key IN (SELECT value FROM json_each(?3)))"
)
_REF, _LINE, _TEXT, _KEY, _ENVELOPE = map(
    _NAMES.index, ("ref", "line", "text", "conversation_key", "envelope")
)
_KEY_OF_LISTED = _LISTED.filled.index("key")

Where = tuple[int, int]
"""A store and a source."""


def exchanged(
    connection: sqlite3.Connection, where: Where, rows: SourceRows, replaced: Replaced
) -> tuple[SourceRows, set[Cell]]:
    """Delete or update the rows that these replace.

    Returns those to be inserted, and the envelopes that may be unused then.
    """
    source, tables, run = where[1], dict(rows.tables), connection.execute
    if replaced.begins:
        for table in _REPLACED:
            run(f"DELETE FROM {table} WHERE source = ?", (source,))
        run(f"{_COMPLAINTS} IS NULL", (source,))
    for lines in replaced.conversations:
        run(f"{_COMPLAINTS} BETWEEN ? AND ?", (source, *lines))
    changed = _exchange_listed(connection, source, replaced, tables)
    said, tables["messages"] = tables.get("messages", []), []
    unused: set[Cell] = set()
    for first, last in replaced.messages:
        begin = bisect_left(said, first, key=_line_of)
        part = said[begin : bisect_right(said, last, begin, key=_line_of)]
        exchange = _Exchange(connection, source, (first, last), part)
        tables["messages"] += exchange.write()
        changed += exchange.changed()
        unused |= exchange.envelopes
    connection.executemany(
        "INSERT INTO unsettled (store, source, key, first_line, last_line) "
        "VALUES (?, ?, ?, ?, ?)",
        [(*where, *one) for one in changed],
    )
    rest = {name: some for name, some in tables.items() if some}
    return replace(rows, tables=rest), unused - {row[_ENVELOPE] for row in said}


Changed = tuple[str, int | None, int | None]
"""The key of a changed conversation, and lines between which it has messages."""


def _exchange_listed(
    connection: sqlite3.Connection,
    source: int,
    replaced: Replaced,
    tables: dict[str, list[Row]],
) -> list[Changed]:
    """Delete the listed conversations that changed; leaves the new ones in `tables`."""
    new = {row[_KEY_OF_LISTED]: row for row in tables.get("listed", ())}
    ranges, keys = json_text(replaced.conversations), json_text(replaced.keys)
    gone: list[tuple[int]] = []
    changed: list[Changed] = []
    for number, *cells in connection.execute(_TOLD, (source, ranges, keys)):
        key = cells[_KEY_OF_LISTED]
        if new.get(key) == tuple(cells):
            del new[key]
        else:
            gone.append((number,))
            changed.append((key, None, None))
    connection.executemany("DELETE FROM listed WHERE id = ?", gone)
    tables["listed"] = list(new.values())
    return [*changed, *((str(key), None, None) for key in new)]


class _Exchange:
    """Replaces the messages between two lines."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        source: int,
        lines: tuple[int, int],
        new: Sequence[Row],
    ) -> None:
        self._connection, self._new = connection, new
        self._old = connection.execute(_SAID, (source, *lines)).fetchall()
        asked = zip(_BESIDES, lines, strict=True)
        beside = (connection.execute(sql, (source, line)) for sql, line in asked)
        self._before, self._after = (found.fetchall() for found in beside)
        self._keys: set[str] = set()
        """The conversations with other messages than before."""
        self.envelopes: set[Cell] = set()
        """The envelopes of messages that changed."""

    def write(self) -> list[Row]:
        """Delete and update messages; returns those to be inserted."""
        run = self._connection.execute
        waiting = {row[_REF]: row for row in self._new}
        for number, *cells in self._old:
            row = waiting.pop(cells[_REF], None)
            if row == tuple(cells):
                continue
            self.envelopes.add(cells[_ENVELOPE])
            self._keys |= {str(one[_KEY]) for one in (cells, row) if one}
            run("DELETE FROM doubles WHERE message = ?", (number,))
            if row is None:
                run("DELETE FROM messages WHERE id = ?", (number,))
            elif row[_TEXT] == cells[_TEXT]:
                run(_UPDATE, (*row[:_TEXT], *row[_TEXT + 1 :], number))
            else:
                run(_REPLACE, (row[_TEXT], *row[:_TEXT], *row[_TEXT + 1 :], number))
        self._keys |= {str(row[_KEY]) for row in waiting.values()}
        return list(waiting.values())

    def changed(self) -> list[Changed]:
        """The conversations with other messages, or with other runs of messages."""
        old = self._runs((row[_LINE + 1], row[_KEY + 1]) for row in self._old)
        new = self._runs((_line_of(row), str(row[_KEY])) for row in self._new)
        keys = self._keys.union(key for key, *_ in {*old} ^ {*new})
        met: dict[str, list[int]] = {}
        for key, *lines in (*old, *new):
            met.setdefault(key, []).extend(lines)
        return [(key, min(met[key]), max(met[key])) for key in keys]

    def _runs(self, several: Iterable[tuple[int, str]]) -> list[tuple[str, int, int]]:
        """The conversation, first and last line of each run of messages."""
        lines = [*self._before, *several, *self._after]
        groups = [list(group) for _, group in groupby(lines, itemgetter(1))]
        return [(group[0][1], group[0][0], group[-1][0]) for group in groups]


def _line_of(row: Row) -> int:
    """The line of a message."""
    line = row[_LINE]
    return line if isinstance(line, int) else 0


# Write one source at a time: delete old rows, insert new ones.


_FRESH = """
    UPDATE sources SET fresh_from = min(coalesce(fresh_from, ?1), ?1) WHERE id = ?2
"""
"""Records the first line with a message of which its conversation does not know."""


FORGET_PAIRS = (
    "DELETE FROM problems WHERE other IN (SELECT ref FROM memories WHERE source = ?)"
)
"""Deletes the problems of other sources about two memories, of which one is here."""


class Writer:
    """Writes the rows of sources; the caller manages the transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def put(
        self, store: int, source: Source, rows: SourceRows, known: Known | None
    ) -> Known:
        """Write the rows of a source; returns its new entry."""
        if known is None:
            return self.put_new(store, [(source, rows)])[0]
        values = _values(source, rows)
        self._connection.execute(
            "UPDATE sources SET role = ?, size = ?, mtime_ns = ?, inode = ?, "
            "offset = ?, noted = ?, more = ?, status = ?, newlines = NULL, "
            "fresh_from = CASE WHEN ? THEN fresh_from ELSE ? END, "
            "is_new = is_new OR ? OR copy_of IS NOT NULL WHERE id = ?",
            (*values[:-2], rows.goes_on, *values[-2:], known.row),
        )
        if rows.replaced:
            rest, unused = exchanged(
                self._connection, (store, known.row), rows, rows.replaced
            )
            self._add(store, [(known.row, rest)])
            self._connection.executemany(
                _UNUSED, [(known.row, envelope) for envelope in unused]
            )
            return Known(known.row, source.role, source.stamp, rows.mark, rows.more)
        if rows.goes_on:
            self._forget_tail(known.row)
        else:
            self._clear([known.row])
        self._add(store, [(known.row, rows)])
        messages = rows.tables.get("messages")
        if rows.goes_on and messages:
            first = int(messages[0][_LINE] or 0)
            first = put_together(self._connection, store, known.row, first)
            self._connection.execute(_FRESH, (first, known.row))
        return Known(known.row, source.role, source.stamp, rows.mark, rows.more)

    def put_new(
        self, store: int, several: Sequence[tuple[Source, SourceRows]]
    ) -> list[Known]:
        """Write sources that are new, one table after the other; returns their entries.

        A statement for all sources takes half the time of one for each.
        """
        (last,) = self._connection.execute("SELECT max(id) FROM sources").fetchone()
        placed = list(enumerate(several, (last or 0) + 1))
        self._connection.executemany(
            "INSERT INTO sources "
            "(role, size, mtime_ns, inode, offset, noted, more, status, "
            "fresh_from, is_new, store, path, id) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (*_values(source, rows), store, os.fsencode(source.path), row)
                for row, (source, rows) in placed
            ],
        )
        self._add(store, [(row, rows) for row, (_, rows) in placed])
        return [
            Known(row, source.role, source.stamp, rows.mark, rows.more)
            for row, (source, rows) in placed
        ]

    def remove(self, sources: Iterable[Known]) -> None:
        """Delete sources that no longer exist."""
        rows = [known.row for known in sources]
        self._clear(rows)
        marks = [(row,) for row in rows]
        self._connection.executemany(
            "UPDATE sources SET copy_of = NULL, is_new = 1 WHERE copy_of = ?", marks
        )
        self._connection.executemany("DELETE FROM sources WHERE id = ?", marks)

    def _forget_tail(self, source: int) -> None:
        """Delete the problems at the end of a source, which may be fixed by now."""
        self._connection.execute(
            "DELETE FROM problems WHERE source = ? AND origin = ?", (source, TAIL)
        )

    def _clear(self, sources: list[int]) -> None:
        """Delete the rows of sources; edges from others to their memories break."""
        marks = [(row,) for row in sources]
        for end in ("start", '"end"'):
            self._connection.executemany(
                f"UPDATE edges SET {end} = NULL WHERE {end} IN "
                "(SELECT id FROM memories WHERE source = ?)",
                marks,
            )
        self._connection.executemany(FORGET_PAIRS, marks)
        for table in OF_SOURCE:
            self._connection.executemany(f"DELETE FROM {table} WHERE source = ?", marks)

    def _add(self, store: int, several: Sequence[tuple[int, SourceRows]]) -> None:
        """Insert the rows of sources, and the conversations built from them."""
        tables: dict[str, list[Row]] = {}
        for source, rows in several:
            for table, cells in rows.tables.items():
                placed = [(store, source, *row) for row in cells]
                tables.setdefault(table, []).extend(placed)
        for table, placed in tables.items():
            self._insert(TABLES[table].insert, placed)
        for source, rows in several:
            if rows.conversations:
                put_conversations(self._connection, store, source, rows.conversations)

    def _insert(self, statement: str, rows: list[Row]) -> None:
        """Insert rows; text that SQLite cannot store is fixed first."""
        before = self._connection.total_changes
        try:
            self._connection.executemany(statement, rows)
        except UnicodeEncodeError:
            done = self._connection.total_changes - before
            self._connection.executemany(statement, fit_to_store(rows[done:]))


def _values(source: Source, rows: SourceRows) -> tuple[object, ...]:
    """What the index says of a source after it was read."""
    talks = "messages" in rows.tables or "listed" in rows.tables or rows.goes_on
    waits = rows.more or (talks and rows.conversations is None)
    status = "ingesting" if waits else "idle"
    is_new = bool(talks) and not rows.goes_on
    fresh = 0 if waits else None
    return (source.role, *source.stamp, *rows.mark, rows.more, status, fresh, is_new)
