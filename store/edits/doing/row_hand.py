"""The hand that changes the rows of one database."""

import sqlite3
from pathlib import Path

from msgspec import Struct

from store.edits.doing.bench import Bench
from store.edits.doing.stage import Stage, Versions
from store.edits.kept.deeds import RowChange, RowsDeed
from store.edits.rows import (
    Change,
    Columns,
    columns_of,
    image_of,
    present,
    raw_of,
    stage_of,
    write,
)
from store.files.replacing import Manner


class RowHand(Struct, frozen=True):
    """Works at one deed, in one transaction; raises what `rows.write` raises."""

    bench: Bench
    deed: RowsDeed

    def do(self) -> Manner:
        """Do all of it; nothing of it has been done."""
        path = self._path()

        def back_up(connection: sqlite3.Connection) -> None:
            self.bench.workshop.back_up(connection, path, self.bench.operation.time)

        write(path, self._changes(), back_up)
        return Manner.AT_ONCE

    def stage(self) -> Stage:
        """How far it is: SQLite sees to it that it is all or nothing."""
        self._path()
        return stage_of(self.deed.root, self.deed.path, self._changes())

    def finish(self) -> None:
        """Do what is left of it, after it was begun."""
        if self.stage() is Stage.BEFORE:
            self.do()

    def tidy(self) -> None:
        """Nothing is left by an attempt that broke off."""

    def versions(self) -> list[Versions]:
        """Each row as it was, should be and is."""
        return [
            Versions(
                f"{self.deed.path}:{row.table}",
                self.bench.image(row.before),
                self.bench.image(row.after),
                raw_of(self._present(row, change)),
            )
            for row, change in zip(self.deed.rows, self._changes(), strict=True)
        ]

    def _present(self, row: RowChange, change: Change) -> Columns | None:
        names = tuple({**(change.before or {}), **(change.after or {})})
        return present(self.deed.root, self.deed.path, row.table, change.key, names)

    def _changes(self) -> list[Change]:
        return [
            Change(
                row.table,
                columns_of(row.key),
                image_of(self.bench.image(row.before)),
                image_of(self.bench.image(row.after)),
                row.triggers,
            )
            for row in self.deed.rows
        ]

    def _path(self) -> Path:
        return self.bench.ground(self.deed.root).real(self.deed.path)
