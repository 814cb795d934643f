"""Replace the rows of a changed source, as few as possible."""

import sqlite3
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct, field

from store.catalogue.partial_edges import Said
from store.catalogue.schema import TABLES
from store.catalogue.settle import keys_of, score
from store.derive.texts import Exchange
from store.kinds.memories import MEMORIES
from store.kinds.problems import SOURCE
from store.kinds.table import Cell, Row, fit_to_store
from store.times import horizon

# Replace rows of a source, as few as possible.

Where = tuple[int, int]
"""A store and a source."""

_MEMORY = MEMORIES.table.filled
_OTHERS_TELL = frozenset({"accessed", "accessed_at", "access_count"})
"""For memories that fade, these columns come from another file."""


def exchange(
    connection: sqlite3.Connection,
    where: Where,
    table: str,
    before: Sequence[Row],
    after: Sequence[Row],
) -> None:
    """Replace the rows of a table from the first that differs.

    Each old row is preceded by its row id.
    """
    kept = _alike([row[1:] for row in before], after)
    replace(connection, where, table, before[kept:], after[kept:])


def replace(
    connection: sqlite3.Connection,
    where: Where,
    table: str,
    before: Sequence[Row],
    after: Sequence[Row],
) -> None:
    """Delete the old rows and insert the new ones."""
    connection.executemany(
        f"DELETE FROM {table} WHERE id = ?", [(row[0],) for row in before]
    )
    connection.executemany(TABLES[table].insert, [(*where, *row) for row in after])


def exchange_mentions(
    connection: sqlite3.Connection,
    where: Where,
    before: Sequence[Row],
    after: Sequence[Row],
) -> list[int]:
    """Replace only the mentions between the equal ones at the start and at the end.

    When a line is added or removed, all mentions after it only get another line number.
    Returns the memories that removed mentions referred to.
    """
    old = [row[1:] for row in before]
    first = _alike(old, after)
    last = _alike(_reversed(old[first:]), _reversed(after[first:]))
    ended, ends = len(before) - last, len(after) - last
    connection.executemany(
        "UPDATE mentions SET line = ? WHERE id = ?",
        [
            (now[-1], was[0])
            for was, now in zip(before[ended:], after[ends:], strict=True)
            if was[-1] != now[-1]
        ],
    )
    question = "SELECT memory FROM mentions WHERE id = ? AND memory IS NOT NULL"
    going = before[first:ended]
    led = [connection.execute(question, (row[0],)).fetchone() for row in going]
    replace(connection, where, "mentions", going, after[first:ends])
    return [found[0] for found in led if found]


def without_common(
    before: Sequence[Row], after: Sequence[Row]
) -> tuple[Sequence[Row], Sequence[Row]]:
    """Both lists without their common beginning and end."""
    first = _alike(before, after)
    last = _alike(before[first:][::-1], after[first:][::-1])
    return before[first : len(before) - last], after[first : len(after) - last]


def write_memory(
    connection: sqlite3.Connection, number: Cell, before: Sequence[Cell], after: Row
) -> None:
    """Update one memory.

    Unchanged columns are left out of the UPDATE, as the full-text index would treat
    them as changed.
    """
    old = dict(zip(_MEMORY, before, strict=True))
    new: dict[str, Any] = dict(zip(_MEMORY, after, strict=True))
    kept = _OTHERS_TELL if old["fades"] else ()
    other = {
        name: value
        for name, value in new.items()
        if name not in kept and old[name] != value
    }
    if other:
        terms = ", ".join(f'"{name}" = ?' for name in other)
        update = f"UPDATE memories SET {terms} WHERE id = ?"
        connection.execute(update, (*other.values(), number))


def write_bodies(
    connection: sqlite3.Connection,
    where: Where,
    before: Sequence[Row],
    after: Sequence[Row],
) -> None:
    """Update the texts, matched by line."""
    old = {line: (number, text) for number, line, text in before}
    if len(old) < len(before) or len({line for line, _ in after}) < len(after):
        replace(connection, where, "bodies", before, after)
        return
    for line, text in after:
        number, was = old.pop(line, (None, None))
        if number is None:
            replace(connection, where, "bodies", (), [(line, text)])
        elif was != text:
            update = "UPDATE bodies SET text = ? WHERE id = ?"
            connection.execute(update, (text, number))
    replace(connection, where, "bodies", list(old.values()), ())


