"""Checks of single records, as a table: what is wrong, and the query that finds it."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from store.derive.memories import MICROS_PER_DAY
from store.findings import Severity
from store.health import Complaint, quoted
from store.kinds.journals import POINTS_TO
from store.text import regex
from store.times import written_at

_WARNING, _NOTE = Severity.WARNING, Severity.NOTE


class RowCheck(NamedTuple):
    """A check that one query answers, each row of it a problem."""

    code: str
    severity: Severity
    message: Callable[..., str | None]
    """The message, from all columns but the first three; None if nothing is wrong."""
    table: str
    """The table whose rows are checked; those of some sources, if not all."""
    question: str
    """Gives the record's ref, its file and line, then what the message needs."""


_SOURCES = "JOIN sources ON sources.id = {0}.source"
_MEMORIES = f"FROM memories {_SOURCES.format('memories')} WHERE {{within}}"
_MEASURES = f"FROM measures {_SOURCES.format('measures')} WHERE {{within}}"

_EARLIEST = 631_152_000_000_000
"""1990, in microseconds: nothing that agents write is older."""

_LONGEST = 30 * 86_400
"""The most seconds that a task or session may take."""

_OFF = 60
"""The most seconds, and percent, that a duration may differ from its two times."""


def _early(*times: object) -> str:
    """The times before 1990, as written."""
    pairs = zip(times[::2], times[1::2], strict=True)
    early = [str(text) for text, at in pairs if isinstance(at, int) and at < _EARLIEST]
    return f"Dated before 1990: {', '.join(early)}."


def _apart(seconds: float, start: str, finish: str) -> str:
    return f"The duration is {seconds:g} s, but it ran from {start} to {finish}."


def _odd(seconds: float) -> str:
    if seconds < 0:
        return f"Negative duration: {seconds:g} s."
    return f"It took {seconds / 86_400:.0f} days."


def _backwards(start: int, finish: int) -> str:
    times = (written_at(moment * 1_000_000) for moment in (start, finish))
    return f"It ends before it starts: {', '.join(map(str, times))}."


TIMES = (
    RowCheck(
        "impossible-time",
        _WARNING,
        "Created after its last update: {}, {}.".format,
        "memories",
        "SELECT memories.ref, sources.path, memories.line, created, updated "
        f"{_MEMORIES} AND created_at > updated_at + {MICROS_PER_DAY}",
    ),
    RowCheck(
        "impossible-time",
        _WARNING,
        _early,
        "memories",
        "SELECT memories.ref, sources.path, memories.line, created, created_at, "
        f"updated, updated_at {_MEMORIES} "
        f"AND (created_at < {_EARLIEST} OR updated_at < {_EARLIEST})",
    ),
    RowCheck(
        "impossible-duration",
        _WARNING,
        "It ends before it starts: {}, {}.".format,
        "measures",
        f"SELECT ref, sources.path, line, start, finish {_MEASURES} "
        "AND finish_at < start_at",
    ),
    RowCheck(
        "impossible-duration",
        _WARNING,
        _odd,
        "measures",
        f"SELECT ref, sources.path, line, duration_s {_MEASURES} "
        f"AND NOT duration_s BETWEEN 0 AND {_LONGEST}",
    ),
    RowCheck(
        "impossible-duration",
        _NOTE,
        _apart,
        "measures",
        f"SELECT ref, sources.path, line, duration_s, start, finish {_MEASURES} "
        f"AND duration_s BETWEEN 0 AND {_LONGEST} AND finish_at >= start_at "
        "AND abs((finish_at - start_at) / 1000000 - duration_s) "
        f"> max({_OFF}, duration_s * {_OFF} / 100)",
    ),
    RowCheck(
        "impossible-duration",
        _WARNING,
        _backwards,
        "agents",
        "SELECT ref, sources.path, line, json_extract(columns, '$.started_ts') AS a, "
        "json_extract(columns, '$.finished_ts') AS b FROM agents "
        f"{_SOURCES.format('agents')} WHERE {{within}} "
        "AND typeof(a) = 'integer' AND typeof(b) = 'integer' AND b < a",
    ),
    RowCheck(
        "start-without-stop",
        _NOTE,
        "Started at {}, and nothing says when it stopped.".format,
        "measures",
        f"SELECT ref, sources.path, line, start {_MEASURES} AND kind = 'task' "
        "AND json_extract(fields, '$.state') IN ('running', 'unfinished') "
        "AND start_at < (SELECT max(coalesce(others.at_micros, others.finish_at, "
        "others.start_at)) FROM measures AS others "
        f"WHERE others.source = measures.source) - {MICROS_PER_DAY}",
    ),
)
"""Times and durations that cannot be."""


def _unproved(pointer: str) -> str:
    return f"No such record: {quoted(pointer)}, given as evidence."


EVIDENCE = (
    RowCheck(
        "evidence-missing",
        _WARNING,
        _unproved,
        "measures",
        f"SELECT ref, sources.path, line, pointer {_MEASURES} AND kind = 'claim' "
        "AND json_extract(fields, '$.points_to.id') IS NOT NULL "
        f"AND {POINTS_TO} IS NULL",
    ),
)
"""Claims without a record that proves them."""


