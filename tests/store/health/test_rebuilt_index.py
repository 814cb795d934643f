"""An index that was made anew says what the memories say."""

import json
from pathlib import Path

from store.formats.cognitive import FORMAT
from tests.store.catalogue.stores import Shelf, memory, own_id, relation, write
from tests.store.catalogue.stores import edge as edge_file


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
