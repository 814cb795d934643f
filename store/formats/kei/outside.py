"""What belongs to a store and lies elsewhere: the ledger, and what settings moved.

Each is one file, named exactly; nothing else of its folder is listed or opened.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from store.formats.kei.layout import Role
from store.machine import Machine

MEMORY_DB = "KEI_MEMORY_DB"
LEDGER_DB = "KEI_LEDGER_DB"
TLOG_JOURNAL = "KEI_TLOG_JOURNAL"
"""The settings that name a database, a ledger, a journal of tasks."""


class Outside(NamedTuple):
    """A file that lies elsewhere."""

    path: str
    """Relative to the store."""
    file: Path
    """Where it is."""
    role: Role
    """What it is to the store."""


def home_of(machine: Machine) -> Path:
    """Where the kit keeps its store; no setting moves it."""
    return machine.home / ".claude" / "memory"


def outside(store: Path, machine: Machine) -> Iterator[Outside]:
    """What may lie elsewhere; settings hold for the machine's own store alone."""
    is_home = os.path.realpath(home_of(machine)) == str(store)
    ledger = machine.folder(LEDGER_DB) if is_home else None
    if ledger is None and store.name == "memory":
        ledger = store.parent / "agents" / "ledger.sqlite"
    if ledger:
        yield _outside(store, ledger, Role.LEDGER)
    if not is_home:
        return
    moved = ((MEMORY_DB, Role.DATABASE), (TLOG_JOURNAL, Role.TASKS))
    for variable, role in moved:
        file = machine.folder(variable)
        if file:
            yield _outside(store, file, role)


def _outside(store: Path, file: Path, role: Role) -> Outside:
    return Outside(Path(os.path.relpath(file, store)).as_posix(), file, role)
