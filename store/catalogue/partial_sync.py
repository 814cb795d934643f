"""After our own edits: read only the changed files, and update what depends on them."""

import os
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import NamedTuple

from msgspec import Struct

from store.catalogue.annotations import notice_near
from store.catalogue.checks import check_near, offer_fixes, share_rows
from store.catalogue.database import transaction
from store.catalogue.partial_edges import (
    Claims,
    Edges,
    Holders,
    Meanings,
    resolve_links,
)
from store.catalogue.partial_rows import NEAR, Lined, Standing, Turn, stands
from store.catalogue.read import SourceRows, rows_of
from store.catalogue.reader import Lines, Place, Stood, is_known
from store.catalogue.schema import TABLES
from store.catalogue.settle import (
    COLUMNS,
    About,
    concern_edges,
    count_links,
    name_apart,
    score,
)
from store.catalogue.sources import SETTLED, Known, Sources
from store.catalogue.sync import kinds_shown, note_move
from store.catalogue.writer import FORGET_PAIRS, Writer
from store.derive.conversations import USUAL
from store.derive.texts import Exchange, count_lines, exchanged
from store.discover import Found
from store.edits.draft import AppendStep, FileStep, Step
from store.edits.plan import Planned
from store.errors import UnreadableError
from store.files.beneath import Root, Stamp, stamp_of
from store.findings import START, Mark
from store.formats.port import OpenStore, Source
from store.kinds.table import Row, holdable, ref
from store.times import clock

# Update everything that depends on a few changed sources.
#
# The result is the same as settling the whole store. What depends on the sources is
# found from the memories that their keys refer to, now and before: edges and links that
# have other targets, the memories at their ends, and whatever the checks compare.

_SOURCE, _START, _END = map(COLUMNS.index, ("source", "start", "end"))

_OF = "SELECT source FROM {} = ?1 AND +store = ?2"
_OF_MEMORY = _OF.format("memories WHERE id")
_FROM, _TO = _OF.format("edges WHERE start"), _OF.format('edges WHERE "end"')
_OF_EDGE = _OF.format("claims WHERE edge_id")
_OF_ACCESS = _OF.format('accesses WHERE "key"')
_ALIKE = """
    SELECT others.source FROM memories JOIN memories AS others
    ON others."key" = memories."key" AND others.store = memories.store
    WHERE memories.source = ?1 AND +memories.store = ?2
"""


class Neighbourhood(Struct, frozen=True):
    """Some changed sources of a store, and what depends on them."""

    connection: sqlite3.Connection
    store: int
    place: bytes
    before: Holders
    """What their keys meant before the change."""
    sources: Sequence[int]
    """Their row ids, without deleted ones."""
    turn: Turn

    def settle(self) -> set[int]:
        """Update everything that depends on the sources.

        Returns the sources for which the checks may have a different result now.
        """
        turn = self.turn
        memories = name_apart(self.connection, self.store, self.place, turn.own_keys)
        now = Holders(self.connection, self.store)
        meanings = Meanings.of(self.before, now, turn.keys)
        edges = self._settle_edges(meanings)
        met = {row[end] for row in edges for end in (_START, _END)}
        met_memories = {each for each in met if isinstance(each, int)}
        count_links(self.connection, self.store, met_memories.union(memories))
        beside = {each for row in edges if isinstance(each := row[_SOURCE], int)}
        concern_edges(self.connection, beside.union(self.sources))
        score(self.connection, self.store, memories)
        beside |= self._resolve_links(meanings)
        beside |= self._sources_of(_OF_MEMORY, memories)
        beside |= self._sources_of(_FROM, turn.retitled)
        beside |= self._sources_of(_TO, turn.retitled)
        beside |= self._sources_of(_OF_EDGE, turn.edge_ids)
        beside |= self._sources_of(_OF_ACCESS, meanings.changed)
        return self._with_alike(beside.union(self.sources))

    def _settle_edges(self, meanings: Meanings) -> list[Row]:
        """Rebuild the edges with changed claims or changed ends."""
        before, now, changed = meanings
        claims = Claims(self.connection, self.store)
        said: defaultdict[About, set[int]] = defaultdict(set)
        for one in self.turn.gone:
            said[one.about(before)].update(())
        for one in self.turn.came:
            said[one.about(now)].add(one.word.source)
        for source in claims.remeant(meanings):
            for one in claims.of(source):
                if one.names(changed):
                    said[one.about(before)].update(())
                    said[one.about(now)].add(source)
        edges = Edges(self.connection, self.store, self.place)
        return edges.settle(said, claims, now)

    def _resolve_links(self, meanings: Meanings) -> set[int]:
        """Resolve links again; returns their sources and those of their targets."""
        beside: set[int] = set()
        met = set(self.turn.unmentioned)
        for source, memories in resolve_links(
            self.connection, self.store, meanings, self.sources
        ):
            beside.add(source)
            met |= memories
        return beside | self._sources_of(_OF_MEMORY, met)

    def _sources_of(self, question: str, terms: Iterable[int | str]) -> set[int]:
        """The sources that a query finds for any of the terms."""
        return {
            source
            for term in terms
            for (source,) in self.connection.execute(question, (term, self.store))
        }

    def _with_alike(self, sources: set[int]) -> set[int]:
        """These sources, and all whose memories share a key with one of theirs."""
        found, fresh = set(sources), sources
        while fresh:
            fresh = self._sources_of(_ALIKE, fresh) - found
            found |= fresh
        return found


