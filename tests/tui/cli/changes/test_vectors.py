"""Problems with the vectors that a store has of its memories, and their fix."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.store.catalogue.stores import cognitive, memory, own_id, write
from tests.store.search.similar.provider import Local
from tests.tui.cli.machine import Machine
from tests.tui.cli.test_embed import by_words
from tests.tui.cli.test_meaning import switch_on

LATER = "2099-01-01T00:00:00+00:00"
ALL = (1, 2)


def vectors(store: Path, entries: Mapping[int, Sequence[float]], **more: str) -> Path:
    """Vectors of some memories, by their numbers."""
    told = {own_id(number): vector for number, vector in entries.items()}
    whole = {"model": "minilm", "updated": LATER, "entries": told, **more}
    write(store, "_embeddings.json", json.dumps(whole, indent=2))
    return store / "_embeddings.json"


@pytest.fixture
def kiln(tmp_path: Path) -> Path:
    """Two memories with good vectors."""
    store = cognitive(tmp_path / "kiln", 0)
    for number in ALL:
        write(
            store, f"graph/fixes/{number}.md", memory(number, title=f"Redis {number}")
        )
    vectors(store, {1: [1, 0], 2: [0, 1]})
    return store


def found(machine: Machine, store: Path) -> dict[str, str]:
    """The messages of the problems with vectors, by code."""
    answer = machine.run("health", "--full", "-s", store, "--json")
    return {
        row["code"]: row["message"]
        for row in answer.rows
        if row["path"] == "_embeddings.json"
    }


def test_good_vectors_are_no_problem(machine: Machine, kiln: Path) -> None:
    assert found(machine, kiln) == {}
    (kiln / "_embeddings.json").unlink()
    assert found(machine, kiln) == {}


def test_each_problem_is_counted_once(machine: Machine, kiln: Path) -> None:
    vectors(kiln, {2: [1, 0]})
    assert found(machine, kiln) == {
        "missing-vector": "1 vector is missing; search by meaning can't find these."
    }
    vectors(kiln, {1: [1, 0], 2: [0, 1], 3: [1, 1], 4: [1, 2]})
    assert found(machine, kiln) == {
        "orphan-vector": "2 vectors are of memories that no longer exist."
    }
    vectors(kiln, {1: [1, 0], 2: [0, 1]}, updated="2001-01-01T00:00:00+00:00")
    assert found(machine, kiln) == {
        "stale-vector": "2 vectors are older than the memory."
    }
    vectors(kiln, {1: [1, 0], 2: [0, 1, 0]})
    assert found(machine, kiln) == {
        "vector-length": "1 vector is damaged, or of another length."
    }


def test_vectors_of_another_model_than_in_the_settings(
    machine: Machine, kiln: Path
) -> None:
    settings = {
        "embedding_provider": "openai",
        "openai_model": "text-embedding-3-small",
    }
    write(kiln, "_config.json", json.dumps(settings))
    other = found(machine, kiln)
    settings = {"embedding_provider": "ollama", "ollama_model": "minilm:v1.5"}
    write(kiln, "_config.json", json.dumps(settings))

    assert other["vector-model"] == (
        "Made by “minilm”; the settings name “text-embedding-3-small”."
    )
    assert "vector-model" not in found(machine, kiln)


def test_what_is_wrong_goes_and_undo_brings_it_back(
    machine: Machine, kiln: Path
) -> None:
    file = vectors(kiln, {1: [1, 0], 2: [0, 1], 3: [1, 1], 4: [1, 1, 1]})
    before = file.read_bytes()
    found(machine, kiln)
    plan = machine.run(
        "health", "--fix", "orphan-vector", "vector-length", "-s", kiln, "--dry-run"
    )
    fixed = machine.run(
        "health", "--fix", "orphan-vector", "vector-length", "-s", kiln, "--yes"
    )
    after = json.loads(file.read_bytes())
    undone = machine.run("undo", "-s", kiln)

    assert "…" in plan.out
    assert "0.5" not in plan.out
    assert fixed.code == 0, fixed.err
    assert after["entries"] == {own_id(1): [1, 0], own_id(2): [0, 1]}
    assert undone.code == 0, undone.err
    assert file.read_bytes() == before


def test_made_vectors_are_written_into_the_store_on_request(
    machine: Machine, kiln: Path
) -> None:
    file = kiln / "_embeddings.json"
    file.unlink()
    nothing = machine.run("rebuild", "embeddings", "-s", kiln, "--yes")
    with Local(by_words) as local:
        switch_on(machine, local)
        machine.run("embed", "-s", kiln)
    written = machine.run("rebuild", "embeddings", "-s", kiln, "--yes")
    made = json.loads(file.read_bytes())
    write(kiln, "graph/fixes/3.md", memory(3, title="New"))
    later = machine.run("rebuild", "embeddings", "-s", kiln, "--yes", "--dry-run")
    machine.run("undo", "-s", kiln)

    assert nothing.code == 1
    assert "No vectors to write; run `recollect embed` first." in nothing.err
    assert written.code == 0, written.err
    assert made["model"] == "nomic-embed-text"
    assert made["entries"] == {own_id(number): [1.0, 0.0] for number in ALL}
    assert "1 memory has no vector; `recollect embed` makes them." in (
        later.out + later.err
    )
    assert not file.exists()


def test_a_vector_that_was_made_here_is_as_old_as_its_text(
    machine: Machine, kiln: Path
) -> None:
    file = kiln / "_embeddings.json"
    with Local(by_words) as local:
        switch_on(machine, local)
        machine.run("embed", "-s", kiln)
    machine.run("rebuild", "embeddings", "-s", kiln, "--yes")
    tagged = memory(1, title="Redis 1", tags="[new]", updated=LATER)
    write(kiln, "graph/fixes/1.md", tagged)
    same = found(machine, kiln)
    write(kiln, "graph/fixes/2.md", memory(2, title="Redis 2", body="No new date."))
    changed = found(machine, kiln)
    before = file.read_bytes()
    fixed = machine.run("health", "--fix", "stale-vector", "-s", kiln, "--yes")
    after = json.loads(file.read_bytes())
    machine.run("undo", "-s", kiln)

    assert "stale-vector" not in same
    assert changed["stale-vector"] == "1 vector is older than the memory."
    assert fixed.code == 0, fixed.err
    assert list(after["entries"]) == [own_id(1)]
    assert file.read_bytes() == before
