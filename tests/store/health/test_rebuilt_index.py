"""A rebuilt index matches the memories."""

import json
from pathlib import Path

from store.formats.agent_memory.format import FORMAT as AGENT_MEMORY
from store.formats.cognitive.format import FORMAT
from tests.store.catalogue.stores import Shelf, memory, own_id, relation, write
from tests.store.catalogue.stores import edge as edge_file
from tests.store.formats import agent_memory_stores as agent_memories


def make_anew(store: Path) -> None:
    with FORMAT.open(store) as opened:
        (rebuilt,) = opened.rebuild("index")
    write(store, rebuilt.path, rebuilt.after)


def test_a_rebuilt_index_is_up_to_date(shelf: Shelf) -> None:
    store = shelf.places[0] / "a"
    name = own_id(9)
    write(store, "vault/one.md", memory(1, relation(2, "outgoing", edge=name)))
    write(store, "graph/fixes/two.md", memory(2, relation(1, "incoming", edge=name)))
    write(store, "graph/edges/one--SOLVES--two-000009.md", edge_file(9, 1, 2))
    gone = {"title": "Gone", "path": "graph/fixes/gone.md"}
    old = {"title": "Old", "path": "graph/fixes/one.md"}
    stale = {"version": 2, "edges": {}, "entries": {own_id(3): gone, own_id(1): old}}
    write(store, "_index.json", json.dumps(stale))
    shelf.sync()
    assert shelf.codes() == ["index-drift"] * 4

    make_anew(store)
    shelf.sync()
    assert shelf.codes() == []


def test_an_index_of_agent_memories_is_compared_with_them(shelf: Shelf) -> None:
    store = shelf.places[0] / "agents"
    lines = agent_memories.lines(agent_memories.thing(1), agent_memories.thing(2))
    write(store, "core_memories.jsonl", lines)
    write(store, "index.json", "{}")
    with AGENT_MEMORY.open(store) as opened:
        (rebuilt,) = opened.rebuild("index")
    write(store, "index.json", rebuilt.after)
    shelf.sync()
    assert "index-drift" not in shelf.codes()

    index = json.loads(rebuilt.after)
    index["statistics"]["total_memories"] += 1
    index["tags_index"] = {"kiln": [agent_memories.own_id(1)]}
    write(store, "index.json", json.dumps(index))
    shelf.sync()

    told = [p.message for p in shelf.problems() if p.code == "index-drift"]
    assert any("says 3 memories; there are 2" in text for text in told)
    assert any("an outdated list of tags" in text for text in told)


def test_of_several_copies_an_index_lists_the_active_one(shelf: Shelf) -> None:
    store = shelf.places[0] / "agents"
    active, archived = (
        agent_memories.thing(1, "learning", tags=[tag], archived=tag == "old")
        for tag in ("new", "old")
    )
    path = "archive/2025/learnings_2025_Q4.jsonl"
    write(store, "learnings.jsonl", agent_memories.lines(active))
    write(store, path, agent_memories.lines(archived))
    write(store, "index.json", "{}")
    with AGENT_MEMORY.open(store) as opened:
        (rebuilt,) = opened.rebuild("index")
    write(store, "index.json", rebuilt.after)
    shelf.sync()

    assert json.loads(rebuilt.after)["tags_index"].keys() == {"new"}
    assert "index-drift" not in shelf.codes()