# Write the changes of a few sources, and update everything that depends on them.

_KINDS = frozenset({"memories", "edges"})
"""The kinds of record that any change may affect."""


_IS_LISTED = (
    "SELECT 1 FROM documents "
    "WHERE store = ? AND role = 'memory-index' AND text_bytes > 0"
)


class Fresh(NamedTuple):
    """A source as it is now, with what the catalogue knows about it."""

    path: str
    known: Known | None
    """None if the source is new."""
    source: Source | None
    """None if the source was deleted."""
    rows: SourceRows


EMPTY = SourceRows({}, goes_on=False, mark=START, more=False, conversations=None)
"""The rows of a source that does not exist."""


class NotNearError(Exception):
    """More than these files changed, or may have."""


def write_near(
    connection: sqlite3.Connection, store: int, found: Found, fresh: Sequence[Fresh]
) -> None:
    """Replace the rows of the sources, and update what depends on them.

    Raises NotNearError if that is the whole store.
    """
    place = os.fsencode(found.path)
    was_listed = _is_listed(connection, store)
    turn = Turn()
    standing = [_standing(connection, store, one) for one in fresh]
    for stood, one in zip(standing, fresh, strict=True):
        stood.note(one.rows.tables, turn)
    held = Holders(connection, store)
    before = Holders(connection, store, {key: held.held(key) for key in turn.keys})
    marks = [(stood.source,) for stood in standing]
    beside = _beside(connection, marks)
    connection.executemany(FORGET_PAIRS, marks)
    for stood, one in zip(standing, fresh, strict=True):
        stood.become(connection, store, one.rows.tables, turn)
    kept = _forget_gone(connection, standing, fresh)
    if _is_listed(connection, store) != was_listed:
        raise NotNearError
    around = Neighbourhood(connection, store, place, before, kept, turn).settle()
    around |= beside | _beside(connection, marks)
    paths = {os.fsencode(one.path) for one in fresh} | _paths(connection, around)
    sides, tables = found.format.two_sided, turn.tables
    check_near(connection, store, sides, around, paths, tables)
    conclude(connection, store, found, paths, tables)


def conclude(
    connection: sqlite3.Connection,
    store: int,
    found: Found,
    paths: Collection[bytes],
    tables: Iterable[str],
) -> None:
    """Add fixes to the problems at some paths, and record that the store changed."""
    share_rows(connection, store)
    offer_fixes(connection, store, found, paths)
    notice_near(connection, store, clock(), paths)
    Sources(connection).sign(store, SETTLED)
    note_move(connection, os.fsencode(found.path), kinds_shown(tables) | _KINDS)


def _standing(connection: sqlite3.Connection, store: int, fresh: Fresh) -> Standing:
    """The rows of a source in the catalogue; updates the source's own row."""
    known, source = fresh.known, fresh.source
    if source is not None:
        return stands(connection, enter(connection, store, source, known), fresh.path)
    return stands(connection, known.row if known else 0, fresh.path)


def enter(
    connection: sqlite3.Connection,
    store: int,
    source: Source,
    known: Known | None,
    newlines: int | None = None,
) -> int:
    """Write the row of a source, without its content; returns its row id.

    `newlines` is how many it has, if that is known, so that the next line that is added
    has a number without all others being counted.
    """
    if known is None:
        return Writer(connection).put(store, source, EMPTY, None).row
    connection.execute(
        "UPDATE sources SET role = ?, size = ?, mtime_ns = ?, inode = ?, newlines = ? "
        "WHERE id = ?",
        (source.role, *source.stamp, newlines, known.row),
    )
    return known.row


