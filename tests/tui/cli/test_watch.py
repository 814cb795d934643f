"""`sync --watch` continues: changes are read, and reported in one line."""

import json
import os
import signal

from tests.store.catalogue.stores import cognitive, memory, write
from tests.tui.cli.machine import Machine


def test_files_written_meanwhile_are_read(machine: Machine) -> None:
    store = cognitive(machine.home / "store", 2)
    process = machine.start("sync", "--watch", "--json", "-s", store)
    assert process.stdout is not None

    first = json.loads(process.stdout.readline())
    write(store, "graph/fixes/memory-3.md", memory(3))
    second = json.loads(process.stdout.readline())
    (store / "graph/fixes/memory-3.md").unlink()
    third = json.loads(process.stdout.readline())
    os.killpg(process.pid, signal.SIGINT)
    _, complaint = process.communicate()

    told = [(each["changed"], each["removed"]) for each in (first, second, third)]
    assert told == [(2, 0), (1, 0), (0, 1)]
    assert complaint == b""
    assert process.returncode == 130
