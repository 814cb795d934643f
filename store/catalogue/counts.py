"""Counts by day, store and name, durations, tokens, and what changed between dates."""

import os
import sqlite3
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from math import fsum, isfinite
from pathlib import Path
from typing import NamedTuple

import orjson
from msgspec import Struct, field

from store.agents import CORE_CHARACTERS, MEMORY_BYTES, MEMORY_LINES
from store.catalogue.reader import Condition, Reader
from store.derive.conversations import Tokens
from store.derive.statistics import (
    ALONE,
    NEVER,
    NOTHING,
    UNDATED,
    Alike,
    Closeup,
    Durations,
    Keeping,
    Moment,
    Parts,
    Slot,
    Spans,
    Step,
    Tally,
    Timing,
)
from store.findings import Json
from store.kinds import KINDS, Record
from store.kinds.field import Field, Form
from store.kinds.kind import Kind
from store.kinds.memories import STRENGTH
from store.kinds.messages import uuid_of
from store.kinds.table import ref
from store.reports import Given, Rows

# The number of records of each day or hour, and their durations.

_QUARTER = 900 * 1_000_000
"""A quarter of an hour. In every time zone, days and hours start with one, and counting
by quarters is far faster than asking SQLite for the day of each row."""

_LENGTHS = {Step.HOUR: len("2026-02-14T09"), Step.DAY: len("2026-02-14")}

_LONGEST = 3.2e11
"""Ten thousand years in seconds; longer durations are mistakes."""


def tally_of(reader: Reader, kind: str, condition: Condition, step: Step) -> Tally:
    """The count and duration of one kind in each day or hour, in local time."""
    at = KINDS[kind].times[0].sql
    since = f"(({at}) % {_QUARTER} + {_QUARTER}) % {_QUARTER}"
    rows = reader.execute(
        f"SELECT (({at}) - {since}) / 1000000 AS quarter, count(*), "
        f"total({_plausible(kind)}) {_found(reader, kind, condition, at)} "
        "GROUP BY quarter",
        (*condition.values, *reader.stores_seen),
    )
    slots: dict[str, Slot] = {}
    undated = 0
    for quarter, number, seconds in rows:
        begin = _begin(quarter, step)
        if begin is None:
            undated += number
        else:
            known = slots.get(begin, NOTHING)
            slots[begin] = Slot(known.number + number, known.seconds + seconds)
    return Tally(slots, undated)


def durations_of(
    reader: Reader, kind: str, condition: Condition, since: int | None, until: int
) -> Durations:
    """The durations of records from one time up to another.

    Without `since`, all records count, including those without a time.
    """
    if not KINDS[kind].took:
        return Durations()
    at, took = KINDS[kind].times[0].sql, _plausible(kind)
    when = f"AND {at} >= ? AND {at} < ?" if since is not None else ""
    rows = reader.execute(
        f"SELECT {took} AS took {_found(reader, kind, condition, at)} "
        f"AND took IS NOT NULL {when} ORDER BY took",
        (
            *condition.values,
            *reader.stores_seen,
            *(() if since is None else (since, until)),
        ),
    )
    seconds = array("d", (took for (took,) in rows if isfinite(took)))
    return Durations(seconds, fsum(seconds))


def holders_of(
    reader: Reader, kind: str, condition: Condition
) -> list[tuple[bytes, bytes]]:
    """The files that contain the records: the store's path, and the path in it."""
    view = KINDS[kind]
    found = _found(reader, kind, condition, "")
    rows = reader.execute(
        "SELECT stores.path, sources.path FROM sources "
        "JOIN stores ON stores.id = sources.store "
        f"WHERE sources.id IN (SELECT {view.name}.source {found}) "
        "ORDER BY stores.path, sources.path",
        (*condition.values, *reader.stores_seen),
    )
    return rows.fetchall()


def _begin(quarter: int | None, step: Step) -> str | None:
    """The local day or hour of a time; None if missing."""
    if quarter is None:
        return None
    try:
        moment = datetime.fromtimestamp(quarter)  # noqa: DTZ006  # in the user's time zone
    except (OverflowError, OSError, ValueError):
        return None
    return moment.isoformat()[: _LENGTHS[step]]


