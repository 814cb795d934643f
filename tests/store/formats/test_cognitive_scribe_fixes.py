"""Minimal fixes for problems; memories moved to another graph."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.errors import NotPossibleError
from store.records.intents import Fix, Move, Relate
from tests.store.formats.changed_stores import Changed, strictly
from tests.store.formats.cognitive_changes import (
    OTHER,
    PINNED,
    TITLE,
    assert_sound,
    index_of,
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
    memory_text,
    write,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path) as changed:
        yield changed


def spoil(store: Changed, path: str, old: str, new: str) -> None:
    text = store.text(path)
    assert old in text
    write(store.root, path, text.replace(old, new, 1))
    store.library.sync()


def mend(store: Changed, code: str) -> None:
    """Fix every problem of a code; then there is none."""
    problems = store.problems(code)
    assert problems, store.problems()
    assert {store.library.plans.possible(one)["fix"] for one in problems} == {""}
    store.do(Fix(), *problems)
    assert store.problems(code) == []


def half(store: Changed) -> None:
    """Remove a link's second side."""
    text = store.text(DROPS_PATH)
    start = text.index("relations:")
    write(store.root, DROPS_PATH, text[:start] + text[text.index("---\n\nAdded") :])
    write(store.root, "_index.json", rebuilt(store.root))
    store.library.sync()


def test_a_one_sided_link_is_completed(store: Changed) -> None:
    before = store.tree()
    half(store)

    mend(store, "one-sided-link")

    assert store.tree()[DROPS_PATH] == before[DROPS_PATH]
    assert_sound(store)


def test_a_broken_link_is_removed(store: Changed) -> None:
    spoil(store, TIMEOUTS_PATH, DROPS, "99999999-0000-4000-8000-000000000000")

    mend(store, "dangling-link")

    assert "relations" not in strictly(store.text(TIMEOUTS_PATH))


def test_a_missing_edge_file_is_created(store: Changed) -> None:
    (store.root / EDGE_PATH).unlink()
    write(store.root, "_index.json", rebuilt(store.root))
    store.library.sync()

    mend(store, "missing-edge-file")

    (edge,) = store.root.glob("graph/edges/*.md")
    assert edge.name.endswith("-edfe00.md")
    assert edge.read_text("utf-8").endswith("Keepalive prevents idle disconnections\n")
    assert_sound(store)


def test_a_changed_title_is_copied(store: Changed) -> None:
    spoil(store, EDGE_PATH, "Redis connection drops", "Redis drops")

    mend(store, "stale-title")

    assert_sound(store)


def test_an_index_is_rebuilt_once(store: Changed) -> None:
    index = index_of(store)
    index["entries"][TIMEOUTS]["title"] = "Old"
    del index["entries"][DEPLOY]
    write(store.root, "_index.json", json.dumps(index))
    store.library.sync()

    mend(store, "index-drift")

    assert_sound(store)


def test_the_later_of_two_memories_with_one_id_gets_a_new_one(store: Changed) -> None:
    path = "graph/solutions/zz-copy-a1b2c3.md"
    write(store.root, path, memory_text(title="A copy"))
    store.library.sync()

    mend(store, "duplicate-id")

    copy = store.memory("A copy")
    assert copy.id != TIMEOUTS
    assert copy.path == f"graph/solutions/zz-copy-{(copy.id or '')[:6]}.md"
    assert TIMEOUTS in store.text(TIMEOUTS_PATH)


def test_a_duplicate_relation_is_removed(store: Changed) -> None:
    text = store.text(DROPS_PATH)
    start, end = text.index("  - target"), text.index("---\n\nAdded")
    spoil(store, DROPS_PATH, text[start:end], text[start:end] * 2)

    mend(store, "duplicate-relation")

    assert store.text(DROPS_PATH) == text


def test_a_memory_in_the_wrong_folder_is_moved(store: Changed) -> None:
    wrong = TIMEOUTS_PATH.replace("solutions", "fixes")
    write(store.root, wrong, store.text(TIMEOUTS_PATH))
    (store.root / TIMEOUTS_PATH).unlink()
    store.library.sync()

    mend(store, "type-folder")

    assert store.memory(TITLE).path == TIMEOUTS_PATH


def test_an_edge_file_is_renamed_after_its_type(store: Changed) -> None:
    wrong = EDGE_PATH.replace("SOLVES", "CAUSES")
    write(store.root, wrong, store.text(EDGE_PATH))
    (store.root / EDGE_PATH).unlink()
    store.library.sync()

    mend(store, "edge-name")

    assert store.edge("SOLVES").path == EDGE_PATH


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("invalid-yaml", 'title: "Redis connection drops"', "title: Redis: drops"),
        ("hash-in-value", 'title: "Redis connection drops"', "title: Redis # 1"),
    ],
)
def test_an_unquoted_value_is_quoted(
    store: Changed, code: str, old: str, new: str
) -> None:
    spoil(store, DROPS_PATH, old, new)

    mend(store, code)

    title = new.removeprefix("title: ")
    assert strictly(store.text(DROPS_PATH))["title"] == title


