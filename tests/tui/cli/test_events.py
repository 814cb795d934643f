"""`sync --events`, as the browser uses it."""

import json
from pathlib import Path

from store.library import Library
from tests.store.catalogue.stores import cognitive, memory, write
from tests.tui.cli.machine import Machine


def test_progress_and_changes_are_reported(machine: Machine) -> None:
    store = cognitive(machine.home / "store", 2)

    progress, done = machine.run("sync", "--events", "-s", store).rows

    assert progress == {"event": "progress", "done": 2, "total": 2}
    (moved,) = done["moved"]
    assert (done["event"], done["changed"], done["move"]) == ("done", 2, 1)
    assert moved["store"] == str(store)
    assert moved["kinds"] == ["edges", "episodes", "memories", "problems"]


def test_an_unchanged_store_is_reported_too(machine: Machine) -> None:
    store = cognitive(machine.home / "store", 2)
    machine.run("sync", "-s", store)

    (done,) = machine.run("sync", "--events", "-s", store).rows

    assert (done["event"], done["changed"], done["moved"]) == ("done", 0, [])


def test_changes_read_by_another_process_are_reported(
    machine: Machine,
) -> None:
    store = cognitive(machine.home / "store", 2)
    machine.run("sync", "-s", store)
    with Library(machine.cache / "catalogue.db", 0) as library:
        since = str(library.index.newest_move())
    write(store, "graph/fixes/memory-3.md", memory(3))
    machine.run("sync", "-s", store)

    (done,) = machine.run("sync", "--events", "--since", since, "-s", store).rows

    assert [moved["store"] for moved in done["moved"]] == [str(store)]


def test_a_failure_is_an_event(machine: Machine) -> None:
    answer = machine.run("sync", "--events", "-s", machine.home / "nowhere")

    assert answer.code == 1
    assert answer.rows == [
        {
            "event": "failed",
            "message": f"{machine.home}/nowhere does not exist.",
            "index": False,
        }
    ]


def test_a_name_that_is_not_text_is_reported(machine: Machine) -> None:
    store = machine.home / "odd-\udcff"
    try:
        cognitive(store, 1)
    except OSError:
        return

    *_, last = machine.run("sync", "--events", "-s", store).out.splitlines()

    (moved,) = json.loads(last)["moved"]
    assert Path(moved["store"]) == store