def _found(reader: Reader, kind: str, condition: Condition, at: str) -> str:
    """The FROM and WHERE clauses for the records."""
    view = KINDS[kind]
    return (
        f"FROM {view.joined(condition.sql, at)} WHERE {view.is_shown} "
        f"AND {condition.sql} AND {reader.within(f'{view.name}.store')}"
    )


def _plausible(kind: str) -> str:
    """The duration, or null if it is impossible."""
    took = KINDS[kind].took or "NULL"
    return f"CASE WHEN ({took}) BETWEEN 0 AND {_LONGEST} THEN ({took}) + 0.0 END"


# Counts by day, and the times of log entries.

_DATE = len("2026-02-14")

_GONE = Moment("", None, 0)

_MOMENTS = (
    "SELECT id, date, time, "
    f"(coalesce(summary, '') <> '') * {int(Parts.SUMMARY)} "
    f"+ (link IS NOT NULL) * {int(Parts.LINK)} "
    "FROM episodes WHERE id IN (SELECT value FROM json_each(?))"
)


def day_counts(reader: Reader, kind: str, condition: Condition) -> Mapping[str, int]:
    """The number of records on each day, as `on:` finds them.

    A record created on one day and changed on another counts for both.
    """
    view, times = KINDS[kind], KINDS[kind].times
    days = [f"{_day_of(told)} AS day_{at}" for at, told in enumerate(times)]
    picked = ", ".join((f"{view.name}.id AS id", *days))
    each = " UNION ".join(f"SELECT id, day_{at} FROM found" for at in range(len(times)))
    rows = reader.execute(
        f"WITH found AS MATERIALIZED (SELECT {picked} "
        f"FROM {view.joined(condition.sql, picked)} "
        f"WHERE {view.is_shown} AND {condition.sql} "
        f"AND {reader.within(f'{view.name}.store')}), "
        f"each_day (id, day) AS ({each}) "
        "SELECT day, count(*) FROM each_day WHERE day <> '' GROUP BY day",
        (*condition.values, *reader.stores_seen),
    )
    return dict(rows.fetchall())


def timing_of(reader: Reader, rows: "Sequence[int] | array[int]") -> Timing:
    """The times of the episodes in some rows, in the order of the rows."""
    asked = orjson.dumps(list(rows)).decode()
    found = {
        row: Moment(day, time, parts)
        for row, day, time, parts in reader.execute(_MOMENTS, (asked,))
    }
    return Timing.of(found.get(row, _GONE) for row in rows)


def _day_of(told: Field) -> str:
    """The local day of a time."""
    if told.form is Form.MOMENT:
        return f"date({told.sql} / 1000000, 'unixepoch', 'localtime')"
    return f"substr({told.sql}, 1, {_DATE})"


# The times of conversations and their parents, as columns instead of records.

_SPANS = f"""
    SELECT coalesce(told.first_at, told.last_at, {UNDATED}),
        coalesce(told.last_at, told.first_at, {UNDATED}),
        coalesce(told.parent, {ALONE}),
        coalesce(told.messages, 0),
        CASE WHEN sources.role = 'transcript'
            THEN coalesce(sources.mtime_ns / 1000 + periods.value, {NEVER})
            ELSE {NEVER} END
    FROM json_each(?) AS wanted
    LEFT JOIN conversations AS told ON told.id = wanted.value
    LEFT JOIN sources ON sources.id = told.source
    LEFT JOIN json_each(?) AS periods ON periods.key = CAST(told.store AS TEXT)
    ORDER BY wanted.key
"""
"""A conversation that no longer exists keeps its place, without data."""


