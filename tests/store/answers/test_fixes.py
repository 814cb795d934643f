"""Several fixes in one change: each is planned on the result of the previous."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.discover import Found
from store.errors import NotPossibleError
from store.formats.agent_memory.format import FORMAT as AGENT_MEMORY
from store.formats.notes.format import FORMAT as NOTES
from tests.store.formats.agent_memory_changes import index_agrees, rows
from tests.store.formats.agent_memory_stores import (
    DOCUMENT,
    NOON,
    lines,
    make_small_store,
    own_id,
    thing,
)
from tests.store.formats.agent_memory_stores import write as write_lines
from tests.store.formats.changed_stores import Changed
from tests.store.formats.cognitive_changes import assert_sound, index_of, opened
from tests.store.formats.cognitive_stores import (
    DEPLOY,
    DROPS,
    DROPS_PATH,
    EDGE_PATH,
    TIMEOUTS_PATH,
    write,
)
from tests.store.formats.notes_changes import kept

GONE = "99999999-0000-4000-8000-000000000000"


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path) as changed:
        yield changed


@pytest.fixture
def memories(tmp_path: Path) -> Iterator[Changed]:
    root = tmp_path / "memories"
    root.mkdir(mode=0o700)
    make_small_store(root)
    with Changed(root, AGENT_MEMORY, tmp_path / "own") as changed:
        yield changed


def spoil(store: Changed, path: str, old: str, new: str) -> None:
    text = store.text(path)
    assert old in text
    write(store.root, path, text.replace(old, new, 1))


def test_an_index_is_rebuilt_from_the_fixed_links(graph: Changed) -> None:
    index = index_of(graph)
    index["entries"][DEPLOY]["title"] = "Old"
    write(graph.root, "_index.json", json.dumps(index))
    spoil(graph, TIMEOUTS_PATH, f"target: {DROPS}", f"target: {GONE}")
    spoil(graph, EDGE_PATH, "Redis connection drops", "Redis drops")
    graph.library.sync()
    before = graph.tree()

    planned = graph.fix("dangling-link", "one-sided-link", "stale-title", "index-drift")

    assert planned.left == ()
    assert graph.codes() == []
    assert_sound(graph)
    graph.undo()
    assert graph.tree() == before


def test_a_fix_that_enables_another_comes_first(graph: Changed) -> None:
    """The file has no id that could be read before its header is valid."""
    spoil(graph, DROPS_PATH, 'title: "Redis connection drops"', "title: Redis: drops")
    (graph.root / "_index.json").unlink()
    graph.library.sync()

    graph.fix()

    assert graph.fixable() == []
    assert 'to_title: "Redis: drops"' in graph.text(EDGE_PATH)


def test_a_restored_document_is_in_the_rebuilt_index(memories: Changed) -> None:
    write_lines(memories.root, "zoe.json.backup", json.dumps(DOCUMENT))
    write_lines(memories.root, "zoe.json", json.dumps(DOCUMENT)[:-300])
    spoil(memories, "index.json", own_id(4), own_id(9))
    memories.library.sync()
    before = memories.tree()

    memories.fix("damaged-json", "index-drift")

    assert json.loads(memories.text("zoe.json")) == DOCUMENT
    assert index_agrees(memories.root)
    assert memories.fixable() == []
    memories.undo()
    assert memories.tree() == before


def test_an_option_of_one_fix_applies_to_all(memories: Changed) -> None:
    """Deleting a copy is shown first, and the store gets a backup, index or not."""
    newest = thing(1, content="Newer, and longer.", updated_at=NOON)
    raw = lines(thing(1), thing(2, importance="high"), newest)
    write_lines(memories.root, "core_memories.jsonl", raw)
    spoil(memories, "index.json", own_id(4), own_id(9))
    memories.library.sync()

    planned = memories.fix("duplicate-id", "index-drift")

    assert planned.draft.is_grave
    (backup,) = (
        path
        for path in memories.root.glob(".backup/core_memories.jsonl.*")
        if "20260301" in path.name
    )
    assert backup.read_bytes() == raw
    assert newest in rows(memories.root, "core_memories.jsonl")
    assert index_agrees(memories.root)


def test_problems_that_cannot_be_fixed_are_left_with_their_reason(
    memories: Changed,
) -> None:
    torn = b'{"id": "x", "conte'
    raw = lines(thing(1, tags="python, testing"), torn, thing(2, importance="high"))
    write_lines(memories.root, "core_memories.jsonl", raw)
    memories.library.sync()

    problems = memories.problems("bad-tags", "damaged-line")
    (planned,) = memories.library.plans.plan_fixes(problems)
    memories.library.changes.apply(planned, is_permitted=True)

    ((problem, reason),) = planned.left
    assert (problem.code, problem.line) == ("damaged-line", 2)
    assert "Edit it by hand" in reason
    assert [one.code for one in memories.problems()] == ["damaged-line"]
    assert memories.fixable() == []
    assert b'"tags":["python","testing"]' in memories.tree()["core_memories.jsonl"]


def test_without_a_possible_fix_every_reason_is_reported(memories: Changed) -> None:
    raw = lines(b'{"id": "x", "conte', thing(1), b'{"id": "y", "conte')
    write_lines(memories.root, "core_memories.jsonl", raw)
    memories.library.sync()
    before = memories.tree()

    with pytest.raises(NotPossibleError, match=r"Line 1 of(.|\n)*Line 3 of"):
        memories.library.plans.plan_fixes(memories.problems("damaged-line"))
    assert memories.tree() == before


def test_a_write_protected_file_does_not_stop_the_others(memories: Changed) -> None:
    write_lines(memories.root, "core_memories.jsonl", lines(thing(1, tags="a")))
    write_lines(memories.root, "learnings.jsonl", lines(thing(2, tags="b")))
    (memories.root / "learnings.jsonl").chmod(0o400)
    memories.library.sync()

    planned = memories.fix("bad-tags")

    ((problem, reason),) = planned.left
    assert (problem.path, reason) == (
        "learnings.jsonl",
        "'learnings.jsonl' is write-protected.",
    )
    assert b'"tags":["a"]' in memories.tree()["core_memories.jsonl"]
    assert b'"tags":"b"' in memories.tree()["learnings.jsonl"]


def test_a_second_name_of_one_file_gets_no_id_of_its_own(graph: Changed) -> None:
    second = str(Path(DROPS_PATH).with_name("zzz.md"))
    (graph.root / second).symlink_to((graph.root / DROPS_PATH).name)
    graph.library.sync()
    before = graph.tree()
    problems = graph.fixable("duplicate-id")
    assert [one.path for one in problems] == [second]

    with pytest.raises(
        NotPossibleError, match=r"both are one memory\. Delete the link"
    ):
        graph.fix("duplicate-id")
    with pytest.raises(
        NotPossibleError, match=r"both are one memory\. Delete the link"
    ):
        graph.fix("duplicate-id", "one-sided-link")
    assert graph.tree() == before


def test_only_the_named_problems_are_fixed(memories: Changed) -> None:
    raw = lines(thing(1, tags="a"), thing(2, tags="b"), thing(6, access_count="1"))
    write_lines(memories.root, "core_memories.jsonl", raw)
    memories.library.sync()
    first, _, count = memories.problems("bad-tags", "bad-access-count")

    (planned,) = memories.library.plans.plan_fixes([first, count])

    memories.library.changes.apply(planned, is_permitted=True)
    told = rows(memories.root, "core_memories.jsonl")
    assert [one["tags"] for one in told[:2]] == [["a"], "b"]
    assert told[2]["access_count"] == 1
    assert planned.left == ()


def test_handwritten_links_are_fixed_only_by_name(tmp_path: Path) -> None:
    root = kept(tmp_path / "repo" / ".claude" / "memory")
    index = root / "MEMORY.md"
    index.write_text(f"{index.read_text('utf-8')}\nSee [it](gone.md).\n", "utf-8")
    with Changed(root, NOTES, tmp_path / "own") as notes:
        everything = notes.fixable()
        (planned,) = notes.library.plans.plan_fixes(everything, is_named=False)
        ((problem, reason),) = planned.left
        assert problem.code == "lost-link"
        assert "one at a time" in reason
        notes.library.changes.apply(planned, is_permitted=True)
        assert [one.code for one in notes.fixable()] == ["lost-link"]

        with pytest.raises(NotPossibleError, match="one at a time"):
            notes.library.plans.plan_fixes(notes.fixable(), is_named=False)
        notes.fix("lost-link")
        assert notes.text("MEMORY.md").endswith("See it (gone.md).\n")


def test_a_store_without_a_possible_fix_does_not_stop_the_others(
    graph: Changed, memories: Changed
) -> None:
    raw = lines(thing(1), b'{"id": "x", "conte')
    write_lines(memories.root, "core_memories.jsonl", raw)
    spoil(graph, EDGE_PATH, "Redis connection drops", "Redis drops")
    graph.library.stores.choose(
        [Found(memories.root, AGENT_MEMORY), Found(graph.root, graph.format)]
    )
    graph.library.sync()
    before = graph.tree(), memories.tree()

    (planned,) = graph.library.plans.plan_fixes(
        graph.problems("damaged-line", "stale-title")
    )

    ((problem, reason),) = planned.left
    assert (problem.store, problem.code) == (str(memories.root), "damaged-line")
    assert "Edit it by hand" in reason
    graph.library.changes.apply(planned, is_permitted=True)
    assert graph.fixable("stale-title") == []
    graph.undo()
    assert (graph.tree(), memories.tree()) == before