def _forget_gone(
    connection: sqlite3.Connection,
    standing: Sequence[Standing],
    fresh: Sequence[Fresh],
) -> list[int]:
    """Delete the rows of deleted sources; returns the other sources."""
    gone = {one.path for one in fresh if one.source is None}
    connection.executemany(
        "DELETE FROM sources WHERE id = ?",
        [(stood.source,) for stood in standing if stood.path in gone],
    )
    return [stood.source for stood in standing if stood.path not in gone]


def _beside(connection: sqlite3.Connection, marks: Iterable[tuple[int]]) -> set[int]:
    """The other sources of edges that join the same memories in the same way."""
    found = (connection.execute(_BESIDE, mark) for mark in marks)
    return {source for rows in found for (source,) in rows}


_BESIDE = """
SELECT DISTINCT others.source FROM edges
JOIN edges AS others ON others.start = edges.start AND others."end" = edges."end"
    AND others.type = edges.type
WHERE edges.source = ? AND others.source <> edges.source
"""


def _is_listed(connection: sqlite3.Connection, store: int) -> bool:
    """Whether there is a document that should list every memory."""
    return connection.execute(_IS_LISTED, (store,)).fetchone() is not None


def _paths(connection: sqlite3.Connection, sources: Iterable[int]) -> set[bytes]:
    """The paths of sources."""
    question = "SELECT path FROM sources WHERE id = ?"
    rows = (connection.execute(question, (row,)).fetchone() for row in sources)
    return {row[0] for row in rows if row}


# Read a few changed files without scanning the rest of their store.
#
# The rows of these files are replaced, and only what depends on them is updated, so it
# takes as long in a store of a hundred thousand files as in one of ten. If a file may
# affect more than that (a derived index, a transcript, a symbolic link), it is left to
# a sync.

_FEW = 64
"""The most files to read like this; for more, the whole store is scanned."""

_OTHERS = tuple(table for table in TABLES if table not in {*NEAR, "edges"})

_STORE = (
    "SELECT id, title FROM stores "
    "WHERE path = ? AND format = ? AND signature IS NOT NULL"
)
_SPANNING = (
    "SELECT 1 FROM index_entries WHERE store = ? LIMIT 1",
    "SELECT 1 FROM claims WHERE store = ? AND side = 'index' LIMIT 1",
)
"""What makes any file affect the whole store: a derived index."""

_OF_ALL = (
    "SELECT 1 FROM problems WHERE store = ? AND origin = 'refused' "
    "AND (code LIKE 'link-%' OR path = X'') LIMIT 1"
)
"""Problems of all files together, and links that are not followed: a new file may fix
them."""

_AMONG_OTHERS = Mark(1)
"""A mark for lines that are only a part of their file."""

_OTHER_MEMORY = (
    "SELECT 1 FROM sources JOIN memories ON memories.source = sources.id "
    "WHERE sources.store = ? AND sources.id <> ? LIMIT 1"
)

_TWINS = "SELECT id FROM sources WHERE inode = ? AND store = ?"
"""Sources that are the same file, through links or several names."""


def read_near(
    connection: sqlite3.Connection,
    found: Found,
    paths: Sequence[str],
    exchanged: Mapping[str, Exchange] | None = None,
) -> bool:
    """Read some changed files of a store; False if that requires a sync.

    `exchanged` has, by path, the lines that differ from what the catalogue knows.
    """
    place = os.fsencode(found.path)
    row = connection.execute(_STORE, (place, found.format.name)).fetchone()
    if row is None or not 0 < len(paths) <= _FEW:
        return False
    (store, title) = row
    told = exchanged or {}
    try:
        with transaction(connection), found.format.open(found.path) as opened:
            if holdable(opened.title) != title:
                return False
            if any(connection.execute(each, (store,)).fetchone() for each in _SPANNING):
                return False
            near = _Near(connection, store, found, opened)
            fresh = [
                near.read(path)
                for path in dict.fromkeys(paths)
                if path not in told or not near.exchange(path, told[path])
            ]
            if fresh:
                write_near(connection, store, found, fresh)
    except (NotNearError, UnreadableError):
        return False
    return True


