"""Strict readers of the files of a store, independent of this program."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

import yaml

from tests.store.answers.damages import INDEX
from tests.store.formats.agent_memory_stores import DOCUMENT


def is_read_strictly(path: str, raw: bytes) -> bool:
    """Whether a file is valid for strict readers."""
    try:
        text = raw.decode()
        if path.endswith(".jsonl"):
            return all(map(_is_map, filter(str.strip, text.split("\n"))))
        if path.endswith(".json"):
            return _is_map(text)
        if path.endswith(".md") and text.startswith("---\n"):
            header = text.split("---\n", 2)[1]
            return isinstance(yaml.safe_load(header), dict)
    except (ValueError, yaml.YAMLError, IndexError):
        return False
    return True


def _is_map(text: str) -> bool:
    return isinstance(json.loads(text), dict)


def says_what_files_say(root: Path) -> bool:
    """Whether an index has exactly what strict readers find in the files."""
    if (root / INDEX).exists():
        return _graph_index_is_true(root)
    if (root / "index.json").exists():
        return _memory_index_is_true(root)
    return True


def _graph_index_is_true(root: Path) -> bool:
    index = json.loads((root / INDEX).read_bytes())
    pages = _headers(root)
    edges = {
        path: one for path, one in pages.items() if path.startswith("graph/edges/")
    }
    memories = {path: one for path, one in pages.items() if path not in edges}
    told = {
        (name, entry["path"], entry["title"], _relations_in(entry))
        for name, entry in index["entries"].items()
    }
    real = {
        (one["id"], path, one["title"], _relations_in(one))
        for path, one in _first(memories)
        if one.get("id")
    }
    listed = {(name, one["path"], one["type"]) for name, one in index["edges"].items()}
    filed = {(one["id"], path, one["type"]) for path, one in _first(edges)}
    return (told, listed, index["count"]) == (real, filed, len(real))


def _first(pages: Mapping[str, dict[str, Any]]) -> Iterable[tuple[str, dict[str, Any]]]:
    """The first page by path of each identifier."""
    found: dict[object, tuple[str, dict[str, Any]]] = {}
    for path in sorted(pages):
        found.setdefault(pages[path].get("id", path), (path, pages[path]))
    return found.values()


def _relations_in(told: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    keys = ("target", "type", "direction", "context")
    relations = cast("list[dict[str, Any]]", told.get("relations") or [])
    return tuple(sorted(tuple(str(one.get(k)) for k in keys) for one in relations))


def _memory_index_is_true(root: Path) -> bool:
    index = json.loads((root / "index.json").read_bytes())
    things: dict[str, dict[str, Any]] = {}
    for path in sorted([*root.glob("*.jsonl"), *root.glob("*.json")]):
        if path.name != "index.json" and not path.name.startswith("."):
            for one in _things(path):
                things.setdefault(str(one.get("id")), one)
    live = {name: one for name, one in things.items() if not one.get("archived")}
    tags = {tag for one in live.values() for tag in one["tags"]}
    return (
        index["statistics"]["total_memories"] == len(live)
        and index["tags_index"]
        == {
            tag: [
                name
                for name in index["tags_index"].get(tag, ())
                if tag in live[name]["tags"]
            ]
            for tag in tags
        }
        and all(
            {*index["tags_index"][tag]}
            == {n for n, one in live.items() if tag in one["tags"]}
            for tag in tags
        )
    )


def _things(path: Path) -> Iterable[dict[str, Any]]:
    if path.suffix == ".jsonl":
        return [
            json.loads(line)
            for line in path.read_text("utf-8").splitlines()
            if line.strip()
        ]
    lists = json.loads(path.read_text("utf-8"))
    return [
        one for name in DOCUMENT if name != "metadata" for one in lists.get(name, ())
    ]


def _headers(root: Path) -> dict[str, dict[str, Any]]:
    """The headers of all pages of a graph, as YAML reads them."""
    pages = [*root.glob("graph/*/*.md"), *root.glob("vault/*.md")]
    return {
        page.relative_to(root).as_posix(): cast(
            "dict[str, Any]",
            yaml.safe_load(page.read_text("utf-8").split("---\n", 2)[1]),
        )
        for page in pages
    }