def spans(
    reader: Reader,
    rows: Sequence[int],
    periods: Mapping[int, int],
    kept: Mapping[int, Keeping],
) -> Spans:
    """The spans of some rows, in their order.

    `periods` has, for stores that are cleaned up, how long a transcript stays after its
    last write, in microseconds; `kept` has what the vault contains, by row.
    """
    lasting = {str(store): period for store, period in periods.items()}
    given = (orjson.dumps(list(rows)).decode(), orjson.dumps(lasting).decode())
    columns = zip(*reader.execute(_SPANS, given), strict=True)
    begins, ends, parents, messages, leaves = columns if rows else ((),) * 5
    places = {row: place for place, row in enumerate(rows)}
    return Spans(
        array("q", begins),
        array("q", ends),
        array("q", [places.get(parent, ALONE) for parent in parents]),
        array("q", messages),
        array("q", leaves),
        array("b", [kept.get(row, Keeping.NOTHING) for row in rows]),
    )


# The number of matching records of one kind in each store.


def counts_per_store(
    reader: Reader, view: Kind[Record], condition: Condition
) -> dict[int, int]:
    """The numbers by store row, without zeros."""
    within = reader.within(f"{view.name}.store")
    rows = reader.execute(
        f"SELECT {view.name}.store, count(*) FROM {view.joined(condition.sql)} "
        f"WHERE {view.is_shown} AND {condition.sql} AND {within} GROUP BY 1",
        (*condition.values, *reader.stores_seen),
    )
    return dict(rows.fetchall())


# Differences to an earlier time: new, changed and removed records of each kind.


class Difference(NamedTuple):
    """How a kind differs between then and now."""

    new: int = 0
    """How many were added since."""
    changed: int = 0
    """How many were changed since."""
    gone: int = 0
    """How many were removed since."""


def differences(then: Path, now: Path, stores: Iterable[Path]) -> dict[str, Difference]:
    """The differences of each kind between two catalogues of the same stores.

    Only records that lists show are counted.
    """
    places = [os.fsencode(store) for store in stores]
    new, gone = _lacking(now, then, places), _lacking(then, now, places)
    with closing(_beside(then, now)) as connection:
        return {
            kind: Difference(new[kind], _changed(connection, kind, places), gone[kind])
            for kind in KINDS
        }


def _beside(one: Path, other: Path) -> sqlite3.Connection:
    """A catalogue, with another one as `other`."""
    first, second = (f"{path.absolute().as_uri()}?mode=ro" for path in (one, other))
    connection = sqlite3.connect(first, uri=True)
    connection.execute("ATTACH ? AS other", (second,))
    return connection


def _lacking(one: Path, other: Path, places: list[bytes]) -> dict[str, int]:
    """The number of records of each kind that another catalogue doesn't have."""
    marks = ", ".join("?" * len(places))
    with closing(_beside(one, other)) as connection:
        rows = f"SELECT id FROM stores WHERE path IN ({marks})"
        reader = Reader(
            connection, [row for (row,) in connection.execute(rows, places)]
        )
        return {name: _new(reader, kind) for name, kind in KINDS.items()}


def _new(reader: Reader, kind: Kind[Record]) -> int:
    """The number of records of one kind that the other catalogue doesn't have."""
    single = "problems.origin <> 'shared'" if kind.name == "problems" else "1"
    theirs = f"SELECT {kind.key.format('theirs')} FROM other.{kind.name} AS theirs"
    lacks = f"{kind.key.format(kind.name)} NOT IN ({theirs})"
    return reader.count(kind, Condition(f"{single} AND {lacks}"))


def _changed(connection: sqlite3.Connection, kind: str, places: list[bytes]) -> int:
    """The number of records of one kind that changed."""
    content = KINDS[kind].content
    if not content:
        return 0
    marks = ", ".join("?" * len(places))
    pairs = [(_cell(one, "main", "was"), _cell(one, "other", "now")) for one in content]
    differ = " OR ".join(f"{before} IS NOT {after}" for before, after in pairs)
    (count,) = connection.execute(
        f"SELECT count(*) FROM main.{kind} AS was "
        f"JOIN other.{kind} AS now ON now.ref = was.ref WHERE was.store IN "
        f"(SELECT id FROM main.stores WHERE path IN ({marks})) AND ({differ})",
        places,
    ).fetchone()
    return int(count)