class _Near:
    """Files of one store, each read on its own."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        store: int,
        found: Found,
        opened: OpenStore,
    ) -> None:
        self._connection = connection
        self._store = store
        self._found = found
        self._place = os.fsencode(found.path)
        self._opened = opened

    def exchange(self, path: str, exchange: Exchange) -> bool:
        """Read only the new lines of a file; False if that is not possible."""
        known = Sources(self._connection).known_one(self._store, path)
        stamp = _stamp(self._found.path, path)
        if known is None or stamp is None or stamp.size != exchange.size:
            return False
        if not _is_near(self._connection, self._store, known):
            return False
        source = Source(path, known.role, stamp)
        lined = Lined(self._connection, (self._store, known.row), exchange)
        findings = self._opened.read_lines(source, exchange, lined.others)
        if findings is None:
            return False
        rows = rows_of(self._place, source, findings, _AMONG_OTHERS, USUAL.gap)
        if not lined.is_apart(os.fsencode(path), rows.tables):
            return False
        lined.become(rows.tables, stamp.mtime_ns // 1000)
        is_added = not exchange.gone and exchange.offset == known.stamp.size
        newlines = exchange.first - 1 + exchange.came if is_added else None
        enter(self._connection, self._store, source, known, newlines)
        paths = {os.fsencode(path)}
        conclude(self._connection, self._store, self._found, paths, rows.tables)
        return True

    def read(self, path: str) -> Fresh:
        """A source as it is now; raises NotNearError if more may be affected."""
        known = Sources(self._connection).known_one(self._store, path)
        source = self._source(path)
        if known is None or source is None:
            comes_or_goes = known is not None or source is not None
            if not comes_or_goes or self._depends_on_all:
                raise NotNearError
        if known is not None and not _is_near(self._connection, self._store, known):
            raise NotNearError
        if source is None:
            if known is not None and not self._has_others(known):
                raise NotNearError
            return Fresh(path, known, None, EMPTY)
        findings = self._opened.read(source)
        rows = rows_of(self._place, source, findings, START, USUAL.gap)
        if rows.more or rows.mark != START or set(rows.tables).difference(NEAR):
            raise NotNearError
        return Fresh(path, known, source, rows)

    def _source(self, path: str) -> Source | None:
        """The source at a path; None if it no longer exists.

        Raises NotNearError if only a scan can decide, or if the path is a link.
        """
        if _stamp(self._found.path, path) is None:
            return None
        source = self._opened.source_at(path)
        if source is None:
            raise NotNearError
        return source

    def _has_others(self, known: Known) -> bool:
        """Whether other sources have memories; if not, everything is read again."""
        term = (self._store, known.row)
        return bool(self._connection.execute(_OTHER_MEMORY, term).fetchone())

    @property
    def _depends_on_all(self) -> bool:
        return bool(self._connection.execute(_OF_ALL, (self._store,)).fetchone())


def _stamp(root: Path, path: str) -> Stamp | None:
    """The stamp of the regular file at a path; None if it no longer exists.

    Raises NotNearError if the path has a link in it, or is not a regular file.
    """
    place = root
    *folders, name = path.split("/")
    try:
        for folder in folders:
            place /= folder
            if not S_ISDIR(place.lstat().st_mode):
                raise NotNearError
        about = (place / name).lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotNearError from error
    if not S_ISREG(about.st_mode):
        raise NotNearError
    return stamp_of(about)


def _is_near(connection: sqlite3.Connection, store: int, known: Known) -> bool:
    """Whether a source is read in one piece, and has no other name."""
    if known.more or known.mark != START:
        return False
    twins = connection.execute(_TWINS, (known.stamp.inode, store)).fetchall()
    return twins == [(known.row,)] and not any(
        connection.execute(
            f"SELECT 1 FROM {table} WHERE source = ? LIMIT 1", (known.row,)
        ).fetchone()
        for table in _OTHERS
    )


# The records in the files of a change, before it and after it.

_USUAL = ("memories",)
_TOUCHED_KINDS = {"link": ("edges",), "append": ("episodes", "measures")}
"""The kinds that a change creates, by the word of its intent, if not memories."""


_MAKING = frozenset({"append", "link", "move", "new"})
_TAKING = frozenset({"delete", "merge"})


def kinds_of(word: str) -> tuple[str, ...]:
    """The kinds of record that a change may create or delete."""
    return _TOUCHED_KINDS.get(word, _USUAL)


def refs_then(
    word: str, refs: Sequence[str], before: Sequence[str], after: Sequence[str]
) -> tuple[str, ...]:
    """The refs of the changed records after the change.

    Deleted records are left out, unless no others remain. New refs are added if the
    change creates records or gives them new refs; any other new ref belongs to a record
    further down in the same file.
    """
    gone = set(before) - set(after)
    now = [ref for ref in refs if ref not in gone]
    is_renamed = len(now) < len(refs) and word not in _TAKING
    if word in _MAKING or is_renamed:
        known = {*before, *refs}
        now += [ref for ref in after if ref not in known]
    return tuple(dict.fromkeys(now)) or tuple(refs)


_EDGES_BY_ENDS = """
    SELECT ref, start_key, end_key, type FROM edges
    WHERE (start = ?1 OR "end" = ?1) AND edge_id IS NULL