def _alike(before: Sequence[Row], after: Sequence[Row]) -> int:
    """How many rows are equal at the beginning."""
    pairs = zip(before, after, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _reversed(mentions: Sequence[Row]) -> list[Row]:
    """The mentions in reverse order, without their lines."""
    return [row[:-1] for row in reversed(mentions)]


# Change the rows of a source in place, and collect what affects other sources.

Tables = Mapping[str, list[Row]]

NEAR = (
    "memories",
    "bodies",
    "claims",
    "episodes",
    "documents",
    "mentions",
    "accesses",
    "measures",
    "problems",
)
"""The tables that can be updated without settling the whole store."""

_NAMES = {table: TABLES[table].filled for table in NEAR}
_SELECT = {
    table: f"SELECT id, {TABLES[table].selected} FROM {table} "
    "WHERE source = ? ORDER BY id"
    for table in NEAR
}

_LINE = _NAMES["claims"].index("line")
_SIDE = _NAMES["claims"].index("side")
_EDGE = _NAMES["claims"].index("edge_id")
_KEY, _CALLED, _TITLE, _FADES = (
    _NAMES["memories"].index(name) for name in ("key", "names", "title", "fades")
)


class Turn(Struct):
    """The changes of some sources that affect others."""

    keys: set[str] = field(default_factory=set[str])
    """The old and new keys of their memories, if others may have them now."""
    own_keys: set[str] = field(default_factory=set[str])
    """The memories' own keys, and the keys whose accesses changed."""
    gone: list[Said] = field(default_factory=list[Said])
    """Claims that were removed."""
    came: list[Said] = field(default_factory=list[Said])
    """Claims that were added."""
    retitled: set[int] = field(default_factory=set[int])
    """Memories with a new title."""
    unmentioned: set[int] = field(default_factory=set[int])
    """Memories that removed mentions referred to."""
    edge_ids: set[str] = field(default_factory=set[str])
    """Identifiers in edge files, old and new."""
    tables: set[str] = field(default_factory=set[str])
    """Tables that had or have rows."""


class Standing(Struct, frozen=True):
    """The rows of a source in the catalogue; none if it is new."""

    source: int
    path: str
    tables: Mapping[str, Sequence[Row]]
    """Each row is preceded by its row id."""

    def note(self, to: Tables, turn: Turn) -> None:
        """Add the old and new keys of its memories to the turn."""
        before = [row[1:] for row in self.tables.get("memories", ())]
        after = fit_to_store(to.get("memories", ()))
        turn.own_keys.update(str(row[_KEY]) for row in (*before, *after))
        if _ends(before) != _ends(after):
            for row in (*before, *after):
                turn.keys.update(keys_of(str(row[_KEY]), self.path, str(row[_CALLED])))
        else:
            pairs = zip(before, after, strict=True)
            names = [(str(one[_CALLED]), str(two[_CALLED])) for one, two in pairs]
            turn.keys.update(
                *(f"{one} {two}".split() for one, two in names if one != two)
            )
        was_told = {row[1:] for row in self.tables.get("accesses", ())}
        told = was_told ^ set(fit_to_store(to.get("accesses", ())))
        turn.own_keys.update(str(row[0]) for row in told)
        turn.tables.update(table for table in NEAR if self.tables.get(table))
        turn.tables.update(to)

    def become(
        self, connection: sqlite3.Connection, store: int, to: Tables, turn: Turn
    ) -> None:
        """Replace the rows of the source; edges are not touched."""
        where = (store, self.source)
        self._become_memories(connection, where, to, turn)
        self._become_claims(connection, where, to, turn)
        for table in NEAR:
            before = self.tables.get(table, ())
            after = fit_to_store(to.get(table, ()))
            match table:
                case "memories" | "bodies" | "claims":
                    pass
                case "mentions":
                    led = exchange_mentions(connection, where, before, after)
                    turn.unmentioned.update(led)
                case "problems":
                    replace(connection, where, table, before, after)
                case _:
                    exchange(connection, where, table, before, after)

    def _become_memories(
        self,
        connection: sqlite3.Connection,
        where: tuple[int, int],
        to: Tables,
        turn: Turn,
    ) -> None:
        before = self.tables.get("memories", ())
        after = fit_to_store(to.get("memories", ()))
        if _ends([row[1:] for row in before]) == _ends(after):
            for (number, *old), new in zip(before, after, strict=True):
                if tuple(old) != new:
                    write_memory(connection, number, old, new)
                if old[_TITLE] != new[_TITLE] and isinstance(number, int):
                    turn.retitled.add(number)
        else:
            replace(connection, where, "memories", before, after)
        bodies = fit_to_store(to.get("bodies", ()))
        write_bodies(connection, where, self.tables.get("bodies", ()), bodies)

    def _become_claims(
        self,
        connection: sqlite3.Connection,
        where: tuple[int, int],
        to: Tables,
        turn: Turn,
    ) -> None:
        before = self.tables.get("claims", ())
        after = fit_to_store(to.get("claims", ()))
        old = [row[1:] for row in before]
        for row in (*old, *after):
            if row[_SIDE] == "file" and row[_EDGE] is not None:
                turn.edge_ids.add(str(row[_EDGE]))
        if old == after:
            return
        lines = _moved_lines(old, after)
        if lines is not None:
            _move_lines(connection, self.source, lines)
            return
        gone, came = without_common(old, after)
        turn.gone += [Said.of(self.source, row) for row in gone]
        turn.came += [Said.of(self.source, row) for row in came]
        replace(connection, where, "claims", before, after)


def stands(connection: sqlite3.Connection, source: int, path: str) -> Standing:
    """The rows of a source in the catalogue."""
    tables = {
        table: connection.execute(question, (source,)).fetchall()
        for table, question in _SELECT.items()
    }
    return Standing(source, path, tables)


def _ends(memories: Sequence[Sequence[Cell]]) -> list[tuple[Cell, Cell]]:
    """The values that must stay the same for memories to keep their rows."""
    return [(row[_KEY], row[_FADES]) for row in memories]


def _moved_lines(
    before: Sequence[Row], after: Sequence[Row]
) -> dict[Cell, Cell] | None:
    """New line numbers by old ones, if nothing else changed; otherwise None."""
    if [row[:_LINE] for row in before] != [row[:_LINE] for row in after]:
        return None
    lines: dict[Cell, Cell] = {}
    for old, new in zip(before, after, strict=True):
        if lines.setdefault(old[_LINE], new[_LINE]) != new[_LINE]:
            return None
    return lines


def _move_lines(
    connection: sqlite3.Connection, source: int, lines: Mapping[Cell, Cell]
) -> None:
    """Update the line numbers of claims and edges."""
    for table in ("claims", "edges"):
        question = f"SELECT id, line FROM {table} WHERE source = ?"
        rows = connection.execute(question, (source,)).fetchall()
        connection.executemany(
            f"UPDATE {table} SET line = ? WHERE id = ?",
            [(lines.get(line, line), row) for row, line in rows],
        )


# Replace some lines of a file; the rows of all other lines only move.
#
# Files with one memory per line are large and change line by line. The rows of changed
# lines are replaced, and the line numbers after them are corrected, so a file of a
# hundred thousand lines need not be read.

LINED = ("memories", "bodies", "problems")
"""The tables that can be updated like this."""

_FEWEST = 2
"""With fewer memories than this in a file, its flaws are those of its only memory."""

_REF, _LINES_KEY, _LINES_FADES, _OWN_ID = map(
    _MEMORY.index, ("ref", "key", "fades", "own_id")
)

_TIMES = [_MEMORY.index(name) for name in ("created_at", "updated_at", "accessed_at")]

_BETWEEN = "source = :source AND line >= :first AND line < :behind"
_ROWS = {
    "memories": f"SELECT id, {', '.join(_MEMORY)} FROM memories WHERE {_BETWEEN}",
    "bodies": f"SELECT id, line, text FROM bodies WHERE {_BETWEEN}",
}
_OF_LINES = f"""
    DELETE FROM problems WHERE source = :source AND origin = '{SOURCE}'
        AND (line IS NULL AND ref IS NULL OR line >= :first AND line < :behind)
"""
_OF_MEMORY = f"""
    DELETE FROM problems
    WHERE ref = ? AND source = ? AND origin = '{SOURCE}' AND line IS NULL
"""
_MOVED = "UPDATE {} SET line = line + :shift WHERE source = :source AND line >= :behind"
_UNDATED = """
    UPDATE memories SET changed_at = :time WHERE source = :source AND updated_at IS NULL
"""

_NUMBER = "SELECT count(*) FROM memories WHERE source = :source"
_LEADING = (
    "SELECT 1 FROM sources JOIN {0} ON {0}.source = sources.id "
    "WHERE sources.store = :store LIMIT 1"
)
_FORBIDDING = (
    *(
        _LEADING.format(table)
        for table in ("edges", "claims", "accesses", "episodes", "mentions")
    ),
    (
        "SELECT 1 FROM problems WHERE path = :path AND store = :store "
        "AND origin NOT IN ('source', 'shared') LIMIT 1"
    ),
)
"""Tables that refer to memories by key, and problems found by comparing records."""

_NAMELESS = """
    SELECT 1 FROM memories
    WHERE source = :source AND line >= :behind AND own_id IS NULL LIMIT 1
"""
"""Memories identified by their line."""

_SHARED = 'SELECT count(*) FROM memories WHERE "key" = ? AND store = ?'


def _is_future(memory: Row) -> bool:
    """Whether a memory has a time in the future, which is a problem."""
    times = (memory[column] for column in _TIMES)
    return any(isinstance(one, int) and one > horizon() for one in times)


class Lined:
    """The rows of some lines of a source in the catalogue."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        where: tuple[int, int],
        exchange: Exchange,
    ) -> None:
        """`where` is the store and the source."""
        self._connection = connection
        self._where = where
        self._terms = {
            "store": where[0],
            "source": where[1],
            "first": exchange.first,
            "behind": exchange.behind,
            "shift": exchange.shift,
        }
        self._old = {
            table: connection.execute(question, self._terms).fetchall()
            for table, question in _ROWS.items()
        }
        (number,) = connection.execute(_NUMBER, self._terms).fetchone()
        self.others = int(number) - len(self._old["memories"])
        """The number of memories on other lines."""

    def is_apart(self, path: bytes, tables: Mapping[str, Sequence[Row]]) -> bool:
        """Whether nothing else depends on these lines, either old or new."""
        if not set(tables) <= set(LINED):
            return False
        old, new = self._old["memories"], fit_to_store(tables.get("memories", ()))
        if self.others + min(len(old), len(new)) < _FEWEST:
            return False
        if any(_is_future(row) for row in new):
            return False
        if any(row[_OWN_ID] is None for row in (*(one[1:] for one in old), *new)):
            return False
        if not self._are_unique([str(row[_LINES_KEY]) for row in new]):
            return False
        forbidding = [*_FORBIDDING, *([_NAMELESS] if self._terms["shift"] else [])]
        terms = {**self._terms, "path": path}
        return not any(
            self._connection.execute(question, terms).fetchone()
            for question in forbidding
        )

    def become(self, tables: Mapping[str, Sequence[Row]], time: int) -> None:
        """Replace the rows; `time` is when the file was modified."""
        new = {table: fit_to_store(tables.get(table, ())) for table in LINED}
        self._forget_problems()
        if self._stays(new["memories"]):
            for (number, *old), now in zip(
                self._old["memories"], new["memories"], strict=True
            ):
                write_memory(self._connection, number, old, now)
            write_bodies(
                self._connection, self._where, self._old["bodies"], new["bodies"]
            )
        else:
            self._exchange(new)
        replace(self._connection, self._where, "problems", (), new["problems"])
        self._connection.execute(_UNDATED, {**self._terms, "time": time})
        self._score([str(row[_LINES_KEY]) for row in new["memories"]])

    def _are_unique(self, keys: Sequence[str]) -> bool:
        """Whether no other line of the store has, or had, one of some keys."""
        old = [str(row[1 + _LINES_KEY]) for row in self._old["memories"]]
        if len(set(keys)) < len(keys) or len(set(old)) < len(old):
            return False
        return all(
            self._connection.execute(_SHARED, (key, self._where[0])).fetchone()[0]
            == (key in old)
            for key in {*keys, *old}
        )

    def _stays(self, new: Sequence[Row]) -> bool:
        """Whether these are the same memories on the same lines."""
        names = [
            (row[1 + _LINES_KEY], row[1 + _LINES_FADES])
            for row in self._old["memories"]
        ]
        return not self._terms["shift"] and names == [
            (row[_LINES_KEY], row[_LINES_FADES]) for row in new
        ]

    def _exchange(self, new: Mapping[str, Sequence[Row]]) -> None:
        for table in ("memories", "bodies"):
            replace(self._connection, self._where, table, self._old[table], ())
        if self._terms["shift"]:
            for table in LINED:
                self._connection.execute(_MOVED.format(table), self._terms)
        for table in ("memories", "bodies"):
            replace(self._connection, self._where, table, (), new[table])

    def _forget_problems(self) -> None:
        self._connection.execute(_OF_LINES, self._terms)
        refs = [(row[1 + _REF], self._where[1]) for row in self._old["memories"]]
        self._connection.executemany(_OF_MEMORY, refs)

    def _score(self, keys: Sequence[str]) -> None:
        """Compute the vigour of the new memories."""
        store, _ = self._where
        question = 'SELECT id FROM memories WHERE "key" = ? AND store = ?'
        rows = [
            row
            for key in keys
            for (row,) in self._connection.execute(question, (key, store))
        ]
        score(self._connection, store, rows)
