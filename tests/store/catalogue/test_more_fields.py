"""Fields that only some stores have: category, status, session, model, cost, decay."""

import json
import math
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from store.catalogue.reader import Page
from store.search.parse import parse
from tests.store.catalogue.stores import Shelf, memory, note, own_id, write
from tests.store.formats.agent_memory_stores import lines, task, thing
from tests.store.formats.kei_databases import make_ledger


def found(shelf: Shelf, kind: str, query: str) -> int:
    tree = parse(query, [kind], is_finished=True).tree
    with shelf.opened() as library:
        return library.lists.count(kind, tree)


def test_tasks_are_found_by_category_and_status(shelf: Shelf) -> None:
    store = shelf.places[0] / "memories"
    things = [thing(1, category="style"), thing(2)]
    write(store, "core_memories.jsonl", lines(*things))
    write(store, "tasks.jsonl", lines(task(3, "blocked"), task(4)))
    shelf.sync()

    assert found(shelf, "memories", "category:style") == 1
    assert found(shelf, "memories", "status:blocked") == 1
    assert found(shelf, "memories", "status:in-progress") == 1
    with shelf.opened() as library:
        tree = parse("", ["memories"]).tree
        facets = library.search.facets("memories", tree)
    assert [share.value for share in facets["status"]] == ["blocked", "in-progress"]


def test_a_note_is_found_by_the_session_that_wrote_it(shelf: Shelf) -> None:
    text = note("tabs").replace("type:", "originSessionId: abc-123\ntype:")
    write(shelf.places[0] / ".memory", "tabs.md", text)
    write(shelf.places[0] / ".memory", "spaces.md", note("spaces"))
    shelf.sync()

    assert shelf.memory("tabs").session == "abc-123"
    assert found(shelf, "memories", "session:abc") == 1


def test_agents_are_found_by_model_branch_tokens_and_cost(shelf: Shelf) -> None:
    store = shelf.places[0] / "memory"
    task_line = json.dumps({"kind": "task", "name": "a", "duration_s": 1})
    write(store, "time-metrics/tasks.jsonl", f"{task_line}\n")
    ledger = store.parent / "agents/ledger.sqlite"
    ledger.parent.mkdir()
    make_ledger(ledger)
    with closing(sqlite3.connect(ledger)) as database:
        database.execute(
            "UPDATE agents SET model = 'opus-4', tokens_in = 10, tokens_out = 5, "
            "cost_micro_cents = 2000000 WHERE id = 'toolu_1'"
        )
        database.commit()
    shelf.sync()

    for query in (
        "status:done",
        "model:opus",
        "tokens:15",
        "cost>.01",
        "branch:review",
    ):
        assert found(shelf, "agents", query) == 1
    assert found(shelf, "agents", "cost>.03") == 0
    with shelf.opened() as library:
        for sort in ("model", "branch", "tokens", "cost"):
            assert library.lists.order("agents", Page(sort=sort))


@pytest.fixture
def fading(shelf: Shelf) -> Path:
    store = shelf.places[0] / "a"
    text = memory(1, importance="1.0", updated=shelf.now, created=shelf.now)
    write(store, "graph/fixes/one.md", text)
    entry = {"access_count": 1, "last_accessed": shelf.now, "decay_score": 0.25}
    state = {"version": 1, "entries": {own_id(1): entry}}
    write(store, "_state.json", json.dumps(state))
    shelf.sync()
    return store


@pytest.mark.usefixtures("fading")
def test_a_memory_says_when_its_next_stage_begins(shelf: Shelf) -> None:
    (one,) = shelf.memories()

    assert (one.strength, one.stage) == (1.0, "active")
    assert one.fades_in == round(math.log(1.0 / 0.5) / 0.03, 1) == 23.1
    assert found(shelf, "memories", "fades_in<24") == 1
    assert found(shelf, "memories", "fades_in<23") == 0


@pytest.mark.usefixtures("fading")
def test_the_stored_score_is_beside_the_computed_one(shelf: Shelf) -> None:
    (one,) = shelf.memories()

    assert (one.strength, one.stored_strength) == (1.0, 0.25)
    assert found(shelf, "memories", "stored<.3 strength>.9") == 1