"""


def refs_given(
    connection: sqlite3.Connection,
    before: Sequence[Stood],
    after: Sequence[Stood],
    moves: Mapping[Place, Place],
) -> dict[str, str]:
    """The new refs of memories that were moved or got an id, by their old refs.

    The ref of an edge without an id depends on its memories, so it changes as well.
    """
    now = {one.ref for one in after}
    given: dict[str, str] = {}
    renamed: dict[str, str] = {}
    rows: list[int] = []
    for place in dict.fromkeys(one.place for one in before):
        olds = [one for one in before if one.place == place]
        news = [one for one in after if one.place == moves.get(place, place)]
        for old, new in zip(olds, news, strict=True) if len(olds) == len(news) else ():
            if old.ref not in now:
                given[old.ref] = new.ref
                renamed[new.key] = old.key
                rows.append(new.row)
    place = os.fsencode(before[0].place[0]) if before else b""
    for row in rows:
        for name, start, end, kind in connection.execute(_EDGES_BY_ENDS, (row,)):
            ends = [renamed.get(str(key), str(key)) for key in (start, end)]
            given[ref("edge", place, *ends, kind)] = name
    return given


# The lines of changed files that differ from what the catalogue knows.

_BLOCK = 1 << 20


class Exchanges(Struct, frozen=True):
    """The lines that a change replaces."""

    by_place: Mapping[Place, Exchange]

    def of_store(self, root: Path) -> dict[str, Exchange]:
        """The replaced lines in the files of one store."""
        return {
            path: one for (place, path), one in self.by_place.items() if place == root
        }

    def lines(self, place: Place, *, is_done: bool) -> Lines | None:
        """The removed or, if `is_done`, the added lines; None for the whole file."""
        one = self.by_place.get(place)
        if one is None:
            return None
        return one.first, one.first + (one.came if is_done else one.gone)


def exchanges(connection: sqlite3.Connection, planned: Planned) -> Exchanges:
    """The lines that a change replaces, in files whose catalogue entry is current.

    Call this before the change is made. The change is refused if a file differs by
    then.
    """
    return Exchanges(dict(_exchanges(connection, planned)))


def _exchanges(
    connection: sqlite3.Connection, planned: Planned
) -> Iterator[tuple[Place, Exchange]]:
    for step, place in zip(planned.draft.steps, planned.places, strict=True):
        exchange = is_known(connection, place) and _exchange(connection, step, place)
        if exchange:
            yield place, exchange


def _exchange(
    connection: sqlite3.Connection, step: Step, place: Place
) -> Exchange | None:
    """The lines that a step replaces, if it changes only some."""
    if isinstance(step, AppendStep):
        return _added(connection, place, step)
    if not isinstance(step, FileStep) or step.remake is not None:
        return None
    if step.before is None or step.after is None:
        return None
    return exchanged(step.before, step.after)


_NEWLINES = """
    SELECT newlines FROM stores JOIN sources ON sources.store = stores.id
    WHERE stores.path = ? AND sources.path = ? AND size = ?
"""


def _added(
    connection: sqlite3.Connection, place: Place, step: AppendStep
) -> Exchange | None:
    """The appended lines; None if the last line before them lacks its newline."""
    end = step.end
    if end.tail and not end.tail.endswith(b"\n"):
        return None
    known = (*map(os.fsencode, place), end.size)
    (number,) = connection.execute(_NEWLINES, known).fetchone() or (None,)
    try:
        if number is None:
            number = sum(piece.count(b"\n") for piece in _pieces(place, end.size))
    except UnreadableError:
        return None
    came = count_lines(step.lines)
    return Exchange(number + 1, end.size, 0, came, end.size + len(step.lines))


def _pieces(place: Place, size: int) -> Iterable[bytes]:
    """The first `size` bytes of a file, in pieces; raises UnreadableError."""
    root, path = place
    with Root(root) as opened, opened.opened(path) as file:
        for start in range(0, size, _BLOCK):
            yield file.at(start, min(_BLOCK, size - start))