def _cell(column: str, schema: str, table: str) -> str:
    return column.format(schema, table) if "{" in column else f"{table}.{column}"


# Totals of conversations: tools by name, tokens by model.

_CLOSEUPS_SAID = """
    SELECT runs.conversation, envelopes.model, messages.tokens, messages.tools
    FROM json_each(?) AS wanted
    CROSS JOIN runs ON runs.conversation = wanted.value
    CROSS JOIN messages ON messages.source = runs.source
        AND messages.line BETWEEN runs.first_line AND runs.last_line
    JOIN envelopes ON envelopes.source = messages.source
        AND envelopes.number = messages.envelope
    WHERE messages.tokens IS NOT NULL OR messages.tools IS NOT NULL
    ORDER BY runs.conversation, messages.source, messages.line
"""

_PARTS = 4


class _Sum(Struct):
    """The running totals of one conversation."""

    tools: Counter[str] = field(default_factory=Counter[str])
    spent: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    def spend(self, model: str, cell: str) -> None:
        """Add tokens to those of a model."""
        told = self.spent.setdefault(model, [0] * _PARTS)
        for at, number in enumerate(map(int, cell.split())):
            told[at] += number

    def closeup(self) -> Closeup:
        """The totals."""
        spent = {model: _tokens(told) for model, told in self.spent.items()}
        return Closeup(tuple(self.tools.most_common()), spent or None)


def closeups(reader: Reader, rows: Sequence[int]) -> Mapping[int, Closeup]:
    """The totals of each row that has messages."""
    sums: dict[int, _Sum] = {}
    for row, model, tokens, tools in _messages(reader, rows):
        told = sums.setdefault(row, _Sum())
        if tokens:
            told.spend(model or "", tokens)
        if tools:
            told.tools.update(orjson.loads(tools))
    return {row: told.closeup() for row, told in sums.items()}


def _messages(
    reader: Reader, rows: Sequence[int]
) -> Iterator[tuple[int, str | None, str | None, str | None]]:
    wanted = orjson.dumps(list(rows)).decode()
    yield from reader.execute(_CLOSEUPS_SAID, (wanted,))


def _tokens(told: Sequence[int]) -> Tokens:
    read, written, from_cache, to_cache = told
    return Tokens(
        input=read, output=written, cache_read=from_cache, cache_creation=to_cache
    )


# The details of a measure that lists do not show.


def measured(reader: Reader, ref: str) -> Mapping[str, Json]:
    """The other fields of the line of a measure."""
    row = reader.ask("SELECT fields FROM measures WHERE ref = ?", (ref,)).fetchone()
    return orjson.loads(row["fields"])


# The conversations of a transcript, and the same ones from a database.

_IN_FILES = """
    SELECT conversations.id FROM conversations
    JOIN sources ON sources.id = conversations.source
    JOIN stores ON stores.id = sources.store
    WHERE stores.path = :store
        AND (sources.path = :path OR (sources.path > :below AND sources.path < :above))
"""
"""Conversations of the transcript, and of sub-agents in the folder named after it."""

_BY_NAME = """
    SELECT id FROM conversations
    WHERE session = :session AND source_file IS NOT NULL
"""

_LINES = ".jsonl"


def rows_of(reader: Reader, store: str, path: str, session: str) -> Iterator[int]:
    """The rows of all conversations of a transcript, whatever their source."""
    folder = os.fsencode(path.removesuffix(_LINES))
    rows = reader.execute(
        f"{_IN_FILES} UNION {_BY_NAME}",
        {
            "store": os.fsencode(store),
            "path": os.fsencode(path),
            "below": folder + b"/",
            "above": folder + b"0",
            "session": session,
        },
    )
    return (row for (row,) in rows)


# The keys of conversations and messages within a transcript.

_KEYS = {
    "conversation": "SELECT conversations.key FROM conversations {}",
    "message": "SELECT coalesce(messages.key, messages.uuid) FROM messages {}",
}
_IN_FILE = """
    JOIN sources ON sources.id = source JOIN stores ON stores.id = sources.store
    WHERE stores.path = ? AND sources.path = ?
"""


