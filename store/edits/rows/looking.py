"""What rows a database holds, read through the door that leaves no trace."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from store.edits.doing.stage import Stage
from store.edits.refusals import NotPossibleError
from store.edits.rows.change import Change
from store.edits.rows.images import Columns
from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.sqlite import Database, Scalar, open_database
from store.files.sqlite.schema import quote


def stage_of(root: Path, path: str, changes: Sequence[Change]) -> Stage:
    """How rows are: all as before, all as after, or otherwise.

    Raises UnreadableError.
    """
    with Root(root) as opened, open_database(opened, path) as database:
        if all(_is(database, each.table, each.key, each.after) for each in changes):
            return Stage.AFTER
        if all(_is(database, each.table, each.key, each.before) for each in changes):
            return Stage.BEFORE
    return Stage.FOREIGN


def present(
    root: Path, path: str, table: str, key: Columns, names: tuple[str, ...]
) -> Columns | None:
    """Some columns of a row as they are; None where there is no row."""
    with Root(root) as opened, open_database(opened, path) as database:
        return _found(database, table, key, names)


def whole(root: Path, path: str, table: str, key: Columns) -> Columns | None:
    """All columns of a row, and its number where no column tells that.

    Raises NotPossibleError where some cannot be kept exactly.
    """
    with Root(root) as opened, open_database(opened, path) as database:
        names = _stored(database, table)
        row = _found(database, table, key, names)
        if row is None:
            return None
        with suppress(UnreadableError):
            row = _found(database, table, key, (*names, "rowid")) or row
        if not _is(database, table, key, row):
            raise NotPossibleError("The row holds text that could not be put back.")
        return row


def _stored(database: Database, table: str) -> tuple[str, ...]:
    """The columns that hold something, and are not worked out when they are read."""
    names: list[str] = []
    for name in database.tables.get(table, ()):
        with suppress(UnreadableError):
            list(database.rows(table, [name], where="0"))
            names.append(name)
    return tuple(names)


def condition(columns: Columns) -> tuple[str, tuple[Scalar, ...]]:
    """The SQL that is true for a row with exactly these values, and the values."""
    terms = " AND ".join(f"{quote(name)} IS ?" for name in columns)
    return terms or "1", tuple(columns.values())


def _is(database: Database, table: str, key: Columns, image: Columns | None) -> bool:
    """Whether the row is like an image; for None, whether there is none."""
    where, values = condition({**(image or {}), **key})
    column = next(iter(key))
    found = list(database.rows(table, [column], where=where, values=values, limit=2))
    return not found if image is None else len(found) == 1


def _found(
    database: Database, table: str, key: Columns, names: tuple[str, ...]
) -> Columns | None:
    where, values = condition(key)
    found = list(database.rows(table, names, where=where, values=values, limit=2))
    return dict(zip(names, found[0], strict=True)) if len(found) == 1 else None