def _second(kind: str, path: bytes) -> str:
    first = quoted(path.decode(errors="replace"))
    return f"Second file for one {kind} edge; the first is {first}."


_OF_EDGE = (
    "FROM claims JOIN claims AS files ON files.edge_id = claims.edge_id "
    "AND files.store = claims.store AND files.side = 'file' "
    f"{_SOURCES.format('claims')} "
    "JOIN sources AS theirs ON theirs.id = files.source "
    "LEFT JOIN edges ON edges.edge_id = files.edge_id AND edges.source = files.source "
    "WHERE {within}"
)

EDGES = (
    RowCheck(
        "edge-drift",
        _WARNING,
        "The relation says strength {:g}; the file of the edge says {:g}.".format,
        "claims",
        "SELECT edges.ref, sources.path, claims.line, claims.strength, files.strength "
        f"{_OF_EDGE} AND claims.side IN ('outgoing', 'incoming') "
        "AND claims.strength <> files.strength",
    ),
    RowCheck(
        "index-drift",
        _WARNING,
        "The index has an outdated strength for the {} edge.".format,
        "claims",
        f"SELECT edges.ref, sources.path, NULL, files.type {_OF_EDGE} "
        "AND claims.side = 'index' AND claims.strength <> files.strength",
    ),
    RowCheck(
        "index-drift",
        _WARNING,
        "The index has an outdated path for the {} edge.".format,
        "claims",
        f"SELECT edges.ref, sources.path, NULL, files.type {_OF_EDGE} "
        "AND claims.side = 'index' AND claims.path <> CAST(theirs.path AS TEXT)",
    ),
    RowCheck(
        "index-drift",
        _WARNING,
        "The index is of version 1, without edges; the store has edge files.".format,
        "index_entries",
        f"SELECT NULL, sources.path, NULL FROM index_entries "
        f"{_SOURCES.format('index_entries')} WHERE {{within}} "
        "AND CAST(sources.path AS TEXT) = '_index.json' AND EXISTS (SELECT 1 FROM "
        "claims WHERE claims.store = index_entries.store AND claims.side = 'file') "
        "GROUP BY sources.id HAVING sum(index_entries.key = 'count:edges') = 0",
    ),
    RowCheck(
        "duplicate-edge",
        _WARNING,
        _second,
        "edges",
        "SELECT edges.ref, sources.path, edges.line, edges.type, firsts.path "
        f"FROM edges {_SOURCES.format('edges')} "
        'JOIN edges AS others ON others.start = edges.start AND others."end" = '
        'edges."end" AND others.type = edges.type '
        "JOIN sources AS firsts ON firsts.id = others.source "
        "WHERE {within} AND edges.sides LIKE 'file%' AND others.sides LIKE 'file%' "
        "AND firsts.path < sources.path "
        "GROUP BY edges.id HAVING firsts.path = min(firsts.path)",
    ),
)
"""Edges whose places disagree."""

_WORD = regex(r"\w+")

_ALIKE = 0.6
"""The share of words of a description that a line has if it was a copy of it."""


def _stale(note: str, description: str, path: bytes) -> str | None:
    """The message for a line that is almost the description, but not quite.

    A line in other words is not outdated: agents write most of them by hand.
    """
    there, here = (_WORD.findall(text.casefold()) for text in (note, description))
    short = min(len(there), len(here))
    shared = len(set(there) & set(here)) / max(len(set(there) | set(here)), 1)
    if there[:short] == here[:short] or shared < _ALIKE:
        return None
    where = quoted(path.decode(errors="replace"))
    return f"{where} has another description: {quoted(note)}."


INDEXES = (
    RowCheck(
        "stale-description",
        _NOTE,
        _stale,
        "memories",
        "SELECT memories.ref, sources.path, memories.line, mentions.note, "
        "memories.description, pages.path FROM mentions "
        "JOIN documents ON documents.source = mentions.source "
        "JOIN sources AS pages ON pages.id = mentions.source "
        "JOIN memories ON memories.id = mentions.memory "
        f"{_SOURCES.format('memories')} WHERE {{within}} "
        "AND documents.role = 'memory-index' "
        "AND mentions.note <> memories.description",
    ),
)
"""Lines of an index that no longer match."""

CHECKS = (*TIMES, *EVIDENCE, *EDGES, *INDEXES)


def complaints(
    ask: Callable[[str], sqlite3.Cursor],
    within: Callable[[str], str],
    checks: Iterable[RowCheck] = CHECKS,
) -> Iterator[Complaint]:
    """The problems that these checks find in the rows that `within` selects."""
    for check in checks:
        question = check.question.format(within=within(check.table))
        for ref, path, line, *told in ask(question):
            message = check.message(*told)
            if message:
                yield Complaint(
                    code=check.code,
                    message=message,
                    path=path,
                    severity=check.severity,
                    ref=ref,
                    line=line,
                )
