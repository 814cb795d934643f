"""Memories renamed, pinned, put away, deleted: their files, and what leads to them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.edits.refusals import NotPossibleError
from store.records.intents import (
    Archive,
    Delete,
    Pin,
    Rename,
    Retag,
)
from tests.store.formats.changed_stores import Changed, strictly
from tests.store.formats.cognitive_changes import (
    OTHER,
    PINNED,
    TITLE,
    assert_sound,
    index_of,
    made,
    opened,
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


def test_a_rename_moves_the_file_and_what_calls_it(store: Changed) -> None:
    planned = store.do(Rename(title="Keepalive for Redis"), store.memory(TITLE))

    path = "graph/solutions/keepalive-for-redis-a1b2c3.md"
    assert store.memory("Keepalive for Redis").path == path
    assert not (store.root / TIMEOUTS_PATH).exists()
    assert 'from_title: "Keepalive for Redis"\n' in store.text(EDGE_PATH)
    assert index_of(store)["entries"][TIMEOUTS]["path"] == path
    assert planned.draft.is_grave
    log, *summaries = planned.draft.warnings
    assert log == (
        f"1 entry of daily logs (episodes/2025-12-13.md) keeps the old path of"
        f" “{TITLE}”, which leads nowhere then: a daily log is only ever added to."
    )
    assert summaries == [
        f"CORE.md keeps the old path of “{TITLE}” until it is made anew.",
        f"REFLECTION.md keeps the old path of “{TITLE}” until it is made anew.",
    ]
    assert_sound(store)


def test_a_pin_moves_a_memory_into_the_vault_and_back(store: Changed) -> None:
    before = store.tree()
    planned = store.do(Pin(), store.memory(TITLE))

    path = "vault/fixed-redis-connection-timeouts-a1b2c3.md"
    assert store.tree()[path] == before[TIMEOUTS_PATH]
    assert store.memory(TITLE).pinned
    assert index_of(store)["entries"][TIMEOUTS]["path"] == path
    assert not planned.draft.is_grave
    assert any("still found" in warning for warning in planned.draft.warnings)
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


def test_a_pin_does_not_overwrite_what_lies_there(store: Changed) -> None:
    write(store.root, "vault/fixed-redis-connection-timeouts-a1b2c3.md", "x")

    with pytest.raises(NotPossibleError, match="already"):
        store.plan(Pin(), store.memory(TITLE))


def test_what_is_put_away_has_no_strength_and_comes_back_with_what_it_had(
    store: Changed,
) -> None:
    before = store.text(TIMEOUTS_PATH)
    store.do(Archive(), store.memory(TITLE))

    assert "importance: 0.0\narchived_importance: 0.8\n" in store.text(TIMEOUTS_PATH)
    assert store.memory(TITLE).stage == "archived"
    assert_sound(store)

    store.do(Archive(archives=False), store.memory(TITLE))

    assert store.text(TIMEOUTS_PATH) == before.replace("2025-12-07T08", "2026-03-01T12")
    with pytest.raises(NotPossibleError, match="unpin it first"):
        store.plan(Archive(), store.memory(PINNED))
    with pytest.raises(NotPossibleError, match="not put away"):
        store.plan(Archive(archives=False), store.memory(TITLE))


def test_a_delete_takes_edges_and_relations_along(store: Changed) -> None:
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


def test_texts_that_name_what_goes_are_told_of(store: Changed) -> None:
    planned = store.do(Delete(), store.memory(PINNED))

    assert planned.draft.warnings[0] == (
        "1 text names “Deploy to production” in [[brackets]] and will go on."
    )


def test_several_may_go_at_once(store: Changed) -> None:
    planned = store.do(Delete(), store.memory(TITLE), store.memory(OTHER))

    assert planned.draft.action == "delete 2 memories"
    assert index_of(store)["count"] == 1
    assert_sound(store)


def test_an_index_that_was_wrong_before_is_left_alone(tmp_path: Path) -> None:
    root = made(tmp_path / "graph")
    index = (root / "_index.json").read_bytes().replace(b'"redis"', b'"rides"', 1)
    (root / "_index.json").write_bytes(index)
    with opened(tmp_path, root) as store:
        planned = store.do(Pin(), store.memory(OTHER))

    assert (root / "_index.json").read_bytes() == index
    assert any("rebuild index" in warning for warning in planned.draft.warnings)


def test_a_copy_is_no_matter_of_the_index(store: Changed) -> None:
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


def test_an_index_that_another_wrote_meanwhile_is_changed_as_it_is_by_then(
    store: Changed,
) -> None:
    planned = store.plan(Retag(add=("x",)), store.memory(OTHER))
    index = store.root / "_index.json"
    index.write_bytes(index.read_bytes().replace(b'"count": 3', b'"count":  3'))

    store.library.change(planned, is_permitted=True)

    assert b'"count":  3' in index.read_bytes()
    assert index_of(store)["entries"][DROPS]["tags"] == ["redis", "timeout", "x"]
