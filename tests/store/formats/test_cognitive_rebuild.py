"""The index rebuilt from the files."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from store.errors import RefusedError
from store.formats.cognitive.format import FORMAT
from store.formats.port import Rebuilt
from tests.examples import examples
from tests.store.formats.cognitive_generated import MadeMemory, stores
from tests.store.formats.cognitive_stores import (
    DEPLOY,
    DEPLOY_PATH,
    DROPS,
    EDGE,
    EDGE_PATH,
    TIMEOUTS,
    TIMEOUTS_PATH,
    index,
    make_small_store,
    memory_text,
    write,
)
from tests.store.formats.contract import tree


@pytest.fixture
def root(tmp_path: Path) -> Path:
    make_small_store(tmp_path)
    return tmp_path


def rebuilt(root: Path) -> Rebuilt:
    with FORMAT.open(root) as store:
        (one,) = store.rebuild("index")
    return one


def content(root: Path) -> dict[str, Any]:
    return json.loads(rebuilt(root).after)


def test_an_index_is_built_from_memories_and_edge_files(root: Path) -> None:
    (root / "_index.json").unlink()
    made = content(root)
    assert {key: made[key] for key in ("version", "updated", "count")} == {
        "version": 2,
        "updated": "2025-12-07T08:00:00+00:00",
        "count": 3,
    }
    assert made["edges"] == index()["edges"]
    assert list(made["entries"]) == [DROPS, TIMEOUTS, DEPLOY]
    assert made["entries"][TIMEOUTS] == {
        "title": "Fixed Redis connection timeouts",
        "type": "solution",
        "tags": ["redis", "timeout"],
        "importance": 0.8,
        "confidence": 0.9,
        "created": "2025-12-06T16:25:58+00:00",
        "updated": "2025-12-07T08:00:00+00:00",
        "path": TIMEOUTS_PATH,
        "relations": [
            {
                "target": DROPS,
                "type": "SOLVES",
                "direction": "outgoing",
                "strength": 0.8,
                "context": "Keepalive prevents idle disconnections",
            }
        ],
        "content_preview": "See [[deploy to production]].",
    }


@examples(30)
@given(stores())
def test_a_rebuilt_index_stays_unchanged(
    tmp_path_factory: pytest.TempPathFactory, made: list[MadeMemory]
) -> None:
    root = tmp_path_factory.mktemp("store")
    for memory in made:
        write(root, memory.path, memory.text)
    first = rebuilt(root).after
    write(root, "_index.json", first)
    assert rebuilt(root).after == first
    assert set(json.loads(first)["entries"]) == {memory.id for memory in made}


def test_a_rebuilt_index_keeps_some_of_the_old_one(root: Path) -> None:
    old = index()
    old["entries"] = dict(reversed(content(root)["entries"].items()))
    old["generator"] = "another program"
    old["entries"][DEPLOY]["content_preview"] = "Added"
    del old["edges"]
    write(root, "_index.json", json.dumps(old, indent=4))

    one = rebuilt(root)
    made = json.loads(one.after)

    assert one.after == json.dumps(made, indent=4)
    assert list(made["entries"]) == list(old["entries"])
    assert made["generator"] == "another program"
    assert made["updated"] == old["updated"] == "2025-12-13T10:30:00+00:00"
    assert made["entries"][DEPLOY]["content_preview"] == "Added"
    assert list(made["edges"]) == [EDGE]


def test_a_correct_index_keeps_even_its_old_time(root: Path) -> None:
    right = {**content(root), "updated": "2020-01-01T00:00:00+00:00"}
    write(root, "_index.json", json.dumps(right))
    one = rebuilt(root)
    assert one.after == one.before


def test_files_that_cannot_be_indexed_are_left_out_and_reported(root: Path) -> None:
    write(root, "graph/fixes/copy.md", memory_text(DROPS, "fix", "A copy"))
    write(root, "graph/fixes/nameless.md", "---\ntitle: One\n---\n\nText.\n")
    write(root, "graph/edges/endless.md", "---\nid: x\nfrom_id: y\n---\n")
    write(root, "graph/edges/z.md", (root / EDGE_PATH).read_bytes())
    one = rebuilt(root)
    assert json.loads(one.after)["count"] == 3
    assert json.loads(one.after)["entries"][DROPS]["title"] == "A copy"
    assert one.warnings == (
        (
            "graph/edges/endless.md is skipped: The edge doesn't name both of "
            "its memories."
        ),
        f"graph/edges/z.md is skipped: {EDGE_PATH} has the same id.",
        "graph/fixes/nameless.md is skipped: no id.",
        (
            "graph/problems/redis-connection-drops-def789.md is skipped: "
            "graph/fixes/copy.md has the same id."
        ),
    )


def test_a_damaged_memory_is_indexed_and_reported(root: Path) -> None:
    text = memory_text(DEPLOY, "procedure").replace('timeouts"', "timeouts")
    write(root, DEPLOY_PATH, text)
    one = rebuilt(root)
    assert json.loads(one.after)["count"] == 3
    (warning,) = one.warnings
    assert warning.startswith(f"{DEPLOY_PATH} is damaged: ")


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b"\xff\xfe", b'{"entries": 1}'])
def test_a_damaged_index_is_rebuilt(root: Path, damage: bytes) -> None:
    write(root, "_index.json", damage)
    one = rebuilt(root)
    assert one.before is not None
    assert one.before.encode(errors="surrogateescape") == damage
    assert json.loads(one.after)["count"] == 3


def test_an_index_that_leads_out_of_the_store_is_refused(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = write(tmp_path_factory.mktemp("out"), "index.json", "{}")
    (root / "_index.json").unlink()
    (root / "_index.json").symlink_to(outside)
    with pytest.raises(RefusedError):
        rebuilt(root)


def test_rebuilding_in_memory_writes_nothing(root: Path) -> None:
    before = tree(root)
    rebuilt(root)
    assert tree(root) == before


def test_other_derived_files_cannot_be_rebuilt_from_the_files_alone(root: Path) -> None:
    with FORMAT.open(root) as store:
        assert list(store.rebuild("core")) == []
    assert FORMAT.rebuilds == {"index", "state", "core", "reflection", "embeddings"}
