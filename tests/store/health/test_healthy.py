"""A healthy store has no problems."""

import json

from tests.store.catalogue.stores import (
    NOON,
    Shelf,
    linked,
    memory,
    notes,
    own_id,
    write,
)


def test_a_small_healthy_store_of_each_format(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    used = {"access_count": 2, "last_accessed": NOON}
    state = {"version": 1, "entries": {own_id(1): used}}
    write(store, "_state.json", json.dumps(state))
    write(
        store,
        "episodes/2026-03-01.md",
        "# 2026-03-01\n\n## 10:30 - Done\n- **Type:** fix\n"
        "- **Memory:** [one](../graph/fixes/one.md)\n- **Summary:** Done\n",
    )
    notes(shelf.places[0] / ".memory", "tabs", "spaces")

    assert shelf.sync().problems == 0


def test_a_summary_need_not_name_every_memory(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    line = "- [Memory 1](graph/fixes/one.md) (redis)\n"
    write(store, "CORE.md", f"# Memory Core (auto-generated)\n\n## Key Fixes\n{line}")
    (store / "MEMORY.md").symlink_to("CORE.md")

    shelf.sync()

    assert shelf.codes() == []


def test_a_fixed_problem_is_no_longer_reported(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    whole = (store / "graph/fixes/two.md").read_bytes()
    (store / "graph/fixes/two.md").unlink()
    shelf.sync()
    before = shelf.codes()
    write(store, "graph/fixes/two.md", whole)

    shelf.sync()

    assert before == ["dangling-link"]
    assert shelf.codes() == []


def test_checks_keep_to_their_store(shelf: Shelf) -> None:
    linked(shelf.places[0] / "a")
    other = linked(shelf.places[0] / "b")
    write(other, "graph/fixes/copy.md", memory(1))

    shelf.sync()

    (problem,) = shelf.problems()
    assert problem.store == str(other)
