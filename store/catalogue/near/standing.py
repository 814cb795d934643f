"""The rows of a source, changed where they stand, and what others notice of that."""

import sqlite3
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from store.catalogue.keys import keys_of
from store.catalogue.near.claims import Said
from store.catalogue.near.rows import (
    exchange,
    exchange_mentions,
    replace,
    without_common,
    write_bodies,
    write_memory,
)
from store.catalogue.rows.cells import Cell, Row, fit_to_store
from store.catalogue.rows.source import COLUMNS

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
"""The tables whose rows can be put together with what lies around them."""

_NAMES = {table: COLUMNS[table].replace('"', "").split() for table in NEAR}
_SELECT = {
    table: f"SELECT id, {', '.join(COLUMNS[table].split())} FROM {table} "
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
    """What is other than before about some sources, as far as it concerns others."""

    keys: set[str] = field(default_factory=set[str])
    """The keys that their memories had or have, as far as others may have them now."""
    own_keys: set[str] = field(default_factory=set[str])
    """Those of them that are the memories' own, and those that accesses are told of."""
    gone: list[Said] = field(default_factory=list[Said])
    """The claims that are no longer made."""
    came: list[Said] = field(default_factory=list[Said])
    """The claims that are made now."""
    retitled: set[int] = field(default_factory=set[int])
    """The memories that are called otherwise."""
    unmentioned: set[int] = field(default_factory=set[int])
    """The memories that were mentioned by rows that are gone."""
    edge_ids: set[str] = field(default_factory=set[str])
    """The identifiers that edge files had or have."""
    tables: set[str] = field(default_factory=set[str])
    """Those in which something was or is."""


class Standing(Struct, frozen=True):
    """What the catalogue holds of a source: nothing yet of a new one."""

    source: int
    path: str
    tables: Mapping[str, Sequence[Row]]
    """Each row with its number first."""

    def note(self, to: Tables, turn: Turn) -> None:
        """Note by what its memories went, and by what they will go."""
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
        """Have the catalogue hold this instead; edges are left as they are."""
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
    """What the catalogue holds of a source."""
    tables = {
        table: connection.execute(question, (source,)).fetchall()
        for table, question in _SELECT.items()
    }
    return Standing(source, path, tables)


def _ends(memories: Sequence[Sequence[Cell]]) -> list[tuple[Cell, Cell]]:
    """What has to be the same for rows of memories to stay the same rows."""
    return [(row[_KEY], row[_FADES]) for row in memories]


def _moved_lines(
    before: Sequence[Row], after: Sequence[Row]
) -> dict[Cell, Cell] | None:
    """Which line each line is now, where nothing but lines is other than before."""
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
    """Lines that something was put before are others now."""
    for table in ("claims", "edges"):
        question = f"SELECT id, line FROM {table} WHERE source = ?"
        rows = connection.execute(question, (source,)).fetchall()
        connection.executemany(
            f"UPDATE {table} SET line = ? WHERE id = ?",
            [(lines.get(line, line), row) for row, line in rows],
        )