def refs_elsewhere(
    reader: Reader, kind: str, here: tuple[str, str], there: tuple[str, str]
) -> Iterator[tuple[str, str]]:
    """The refs that records of a file would have in another file, each with its ref.

    Each file is given as its store and its path there.
    """
    places = [(os.fsencode(store), path) for store, path in (here, there)]
    terms = (os.fsencode(here[0]), os.fsencode(here[1]))
    for (cell,) in reader.execute(_KEYS[kind].format(_IN_FILE), terms):
        key = uuid_of(cell) or ""
        now, then = (ref(kind, store, path, key) for store, path in places)
        yield then, now


# The first conversation of a transcript, which represents all of them.


class First(Struct, frozen=True):
    """Its ref and title."""

    ref: str | None
    title: str


def first_of(reader: Reader, store: Path, path: str) -> First:
    """The first conversation in a file; one without a ref if missing."""
    found = reader.ask(
        "SELECT conversations.ref, conversations.title FROM conversations "
        "JOIN sources ON sources.id = conversations.source "
        "JOIN stores ON stores.id = sources.store "
        f"WHERE stores.path = ? AND sources.path = ? AND {reader.within('stores.id')} "
        "ORDER BY conversations.first_at LIMIT 1",
        (os.fsencode(store), os.fsencode(path), *reader.stores_seen),
    ).fetchone()
    return First(found["ref"], found["title"]) if found else First(None, "")


# Problems that can be shown together.

_ALIKE = """
    SELECT id, count, store, CASE origin WHEN 'shared' THEN X'' ELSE path END, code,
        severity
    FROM problems WHERE id IN (SELECT value FROM json_each(?))
"""


def alike(reader: Reader, rows: Sequence[int]) -> dict[int, tuple[Alike, int]]:
    """What each of some problems has in common with others, and how many it is."""
    found = reader.execute(_ALIKE, (orjson.dumps(list(rows)).decode(),))
    return {row: (Alike(*place), count) for row, count, *place in found}


# The report on any store: what it holds, how it grows, how it is used.

# Counts by name: a query for each part, which sees one store and the present.

_DAY = 86_400_000_000
_LIVE = "memories.store = :store AND NOT is_copy AND NOT archived"

_BY_MONTH = (
    "SELECT strftime('%Y-%m', {at} / 1000000, 'unixepoch') AS month, count(*) "
    "FROM {kind} WHERE store = :store AND month IS NOT NULL GROUP BY month"
)

_COUNTS = {
    "new memories": _BY_MONTH.format(kind="memories", at="created_at"),
    "new conversations": _BY_MONTH.format(kind="conversations", at="first_at"),
    "type": (
        "SELECT coalesce(type, 'none'), count(*) FROM memories "
        f"WHERE {_LIVE} GROUP BY 1 ORDER BY 2 DESC, 1"
    ),
    "tag": (
        "SELECT tag.value, count(*) FROM memories, json_each(memories.tags) AS tag "
        f"WHERE {_LIVE} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :most"
    ),
    "tag pair": (
        "SELECT one.value || ' ' || other.value, count(*) FROM memories, "
        "json_each(memories.tags) AS one, json_each(memories.tags) AS other "
        f"WHERE {_LIVE} AND one.value < other.value "
        "GROUP BY 1 HAVING count(*) > 1 ORDER BY 2 DESC, 1 LIMIT :most"
    ),
    "importance": (
        "SELECT importance, count(*) FROM memories "
        f"WHERE {_LIVE} AND typeof(importance) = 'text' GROUP BY 1 ORDER BY 2 DESC"
    ),
    "edge type": (
        "SELECT type, count(*) FROM edges WHERE store = :store "
        "GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :most"
    ),
    "tool": (
        "SELECT tool, count(*) FROM events WHERE store = :store "
        "AND tool IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :most"
    ),
}

# Histograms: values of memories, and where each bin begins.

