"""The report on any store: what it holds, how it grows, how it is used."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from store.agents import CORE_CHARACTERS, MEMORY_BYTES, MEMORY_LINES
from store.catalogue.reader import Reader
from store.kinds import KINDS
from store.kinds.memories import STRENGTH
from store.reports import Given, Rows

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
        alone = Reader(reader.connection, [seen["store"]])
        counts = {name: alone.count(kind) for name, kind in KINDS.items()}
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
