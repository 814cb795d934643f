"""What is other now than it was: how much came, changed and went, kind by kind."""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

_BODY = (
    "(SELECT bodies.text FROM {0}.bodies WHERE bodies.source = {1}.source "
    "AND bodies.line = coalesce({1}.line, 0))"
)
_PAGE = "(SELECT bodies.text FROM {0}.bodies WHERE bodies.source = {1}.source LIMIT 1)"

_SAID: dict[str, tuple[str, ...]] = {
    "memories": (
        *("title", "type", "description", "tags", "importance", "confidence"),
        *("pinned", "archived", _BODY),
    ),
    "edges": ("type", "strength", "context", "start_key", "end_key"),
    "episodes": ("title", "type", "tags", "summary", "link"),
    "conversations": ("entries", "messages", "last_at"),
    "measures": (),
    "documents": ("title", _PAGE),
    "messages": (),
    "events": (),
    "agents": ("columns",),
}
"""By kind: what makes a record another one, beside its ref."""

_NAMED = {
    "problems": "{0}.path || char(10) || {0}.code || char(10) || coalesce({0}.ref, '')"
}
"""What stands for the ref of what has none."""


class Difference(NamedTuple):
    """How a kind differs now from then."""

    new: int = 0
    """How many there are now that were not there."""
    changed: int = 0
    """How many are other than they were."""
    gone: int = 0
    """How many were there and are no more."""


def differences(then: Path, now: Path, stores: Iterable[Path]) -> dict[str, Difference]:
    """How each kind differs in two catalogues of the same stores."""
    places = [os.fsencode(store) for store in stores]
    address = f"{then.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        uri = f"{now.absolute().as_uri()}?mode=ro"
        connection.execute("ATTACH ? AS present", (uri,))
        return {
            kind: _difference(connection, kind, places) for kind in (*_SAID, *_NAMED)
        }


def _difference(
    connection: sqlite3.Connection, kind: str, places: list[bytes]
) -> Difference:
    marks = ", ".join("?" * len(places))

    def within(schema: str) -> str:
        return (
            f"{{0}}.store IN (SELECT id FROM {schema}.stores WHERE path IN ({marks}))"
        )

    def lacking(here: str, there: str) -> int:
        name = _NAMED.get(kind, "{0}.ref")
        inner = f"SELECT {name.format('other')} FROM {there}.{kind} AS other"
        (count,) = connection.execute(
            f"SELECT count(*) FROM {here}.{kind} AS one "
            f"WHERE {within(here).format('one')} "
            f"AND {name.format('one')} NOT IN ({inner})",
            places,
        ).fetchone()
        return int(count)

    return Difference(
        new=lacking("present", "main"),
        changed=_changed(connection, kind, within("main"), places),
        gone=lacking("main", "present"),
    )


def _changed(
    connection: sqlite3.Connection, kind: str, within: str, places: list[bytes]
) -> int:
    """How many records of a kind say something else now."""
    said = _SAID.get(kind, ())
    if not said:
        return 0
    pairs = [(_cell(one, "main", "was"), _cell(one, "present", "now")) for one in said]
    differ = " OR ".join(f"{before} IS NOT {after}" for before, after in pairs)
    (count,) = connection.execute(
        f"SELECT count(*) FROM main.{kind} AS was "
        f"JOIN present.{kind} AS now ON now.ref = was.ref "
        f"WHERE {within.format('was')} AND ({differ})",
        places,
    ).fetchone()
    return int(count)


def _cell(said: str, schema: str, table: str) -> str:
    return said.format(schema, table) if "{" in said else f"{table}.{said}"
