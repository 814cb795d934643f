"""Memories renamed, pinned, archived, deleted: their files and links."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.errors import NotPossibleError
from store.records.intents import Archive, Delete, Pin, Rename, Retag, Set
from tests.store.formats.changed_stores import Changed, strictly
from tests.store.formats.cognitive_changes import (
    OTHER,
    PINNED,
    TITLE,
    assert_sound,
    index_of,
    made,
    opened,
    rebuilt,
)
from tests.store.formats.cognitive_stores import (
    DEPLOY,
    DROPS,
    DROPS_PATH,
    EDGE_PATH,
    TIMEOUTS,
    TIMEOUTS_PATH,
    write,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path) as changed:
        yield changed


def test_a_rename_moves_the_file_and_updates_references(store: Changed) -> None:
    planned = store.do(Rename(title="Keepalive for Redis"), store.memory(TITLE))

    path = "graph/solutions/keepalive-for-redis-a1b2c3.md"
    assert store.memory("Keepalive for Redis").path == path
    assert not (store.root / TIMEOUTS_PATH).exists()
    assert 'from_title: "Keepalive for Redis"\n' in store.text(EDGE_PATH)
    assert index_of(store)["entries"][TIMEOUTS]["path"] == path
    assert not planned.draft.is_grave
    old = f"will list the old path of “{TITLE}” until"
    assert planned.draft.warnings == (
        f"CORE.md {old} `recollect rebuild core`.",
        f"REFLECTION.md {old} `recollect rebuild reflection`.",
    )
    assert_sound(store)


def test_a_pin_moves_a_memory_into_the_vault_and_back(store: Changed) -> None:
    before = store.tree()
    planned = store.do(Pin(), store.memory(TITLE))

    path = "vault/fixed-redis-connection-timeouts-a1b2c3.md"
    assert store.tree()[path] == before[TIMEOUTS_PATH]
    assert store.memory(TITLE).pinned
    assert index_of(store)["entries"][TIMEOUTS]["path"] == path
    assert not planned.draft.is_grave
    assert store.problems("lost-link") == []
    assert [step.path for step in planned.draft.steps] == [
        path, "_index.json", TIMEOUTS_PATH
    ]  # fmt: skip
    assert store.plan(Pin(), store.memory(TITLE)).is_idle
    assert_sound(store)

    store.do(Pin(pins=False), store.memory(TITLE))

    assert store.tree()[TIMEOUTS_PATH] == before[TIMEOUTS_PATH]
    store.undo()
    store.undo()
    assert store.tree() == before


def test_a_pin_does_not_overwrite_a_file_in_the_vault(store: Changed) -> None:
    write(store.root, "vault/fixed-redis-connection-timeouts-a1b2c3.md", "x")

    with pytest.raises(NotPossibleError, match="already"):
        store.plan(Pin(), store.memory(TITLE))


def test_archiving_removes_the_strength_and_unarchiving_restores_it(
    store: Changed,
) -> None:
    before = store.text(TIMEOUTS_PATH)
    store.do(Archive(), store.memory(TITLE))

    assert "importance: 0.0\narchived_importance: 0.8\n" in store.text(TIMEOUTS_PATH)
    assert store.memory(TITLE).stage == "archived"
    assert store.memory(TITLE).archived
    assert_sound(store)

    store.do(Archive(archives=False), store.memory(TITLE))

    assert store.text(TIMEOUTS_PATH) == before.replace("2025-12-07T08", "2026-03-01T12")
    with pytest.raises(
        NotPossibleError,
        match=r"“Deploy to production” is pinned; unpin it before archiving\.",
    ):
        store.plan(Archive(), store.memory(PINNED))
    with pytest.raises(NotPossibleError, match="isn't archived"):
        store.plan(Archive(archives=False), store.memory(TITLE))


def test_setting_the_importance_unarchives_a_memory(
    store: Changed,
) -> None:
    store.do(Archive(), store.memory(TITLE))

    store.do(Set(name="importance", value="0.7"), store.memory(TITLE))

    assert "importance: 0.7\nconfidence" in store.text(TIMEOUTS_PATH)
    assert not store.memory(TITLE).archived
    with pytest.raises(NotPossibleError, match="isn't archived"):
        store.plan(Archive(archives=False), store.memory(TITLE))


def test_an_archived_memory_stays_in_the_index(store: Changed) -> None:
    store.do(Archive(), store.memory(TITLE))
    index = index_of(store)
    del index["entries"][TIMEOUTS]
    write(store.root, "_index.json", json.dumps(index))
    store.library.sync()

    messages = [one.message for one in store.problems("index-drift")]
    assert any("does not list" in message for message in messages)


def test_a_delete_removes_edges_and_relations(store: Changed) -> None:
    before = store.tree()

    planned = store.do(Delete(), store.memory(TITLE))

    assert planned.draft.is_grave
    assert {one.title for one in store.memories()} == {PINNED, OTHER}
    assert not (store.root / EDGE_PATH).exists()
    assert "relations" not in strictly(store.text(DROPS_PATH))
    assert "updated: 2025-12-07T08:00:00" in store.text(DROPS_PATH)
    assert set(index_of(store)["entries"]) == {DROPS, DEPLOY}
    assert index_of(store)["edges"] == {}
    assert index_of(store)["count"] == 2
    assert_sound(store)
    store.undo()
    assert store.tree() == before


def test_texts_that_name_a_deleted_memory_are_reported(store: Changed) -> None:
    planned = store.do(Delete(), store.memory(PINNED))

    assert planned.draft.warnings[0] == (
        "1 text mentions “Deploy to production” in [[brackets]]; the links will break."
    )


def test_several_memories_can_be_deleted_at_once(store: Changed) -> None:
    planned = store.do(Delete(), store.memory(TITLE), store.memory(OTHER))

    assert planned.draft.action == "delete 2 memories"
    assert index_of(store)["count"] == 1
    assert_sound(store)


def test_only_the_entries_of_a_change_are_updated_if_others_are_wrong(
    tmp_path: Path,
) -> None:
    root = made(tmp_path / "graph")
    with opened(tmp_path, root) as store:
        wrong = index_of(store)
        wrong["entries"][TIMEOUTS]["title"] = "Old"
        del wrong["entries"][DEPLOY]
        write(root, "_index.json", json.dumps(wrong))
        store.library.sync()
        planned = store.do(Pin(), store.memory(OTHER))

        index = index_of(store)
        assert index["entries"][DROPS]["path"].startswith("vault/")
        assert index["entries"][TIMEOUTS] == wrong["entries"][TIMEOUTS]
        assert index["edges"] == wrong["edges"]
        assert index["entries"].keys() == {TIMEOUTS, DROPS}
        assert not any("index" in warning for warning in planned.draft.warnings)
        assert store.memory(OTHER).problems == ()


def test_a_wrong_entry_is_correct_after_its_change(
    tmp_path: Path,
) -> None:
    root = made(tmp_path / "graph")
    with opened(tmp_path, root) as store:
        wrong = index_of(store)
        wrong["entries"][DROPS] = {"title": "Old", "path": "graph/fixes/old.md"}
        write(root, "_index.json", json.dumps(wrong))
        store.library.sync()
        planned = store.do(Retag(add=("x",)), store.memory(OTHER))

        told = json.loads(rebuilt(root))["entries"][DROPS]
        assert index_of(store)["entries"][DROPS].items() <= told.items()
        assert planned.draft.warnings == ()
        assert store.problems("index-drift") == []


def test_an_unreadable_index_stays_unchanged(tmp_path: Path) -> None:
    root = made(tmp_path / "graph")
    (root / "_index.json").write_text("{", encoding="utf-8")
    with opened(tmp_path, root) as store:
        planned = store.do(Pin(), store.memory(OTHER))

    assert (root / "_index.json").read_text(encoding="utf-8") == "{"
    assert "stays as it is" in " ".join(planned.draft.warnings)


def test_a_copy_in_the_vault_does_not_concern_the_index(store: Changed) -> None:
    write(store.root, "graph/solutions/zz-a1b2c3.md", store.text(TIMEOUTS_PATH))
    store.library.sync()
    index = index_of(store)
    copy = next(one for one in store.memories() if "/zz-" in one.path)

    store.do(Retag(add=("x",)), copy)
    store.do(Delete(), copy)

    assert index_of(store)["entries"] == index["entries"]
    assert store.problems("index-drift") == []


def test_a_store_without_an_index_gets_none(tmp_path: Path) -> None:
    root = made(tmp_path / "graph")
    (root / "_index.json").unlink()
    with opened(tmp_path, root) as store:
        planned = store.do(Retag(add=("x",)), store.memory(OTHER))

    assert len(planned.draft.steps) == 1
    assert not (root / "_index.json").exists()


def test_an_index_written_meanwhile_is_updated(
    store: Changed,
) -> None:
    planned = store.plan(Retag(add=("x",)), store.memory(OTHER))
    index = store.root / "_index.json"
    index.write_bytes(index.read_bytes().replace(b'"count": 3', b'"count":  3'))

    store.library.changes.apply(planned, is_permitted=True)

    assert b'"count":  3' in index.read_bytes()
    assert index_of(store)["entries"][DROPS]["tags"] == ["redis", "timeout", "x"]
