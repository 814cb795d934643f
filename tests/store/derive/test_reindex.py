import json

import pytest
from hypothesis import given
from msgspec.structs import replace

from store.derive.memories import entry
from store.findings import MemoryFound
from tests.store.formats.cognitive_generated import MadeMemory, stores
from tests.store.formats.cognitive_stores import read, write


def indexed(made: MadeMemory) -> dict[str, object]:
    """The writer's index entry of a memory."""
    return {
        "title": made.title,
        "type": made.type,
        "tags": list(made.tags),
        "importance": made.importance,
        "confidence": 0.8 if made.confidence is None else made.confidence,
        "created": made.created,
        "updated": made.updated,
        "path": made.path,
        "content_preview": made.body[:80],
    }


@given(stores())
def test_a_matching_index_equals_a_rebuilt_one(
    tmp_path_factory: pytest.TempPathFactory, made: list[MadeMemory]
) -> None:
    root = tmp_path_factory.mktemp("store")
    index = {"version": 2, "entries": {memory.id: indexed(memory) for memory in made}}
    said = {e.key: e for e in read(root, "_index.json", json.dumps(index)).index}
    for memory in made:
        write(root, memory.path, memory.text)
        (found,) = read(root, memory.path).memories
        facts = dict(said[f"id:{memory.id}"].facts)
        assert facts.pop("preview") == memory.body[:80]
        assert entry(found, memory.path) == facts


def test_an_entry_follows_the_memory() -> None:
    memory = MemoryFound(title="One", type="fix", tags=("a", "b"), importance=1)
    assert entry(memory, "graph/fixes/one.md") == {
        "title": "One",
        "type": "fix",
        "tags": "a, b",
        "importance": "1.0",
        "path": "graph/fixes/one.md",
    }
    assert entry(replace(memory, title="Two"), "x")["title"] == "Two"
