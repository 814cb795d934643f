"""An index that was made anew says what the memories say."""

import json
from pathlib import Path

from store.formats.agent_memory import FORMAT as AGENT_MEMORY
from store.formats.cognitive import FORMAT
from tests.store.catalogue.stores import Shelf, memory, own_id, relation, write
from tests.store.catalogue.stores import edge as edge_file
from tests.store.formats import agent_memory_stores as agent_memories


def make_anew(store: Path) -> None:
    with FORMAT.open(store) as opened:
        (rebuilt,) = opened.rebuild("index")
    write(store, rebuilt.path, rebuilt.after)


def test_a_rebuilt_index_has_not_drifted(shelf: Shelf) -> None:
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
    assert shelf.codes() == ["index-drift"] * 3

    make_anew(store)
    shelf.sync()
    assert shelf.codes() == []


def test_an_index_of_agent_memories_is_held_against_them(shelf: Shelf) -> None:
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
    assert any("counts 3 memories as all, and there are 2" in text for text in told)
    assert any("an old tags" in text for text in told)
