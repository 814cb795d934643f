"""For each problem that can be fixed: what is wrong, and the nearest that is not."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from store.formats.cognitive.pages import LARGEST
from tests.store.answers import damages
from tests.store.answers.damages import (
    CORE,
    GONE,
    IN_GRAPHS,
    IN_MEMORIES,
    IN_NOTES,
    INDEX,
    NOTE,
    STATE,
    TASKS,
    Damage,
    appended,
    closed,
    in_json,
    moved,
    private,
    removed,
    replaced,
    written,
)
from tests.store.formats.agent_memory_stores import NOON, lines, task, thing
from tests.store.formats.cognitive_stores import (
    DEPLOY,
    DEPLOY_PATH,
    DROPS,
    DROPS_PATH,
    EDGE,
    EDGE_PATH,
    TIMEOUTS,
    TIMEOUTS_PATH,
    edge_text,
    memory_text,
)
from tests.store.health.near_misses import at_once

VECTORS, MODEL = "_embeddings.json", "nomic-embed-text"


class Case(NamedTuple):
    """What is wrong, and the nearest to it that is not."""

    wrong: Damage
    near: Damage


def graph(root: Path) -> Path:
    """A graph whose scores and vectors are right as well."""
    damages.graph(root)
    entries = {identifier: [0.25] * 768 for identifier in (TIMEOUTS, DROPS, DEPLOY)}
    told = {"model": MODEL, "updated": NOON, "entries": entries}
    (root / VECTORS).write_text(json.dumps(told), "utf-8")
    _score(0.3)(root)
    replaced("CORE.md", "(deploy)", "(redis, timeout)")(root)
    return root


def sheets(root: Path) -> Path:
    """Notes that are all listed, one of them with its whole description."""
    root = damages.notes(root)
    (root / "plain.md").unlink()
    note = NOTE.format("Cat", "It sleeps on every warm page all day long")
    written("cat.md", note)(root)
    _listed("It sleeps on every warm page all day long")(root)
    return root


def _listed(about: str, path: str = "cat.md") -> Damage:
    return appended("MEMORY.md", f"- [Cat]({path}) — {about}\n".encode())


def _score(value: object) -> Damage:
    return in_json(STATE, lambda d: d["entries"][TIMEOUTS].update(decay_score=value))


def _vector(identifier: str, *numbers: float) -> Damage:
    return in_json(VECTORS, lambda d: d["entries"].update({identifier: [*numbers]}))


def _vectors(name: str, value: str) -> Damage:
    return in_json(VECTORS, lambda data: data.update({name: value}))


def _entry(**fields: object) -> Damage:
    return in_json(INDEX, lambda data: data["entries"][DEPLOY].update(fields))


def _edge(number: int, kind: str = "SOLVES") -> Damage:
    """A second file for the edge, or one of another type."""
    path = EDGE_PATH.replace("SOLVES", kind).replace("edfe00", f"edfe{number:02}")
    text = edge_text(kind).replace(EDGE, EDGE.replace("edfe00", f"edfe{number:02}"))
    return written(path, text)


def _line(wrong: object, near: object, file: str = CORE) -> Case:
    """A line at the end of a file."""
    return Case(*(appended(file, b"\n" + lines(one)) for one in (wrong, near)))  # type: ignore[arg-type]  # any JSON


def _index(wrong: Callable[[Any], object], near: Callable[[Any], object]) -> Case:
    return Case(in_json("index.json", wrong), in_json("index.json", near))


OF_GRAPHS: Mapping[str, Case] = {
    "bad-score": Case(_score("high"), _score(None)),
    "core-outdated": Case(
        replaced("CORE.md", "- [Deploy", "[Deploy"),
        replaced("CORE.md", "2025-12-13", "2025-12-14"),
    ),
    "core-over-budget": Case(
        appended("CORE.md", b"x" * LARGEST), appended("CORE.md", b"x" * 11_000)
    ),
    "damaged-json": Case(written(INDEX, '{"version": 2, "ent'), written(INDEX, "{}")),
    "dangling-link": Case(
        IN_GRAPHS["a target that is gone"],
        replaced(TIMEOUTS_PATH, f"target: {DROPS}", f"target: {DROPS.upper()}"),
    ),
    "derived-not-ignored": Case(
        written(".gitignore", "_index.json\n_config.json\n"),
        written(".gitignore", "_*.json\n"),
    ),
    "duplicate-edge": Case(_edge(1), _edge(1, "CAUSES")),
    "duplicate-id": Case(
        IN_GRAPHS["a copy"],
        written("graph/solutions/z-a1b3c2.md", memory_text(f"a1b3{TIMEOUTS[4:]}")),
    ),
    "duplicate-relation": Case(
        IN_GRAPHS["a relation twice"],
        replaced(DROPS_PATH, "strength: 0.8", "strength: 0.9"),
    ),
    "edge-drift": Case(
        replaced(EDGE_PATH, "strength: 0.8", "strength: 0.5"),
        replaced(EDGE_PATH, "strength: 0.8", "strength: 0.80"),
    ),
    "edge-name": Case(
        IN_GRAPHS["an edge of another type"],
        moved(EDGE_PATH, "graph/edges/by-hand.md"),
    ),
    "hash-in-value": Case(
        IN_GRAPHS["a hash"],
        replaced(DROPS_PATH, '"Redis connection drops"', '"Redis # 1"'),
    ),
    "index-count": Case(
        IN_GRAPHS["another count"], in_json(INDEX, lambda data: data.pop("count"))
    ),
    "index-drift": Case(_entry(title="Old"), _entry(unknown="anything")),
    "invalid-yaml": Case(
        IN_GRAPHS["a colon"],
        replaced(DROPS_PATH, '"Redis connection drops"', '"Redis: x"'),
    ),
    "link-leads-out": Case(
        replaced("CORE.md", TIMEOUTS_PATH, "../../elsewhere.md"),
        replaced("CORE.md", TIMEOUTS_PATH, f"./{TIMEOUTS_PATH}"),
    ),
    "lost-link": Case(
        IN_GRAPHS["a lost link"],
        replaced("CORE.md", TIMEOUTS_PATH, f"./{TIMEOUTS_PATH}"),
    ),
    "missing-edge-file": Case(
        IN_GRAPHS["no edge file"], moved(EDGE_PATH, "graph/edges/by-hand.md")
    ),
    "missing-id": Case(
        IN_GRAPHS["no id"], replaced(DROPS_PATH, f"id: {DROPS}", f'id: "{DROPS}"')
    ),
    "missing-type": Case(
        IN_GRAPHS["no type"], replaced(DROPS_PATH, "type: problem", "type: riddle")
    ),
    "missing-vector": Case(
        in_json(VECTORS, lambda data: data["entries"].pop(DEPLOY)),
        _vector(DEPLOY, *[0.5] * 768),
    ),
    "nul-tail": Case(
        IN_GRAPHS["a torn log"], appended("episodes/2025-12-13.md", b"\n\n")
    ),
    "one-sided-link": Case(
        IN_GRAPHS["one side"], replaced(DROPS_PATH, f"    edge_id: {EDGE}\n", "")
    ),
    "orphan-vector": Case(_vector(GONE, *[0.5] * 768), _vector(DEPLOY, *[0.5] * 768)),
    "secret-not-ignored": Case(
        written(".gitignore", "_index.json\n_state.json\n_embeddings.json\n"),
        written(".gitignore", "_*.json\n"),
    ),
    "stale-path": Case(
        replaced("CORE.md", DEPLOY_PATH, "graph/procedures/" + DEPLOY_PATH[6:]),
        replaced("CORE.md", DEPLOY_PATH, f"./{DEPLOY_PATH}"),
    ),
    "stale-score": Case(_score(0.75), _score(0.21)),
    "stale-title": Case(
        IN_GRAPHS["an old title"],
        replaced(EDGE_PATH, '"Redis connection drops"', "Redis connection drops"),
    ),
    "stale-vector": Case(
        _vectors("updated", "2025-12-01T00:00:00+00:00"),
        _vectors("updated", "2025-12-08T00:00:00+00:00"),
    ),
    "state-without-memory": Case(
        IN_GRAPHS["state of nothing"],
        in_json(STATE, lambda data: data["entries"].clear()),
    ),
    "type-folder": Case(
        IN_GRAPHS["another folder"],
        moved(TIMEOUTS_PATH, TIMEOUTS_PATH.replace("fixed", "mended")),
    ),
    "vector-length": Case(_vector(DEPLOY, 1.0, 2.0), _vector(DEPLOY, *[0.5] * 768)),
    "vector-model": Case(_vectors("model", "minilm"), _vectors("model", f"{MODEL}:v1")),
}

OF_MEMORIES: Mapping[str, Case] = {
    "bad-access-count": _line(thing(9, access_count="5"), thing(9, access_count=5)),
    "bad-archived": _line(thing(9, archived="no"), thing(9, archived=False)),
    "bad-category": _line(thing(9, category=["a"]), thing(9, category=None)),
    "bad-count": _index(
        lambda data: data["statistics"].update(total_memories="4"),
        lambda data: data["statistics"].update(more=4),
    ),
    "bad-importance": _line(thing(9, importance="urgent"), thing(9, importance="low")),
    "bad-index": _index(
        lambda data: data.update(tags_index=[]), lambda data: data.update(more=[])
    ),
    "bad-tags": _line(thing(9, tags="a, b"), thing(9, tags=["a, b"])),
    "bad-type": _line(thing(9, "idea"), thing(9, "core")),
    "damaged-json": Case(written("index.json", "{"), removed("index.json")),
    "damaged-line": Case(IN_MEMORIES["half a line"], appended(CORE, b"\n")),
    "duplicate-id": Case(
        IN_MEMORIES["a copy"], appended(CORE, lines(thing(9, content="Newer.")))
    ),
    "glued-lines": Case(
        IN_MEMORIES["two on a line"], appended(CORE, lines(thing(9, content="}{")))
    ),
    "index-drift": Case(
        IN_MEMORIES["an entry less"],
        in_json(
            "index.json", lambda data: data["importance_index"]["medium"].reverse()
        ),
    ),
    "missing-completed-at": _line(
        task(9, "completed"), task(9, "completed", completed_at=NOON), TASKS
    ),
    "missing-fields": _line({"id": thing(9)["id"], "content": "Bare."}, thing(9)),
    "missing-id": _line({"content": "Nobody's.", "type": "core"}, thing(9)),
    "missing-task-metadata": _line(
        thing(9, "task", task_metadata=...), task(9, "blocked", blockers=["x"]), TASKS
    ),
    "old-index": _index(
        lambda data: data.pop("importance_index"),
        lambda data: data.pop("category_index"),
    ),
    "open-permissions": Case(closed(CORE, 0o644), closed(CORE, 0o400)),
    "over-soft-limit": Case(
        private(".memory-config.json", '{"max_learnings": 0}'),
        private(".memory-config.json", '{"max_learnings": 1}'),
    ),
    "stray-blockers": _line(
        task(9, "in-progress", blockers=["x"]),
        task(9, "blocked", blockers=["x"]),
        TASKS,
    ),
    "stray-completed-at": _line(
        task(9, "blocked", blockers=["x"], completed_at=NOON),
        task(9, "completed", completed_at=NOON),
        TASKS,
    ),
    "time-without-zone": _line(
        thing(9, created_at="2026-01-01T00:00:00"),
        thing(9, created_at="2026-01-01T00:00:00+02:00"),
    ),
    "type-mismatch": _line(thing(9, "learning"), thing(9, "core")),
    "unknown-version": _index(
        lambda data: data.update(version="0.9"), lambda data: data.update(more="0.9")
    ),
}

OF_NOTES: Mapping[str, Case] = {
    "hash-in-value": Case(
        IN_NOTES["a hash"], written("hash.md", NOTE.format("Hash", "Number#1"))
    ),
    "invalid-yaml": Case(
        IN_NOTES["a colon"], written("style.md", NOTE.format("Style", "Letters:NYC"))
    ),
    "lost-link": Case(IN_NOTES["a lost line"], _listed("again", "zoe.md")),
    "no-index": Case(
        removed("MEMORY.md"),
        at_once(removed("MEMORY.md"), written("deep/MEMORY.md", "See zoe.\n")),
    ),
    "no-type": Case(
        IN_NOTES["no type"], written("typed.md", NOTE.format("Typed", "b"))
    ),
    "stale-description": Case(
        replaced("MEMORY.md", "every warm page", "no warm page"),
        replaced("MEMORY.md", "It sleeps on every warm page", "A cat, if it is cold,"),
    ),
    "stale-path": Case(
        moved("zoe.md", "deep/zoe.md"), replaced("MEMORY.md", "(zoe.md)", "(./zoe.md)")
    ),
    "unlisted-memory": Case(IN_NOTES["not listed"], appended("zoe.md", b"More.\n")),
}
