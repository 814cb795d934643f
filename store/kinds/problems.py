"""Problems: what is wrong in a store."""

from collections.abc import Mapping
from hashlib import blake2b
from os import fsdecode
from typing import Annotated

from msgspec import Struct

from store.findings import Flaw, Severity
from store.kinds.field import PLAIN, UNSORTED, Flag, Identifier, Number, Phrase, Text
from store.kinds.kind import LINE, REF, STORE, Kind, Place, at
from store.kinds.table import Row, columns, later

HALF_DONE_CHANGE = "half-done-change"
"""The code of the problem for a half-done change."""

LOST = ("memory-gone", "memory-emptied", "index-gone")
"""The codes of lost files, which are fixed by an earlier version of them."""

SOURCE = "source"
"""The origin of problems that a source reports itself."""

TAIL = "tail"
"""The origin of problems with its end, which may go away as it grows."""

CLOCK = "clock"
"""The origin of problems that disappear with time, even if no file changes."""

_PATH = "spelt_path(problems.path)"


_FIX = (
    "coalesce(problems.fix, (SELECT wholes.fix FROM problems AS wholes "
    "WHERE wholes.id = problems.shared))"
)
"""The command that fixes a problem; the same for all that share a row."""


def _message(text: str, count: int) -> str:
    """The message of a problem, or of a row for many problems of one kind."""
    return f"{count:,} like this: {text}" if count > 1 else text


NAMING = ("store_path", "path", "code", "ref", "line", "message")
"""The columns that identify a problem."""


def problem_id(*told: object) -> str:
    """The id of a problem: a digest of its columns in `NAMING`."""
    raw = repr(told).encode(errors="surrogateescape")
    return f"problem:{blake2b(raw, digest_size=7).hexdigest()}"


_NAMED = ("stores.path", *(f"problems.{name}" for name in NAMING[1:]))


class Problem(Struct, frozen=True, kw_only=True):
    """What is wrong with a record, where it is, and how to fix it."""

    code: Annotated[str, Text("the kind of problem", sort=PLAIN)]
    """The kind of problem, as a word for scripts."""
    severity: Annotated[
        str,
        Text(
            "its severity",
            choices=tuple(severity.value for severity in Severity),
            sort=(
                "CASE problems.severity WHEN 'error' THEN 0 "
                "WHEN 'warning' THEN 1 ELSE 2 END"
            ),
        ),
    ]
    """`error` (something is not shown), `warning` (something is wrong), `note`."""
    store: Annotated[str, STORE]
    """The absolute path of the store's root."""
    ref: Annotated[str | None, REF]
    """The affected record, if there is one."""
    path: Annotated[
        str,
        Phrase("its file", type="BLOB NOT NULL", read=fsdecode, sql=_PATH, sort=PLAIN),
    ]
    """Its file, relative to the store."""
    line: Annotated[int | None, LINE]
    """The line, if known."""
    message: Annotated[
        str,
        Phrase(
            "its message", shown=("problems.message", "problems.count"), read=_message
        ),
    ]
    """A sentence that describes the problem."""
    fix: Annotated[
        str | None, Phrase("the command that fixes it", is_late=True, shown=_FIX)
    ]
    """The command that fixes it, if there is one."""
    count: Annotated[
        int,
        Number(
            "the number of problems in this row",
            type="INTEGER NOT NULL DEFAULT 1",
            is_late=True,
            sort=UNSORTED,
        ),
    ] = 1
    """The number of problems in this row; `is:each` lists them one by one."""
    id: Annotated[
        str,
        Identifier(
            "its own id",
            column=None,
            shown=_NAMED,
            read=problem_id,
            sql=f"problem_id({', '.join(_NAMED)})",
        ),
    ] = ""
    """What names it for `health --ignore`, as long as it stays as it is."""
    ignored: Annotated[bool, Flag(type="INTEGER NOT NULL DEFAULT 0", is_late=True)] = (
        False
    )
    """Whether the user ignores it."""


# Problems of a source: its flaws.


def problem(path: bytes, subject: str | None, flaw: Flaw, origin: str = SOURCE) -> Row:
    """The row of a flaw."""
    cells = {
        "code": flaw.code,
        "severity": flaw.severity.value,
        "ref": subject,
        "path": path,
        "line": flaw.line,
        "message": flaw.message,
        "origin": origin,
    }
    return tuple(cells[name] for name in PROBLEMS.table.filled)


# The kind.

_SHARES = "CASE WHEN problems.shared OR problems.origin = 'shared'"

_NOTICED = (
    "(SELECT nullif(noticed.at, 0) FROM noticed WHERE noticed.store = problems.store "
    f"AND noticed.path = {_SHARES} THEN X'' ELSE problems.path END "
    f"AND noticed.code = problems.code AND noticed.ref = {_SHARES} "
    "THEN problems.severity ELSE coalesce(problems.ref, '') END)"
)
"""When it was first found; null if that was before the first known time.

Problems that share a row have one date.
"""

_COUNTED = """
    CREATE TRIGGER problems_counted AFTER DELETE ON problems
    WHEN old.shared IS NOT NULL BEGIN
        UPDATE problems SET count = count - 1 WHERE id = old.shared;
    END
"""

PROBLEMS = Kind(
    name="problems",
    record=Problem,
    stored=(*columns("origin TEXT NOT NULL"), *later("shared INTEGER, other TEXT")),
    indexes={
        "by_store": "(store, origin)",
        "by_path": "(path, store)",
        "ignored": "(store, path) WHERE ignored",
        "listed": "(store, code) WHERE shared IS NULL",
        "of_others": "(other) WHERE other IS NOT NULL",
        "shared": "(shared, path) WHERE shared IS NOT NULL",
    },
    further=(_COUNTED,),
    has_source=False,
    ties=(*("path", "line", "code", "message"), *("stores.path", "problems.id")),
    sort_order="severity code path store",
    field_order="code severity message fix count",
    titled="problems.code",
    everywhere=(
        Place(f"problems.code || char(10) || problems.message || char(10) || {_PATH}"),
    ),
    places={"message": (Place("problems.message"),), "path": (Place(_PATH),)},
    is_listed="problems.shared IS NULL",
    is_single="problems.origin <> 'shared'",
    own_states={
        "each": "1",
        "ignored": "problems.ignored",
        "hidden-text": "problems.code = 'hidden-text'",
        "secret": "problems.code IN ('secret', 'secret-not-ignored')",
        "suspicious": "problems.code IN ('hidden-text', 'instruction-text')",
    },
    belongings={"fix": f"{_FIX} IS NOT NULL", "ref": "problems.ref IS NOT NULL"},
    times=(at(_NOTICED),),
    is_dated=False,
    facets=("code", "severity"),
    counted="problems.count",
    key="{0}.path || char(10) || {0}.code || char(10) || coalesce({0}.ref, '')",
)
"""Problems. One about two memories is at the first; `other` is the ref of the second,
and it is gone once either is read again. A row with a `count` above 1 replaces those
with its id as `shared`."""


# The score of stores.

BEST = 100
_WEIGHTS = {"error": 5.0, "warning": 1.0, "note": 0.0}


def score(severities: Mapping[str, int], memories: int) -> int:
    """A score from 0 to 100: the share that has no problems.

    An error counts as much as five warnings; notes do not count.
    """
    weight = sum(_WEIGHTS.get(name, 1.0) * n for name, n in severities.items())
    if not weight:
        return BEST
    whole = max(memories, 1)
    return min(round(BEST * whole / (whole + weight)), BEST - 1)