def test_a_header_that_quotes_do_not_fix_is_left_alone(store: Changed) -> None:
    spoil(store, DROPS_PATH, "tags: [redis", "tags: [[redis")

    with pytest.raises(NotPossibleError, match="Can't fix"):
        store.plan(Fix(), *store.problems("invalid-yaml"))


@pytest.mark.parametrize(
    ("line", "code"),
    [(f"id: {DROPS}\n", "missing-id"), ("type: problem\n", "missing-type")],
)
def test_id_and_type_are_added_from_the_path(
    store: Changed, line: str, code: str
) -> None:
    spoil(store, DROPS_PATH, line, "")

    mend(store, code)

    header = strictly(store.text(DROPS_PATH))
    assert header["type"] == "problem"
    assert header["id"].startswith("def789")


def test_git_ignores_secrets_after_the_fix(store: Changed) -> None:
    write(store.root, ".gitignore", "*.tmp\n_state.json")
    store.library.sync()

    mend(store, "secret-not-ignored")

    assert store.text(".gitignore") == (
        "*.tmp\n_state.json\n_config.json\n_index.json\n_embeddings.json\n"
    )


def test_the_remains_of_a_crash_are_cut_off(store: Changed) -> None:
    path = "episodes/2025-12-13.md"
    text = store.text(path)
    write(store.root, path, text + "\0\0\0")
    store.library.sync()

    mend(store, "nul-tail")

    assert store.text(path) == text


def test_use_counts_of_missing_memories_are_removed(store: Changed) -> None:
    spoil(store, "_state.json", TIMEOUTS, "gone")

    mend(store, "state-without-memory")


def test_broken_links_of_core_are_fixed_by_rebuilding_it(
    store: Changed,
) -> None:
    spoil(store, "CORE.md", TIMEOUTS_PATH, "graph/fixes/gone.md")

    mend(store, "lost-link")


def test_a_problem_without_a_fix_says_so(store: Changed) -> None:
    spoil(store, DROPS_PATH, "importance: 0.8", "importance: very")
    (problem,) = store.problems("bad-importance")

    assert store.library.plans.possible(problem) == {
        "fix": "Can't be fixed automatically; edit the file."
    }
    with pytest.raises(
        NotPossibleError,
        match=r"`importance` must be a number from 0 to 1\. Can't be fixed",
    ):
        store.plan(Fix(), problem)


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Another graph, with a memory and a correct index."""
    root = tmp_path / "work"
    own = "beef0000-0000-4000-8000-000000000000"
    write(root, "graph/fixes/own-beef00.md", memory_text(own, "fix", "Own"))
    write(root, "_index.json", "{}")
    write(root, "_index.json", rebuilt(root))
    return root


def test_memories_move_with_the_edges_among_them(store: Changed, other: Path) -> None:
    store.do(Relate(type="FOLLOWS"), store.memory(PINNED), store.memory(OTHER))
    before = store.tree()

    planned = store.do(
        Move(to=str(other)), store.memory(TITLE), store.memory(OTHER)
    )  # fmt: skip

    assert planned.draft.action == "move 2 memories to work"
    assert planned.draft.is_grave
    assert planned.draft.warnings[0].startswith(
        "Dropped: 1 relation of redis-connection-drops"
    )
    assert (other / EDGE_PATH).read_bytes() == before[EDGE_PATH]
    assert (other / TIMEOUTS_PATH).read_bytes() == before[TIMEOUTS_PATH]
    assert json.loads((other / "_index.json").read_text())["count"] == 3
    assert (other / "_index.json").read_text("utf-8") == rebuilt(other)
    assert not (store.root / EDGE_PATH).exists()
    assert [one.title for one in store.memories()] == [PINNED]
    assert store.edges() == []
    assert_sound(store)
    store.undo()
    assert store.tree() == before
    assert not (other / EDGE_PATH).exists()


def test_a_copy_leaves_the_original(store: Changed, other: Path) -> None:
    before = store.tree()

    planned = store.do(Move(to=str(other), keeps=True), store.memory(TITLE))

    assert not planned.draft.is_grave
    assert store.tree() == before
    assert "relations" not in strictly((other / TIMEOUTS_PATH).read_text("utf-8"))


def test_the_index_of_the_target_graph_is_updated_even_if_wrong_elsewhere(
    store: Changed, other: Path
) -> None:
    index = (other / "_index.json").read_text("utf-8").replace("Own", "Owned")
    (other / "_index.json").write_text(index, "utf-8")

    store.do(Move(to=str(other), keeps=True), store.memory(PINNED))

    entries = json.loads((other / "_index.json").read_text("utf-8"))["entries"]
    assert [entry["title"] for entry in entries.values()] == ["Owned", PINNED]


@pytest.mark.parametrize("to", ["graph", "nowhere", "own"])
def test_a_target_must_be_another_graph(
    store: Changed, tmp_path: Path, to: str
) -> None:
    with pytest.raises(NotPossibleError):
        store.plan(Move(to=str(tmp_path / to)), store.memory(TITLE))


def test_nothing_is_overwritten_in_another_graph(store: Changed, other: Path) -> None:
    write(other, TIMEOUTS_PATH, "x")

    with pytest.raises(NotPossibleError, match="already"):
        store.plan(Move(to=str(other)), store.memory(TITLE))
