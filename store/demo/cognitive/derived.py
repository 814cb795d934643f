"""The files that a cognitive store derives or keeps to its machine."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from struct import iter_unpack

from store.demo.cognitive.edges import Edge
from store.demo.cognitive.placed import Placed
from store.demo.cognitive.scores import score
from store.demo.days import iso
from store.demo.model import Graph

PREVIEW = 160
"""How much of its text a memory's index entry keeps, in characters."""

EMBEDDED = 8
DIMENSIONS = 768
MODEL = "nomic-embed-text"


def index(
    placed: Mapping[str, Placed], edges: Sequence[Edge], graph: Graph, built: datetime
) -> str:
    """`_index.json`: all headers in one file."""
    entries = {one.id: _entry(one, edges) for one in placed.values()}
    if graph.blemishes.stale_index_title:
        slug, title = graph.blemishes.stale_index_title
        entries[placed[slug].id]["title"] = title
    whole = {
        "version": 2,
        "updated": iso(built),
        "count": len(entries),
        "edges": {edge.id: _edge(edge) for edge in edges if edge.id},
        "entries": entries,
    }
    return _json(whole)


def state(placed: Mapping[str, Placed], scored: datetime) -> tuple[str, datetime]:
    """`_state.json` and its last change: accesses as they are, scores as they were."""
    used = [one for one in placed.values() if one.created < scored or one.accessed]
    changed = max([scored, *(one.accessed for one in used if one.accessed)])
    entries = {
        one.id: {
            "access_count": one.memory.uses,
            "last_accessed": iso(one.accessed or one.updated),
            "decay_score": score(one, scored),
        }
        for one in used
    }
    return _json({"version": 1, "updated": iso(changed), "entries": entries}), changed


def embeddings(placed: Mapping[str, Placed], made: datetime) -> str:
    """`_embeddings.json`: vectors of the right shape for the oldest memories."""
    first = list(placed.values())[:EMBEDDED]
    entries = {one.id: _vector(one.id) for one in first}
    whole = {"model": MODEL, "updated": iso(made), "entries": entries}
    return json.dumps(whole) + "\n"


def config() -> str:
    """`_config.json`, with a key that no one could take for a real one."""
    return _json(
        {
            "embedding_provider": "ollama",
            "openai_api_key": "sk-demo-this-is-not-a-real-key",
            "ollama_model": MODEL,
            "openai_model": "text-embedding-3-small",
        }
    )


def _entry(one: Placed, edges: Sequence[Edge]) -> dict[str, object]:
    memory = one.memory
    return {
        "title": memory.title,
        "type": memory.type,
        "tags": list(memory.tags),
        "importance": memory.importance,
        "confidence": memory.confidence,
        "created": iso(one.created),
        "updated": iso(one.updated),
        "path": one.path,
        "relations": [
            *(
                _relation(edge, edge.end, "outgoing")
                for edge in edges
                if edge.start is one
            ),
            *(
                _relation(edge, edge.start, "incoming")
                for edge in edges
                if edge.end is one
            ),
        ],
        "content_preview": " ".join(memory.body.split())[:PREVIEW],
    }


def _relation(edge: Edge, target: Placed, direction: str) -> dict[str, object]:
    return {
        "target": target.id,
        "type": edge.link.type,
        "direction": direction,
        "strength": edge.link.strength,
        "context": edge.link.context,
    }


def _edge(edge: Edge) -> dict[str, object]:
    return {
        "type": edge.link.type,
        "from_id": edge.start.id,
        "to_id": edge.end.id,
        "strength": edge.link.strength,
        "path": edge.path,
    }


def _vector(seed: str) -> list[float]:
    """Numbers in the range of a real embedding; what they mean, nobody knows."""
    raw = hashlib.shake_256(seed.encode()).digest(DIMENSIONS * 2)
    return [round(number / 32768 / 10, 4) for (number,) in iter_unpack(">h", raw)]


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