_ZERO_TO_ONE = {f"{n / 10:.1f} – {(n + 1) / 10:.1f}": n / 10 for n in range(10)}
_FEW = {
    "0": 0,
    "1": 1,
    "2": 2,
    "3 – 5": 3,
    "6 – 10": 6,
    "11 – 20": 11,
    "21 or more": 21,
}
_AGES = {
    "within a day": 0,
    "within a week": 1,
    "within 30 days": 7,
    "within 90 days": 30,
    "within a year": 90,
    "longer ago": 365,
}

_BINS: Mapping[str, tuple[str, Mapping[str, float]]] = {
    "importance": (
        "CASE WHEN typeof(importance) != 'text' THEN importance END",
        _ZERO_TO_ONE,
    ),
    "confidence": ("confidence", _ZERO_TO_ONE),
    "strength": (
        f"CASE WHEN NOT pinned THEN {STRENGTH} END",
        {
            "below 0.05 (archived)": 0,
            "0.05 – 0.2 (dormant)": 0.05,
            "0.2 – 0.5 (fading)": 0.2,
            "0.5 – 1 (active)": 0.5,
            "1 or more (active)": 1,
        },
    ),
    "links": ("links_in + links_out", _FEW),
    "recalls": ("access_count", _FEW),
    "last recalled": (f"(:now - accessed_at) / {_DAY}.0", _AGES),
}

# Limits: what is used, and how much there may be.

_LIMITS = {
    "MEMORY.md, lines": (
        "SELECT sum(length(text) - length(replace(text, char(10), '')) + 1)",
        "memory-index",
        MEMORY_LINES,
    ),
    "MEMORY.md, bytes": ("SELECT sum(text_bytes)", "memory-index", MEMORY_BYTES),
    "CORE.md, characters": ("SELECT sum(length(text))", "core", CORE_CHARACTERS),
}

_OF_DOCUMENT = (
    " FROM documents LEFT JOIN bodies ON bodies.source = documents.source "
    "AND bodies.line = 0 WHERE documents.store = :store AND role = :role"
)

PARTS = tuple(dict.fromkeys(("records", *_COUNTS, *_BINS, "limits")))
"""The parts of the report, in order; a part without records is left out."""


def statistics_of(reader: Reader, store: int, given: Given) -> Rows:
    """The statistics of one store."""
    seen = {"store": store, "now": given.now, "most": given.number("most") or 0}
    wanted = given.texts("part")
    for part in wanted or PARTS:
        for numbers in (_counts, _bins):
            yield from ((part, *row, None) for row in numbers(reader, part, seen))
    if not wanted or "limits" in wanted:
        yield from (("limits", *row) for row in _limits(reader, seen))


def _counts(
    reader: Reader, part: str, seen: Mapping[str, int]
) -> Iterable[tuple[str, int]]:
    if part == "records":
        own = {name: Condition(f"{name}.store = ?", (seen["store"],)) for name in KINDS}
        counts = {name: reader.count(kind, own[name]) for name, kind in KINDS.items()}
        return [(name, count) for name, count in counts.items() if count]
    sql = _COUNTS.get(part)
    return reader.execute(sql, seen) if sql else ()


def _bins(
    reader: Reader, part: str, seen: Mapping[str, int]
) -> Iterable[tuple[str, int]]:
    """The number of memories in each bin, up to the last one that has any."""
    if part not in _BINS:
        return ()
    value, bins = _BINS[part]
    names, starts = list(bins), list(bins.values())
    rows = reader.execute(f"SELECT {value} FROM memories WHERE {_LIVE}", seen)
    found = Counter(
        names[max(bisect_right(starts, number) - 1, 0)]
        for (number,) in rows
        if number is not None
    )
    last = max(map(names.index, found), default=-1)
    return [(name, found[name]) for name in names[: last + 1]]


def _limits(reader: Reader, seen: Mapping[str, int]) -> Iterator[tuple[str, int, int]]:
    for name, (sql, role, most) in _LIMITS.items():
        ((used,),) = reader.execute(sql + _OF_DOCUMENT, {**seen, "role": role})
        if used is not None:
            yield name, used, most
