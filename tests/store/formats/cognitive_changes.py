"""A graph with a correct index, and independent readers of the result."""

import json
from pathlib import Path
from typing import Any, cast

from store.formats.cognitive.format import FORMAT
from tests.store.formats.changed_stores import Changed, strictly
from tests.store.formats.cognitive_stores import make_small_store

TITLE = "Fixed Redis connection timeouts"
OTHER = "Redis connection drops"
PINNED = "Deploy to production"


def rebuilt(root: Path) -> str:
    """The index as a rebuild would write it."""
    with FORMAT.open(root) as store:
        (one,) = store.rebuild("index")
    return one.after


def made(root: Path) -> Path:
    """A small store with correct derived files."""
    make_small_store(root)
    (root / "_index.json").write_text(rebuilt(root), encoding="utf-8")
    return root


def unindexed(root: Path) -> Path:
    """The same without an index, like most stores."""
    made(root)
    (root / "_index.json").unlink()
    return root


def opened(tmp_path: Path, root: Path | None = None) -> Changed:
    return Changed(root or made(tmp_path / "graph"), FORMAT, tmp_path / "own")


def index_of(store: Changed) -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(store.text("_index.json")))


def assert_sound(store: Changed) -> None:
    """What strict readers find: valid YAML, both sides of links, a true index.

    No memory leads to itself, and no use is counted of one that is not there.
    """
    pages = [*store.root.glob("graph/*/*.md"), *store.root.glob("vault/*.md")]
    headers = {page: strictly(page.read_bytes().decode()) for page in pages}
    edges = {p: h for p, h in headers.items() if p.parent.name == "edges"}
    memories = {str(h["id"]): h for p, h in headers.items() if p not in edges}
    sides = {
        (identifier, relation["target"], relation["type"], relation["direction"])
        for identifier, header in memories.items()
        for relation in cast("list[dict[str, str]]", header.get("relations") or [])
    }
    for start, end, kind, direction in sides:
        assert end in memories
        assert end != start
        back = {"outgoing": "incoming", "incoming": "outgoing"}[direction]
        assert (end, start, kind, back) in sides
    if (store.root / "_state.json").exists():
        assert set(json.loads(store.text("_state.json"))["entries"]) <= set(memories)
    for header in edges.values():
        told = (header["from_id"], header["to_id"], header["type"], "outgoing")
        assert told in sides
        assert memories[header["from_id"]]["title"] == header["from_title"]
        assert memories[header["to_id"]]["title"] == header["to_title"]
    if (store.root / "_index.json").exists():
        assert store.text("_index.json") == rebuilt(store.root)
