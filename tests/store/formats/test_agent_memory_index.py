"""index.json: its content, its errors, and the rebuilt index."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import RefusedError
from store.findings import Json
from store.formats.agent_memory.format import FORMAT
from tests.examples import USUAL, examples
from tests.store.formats.agent_memory_stores import (
    DOCUMENT,
    INDEX,
    NOON,
    Thing,
    ask,
    flaws,
    lines,
    make_small_store,
    own_id,
    read,
    rebuilt,
    task,
    thing,
    write,
)
from tests.store.formats.contract import tree

OLD: Thing = {
    "version": "1.0.0",
    "last_updated": NOON,
    "statistics": {"total_memories": 9, "core_memories": 2, "learnings": 1, "tasks": 1},
    "tags_index": {"python": [own_id(1)]},
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    make_small_store(tmp_path)
    return tmp_path


def index_of(root: Path) -> dict[str, Any]:
    return json.loads((root / "index.json").read_bytes())


def put(root: Path, index: object) -> None:
    write(root, "index.json", json.dumps(index, indent=2))


def disagreements(root: Path) -> list[tuple[Json, ...]]:
    names = ("part", "name", "index", "files")
    rows = ask(root, "index")
    return [tuple(row[n] for n in names) for row in rows if not row["agrees"]]


def test_the_index_has_its_own_facts_and_the_importance_of_memories(root: Path) -> None:
    found = read(root, "index.json")
    (document,) = found.documents
    assert found.flaws == ()
    facts = dict(document.facts)
    assert facts.pop("statistics")
    assert facts == {
        "version": "1.0.0",
        "last_updated": "2026-02-21T00:00:00Z",
        "shape": "as specified",
        "tags_index": {"python": "4", "testing": "4"},
        "category_index": {"fact": "4"},
        "importance_index": {"high": "1", "medium": "3", "low": "0"},
    }
    listed = {entry.key: entry.facts for entry in found.index}
    for number in range(1, 5):
        assert listed.pop(f"id:{own_id(number)}") == {
            "importance": "high" if number == 2 else "medium",
            "tags": "python, testing",
        }
    assert {name: facts["count"] for name, facts in listed.items()} == {
        "count:total": "4",
        "count:archived": "1",
        "count:type:core": "2",
        "count:type:learning": "1",
        "count:type:task": "1",
    }


def test_the_older_form_is_read(root: Path) -> None:
    put(root, OLD)
    found = read(root, "index.json")
    assert flaws(found) == [("old-index", None)]
    assert {entry.key: entry.facts["count"] for entry in found.index} == {
        "count:total": "9",
        "count:type:core": "2",
        "count:type:learning": "1",
        "count:type:task": "1",
    }
    assert disagreements(root) == [
        ("statistics", "total_memories", 9, 4),
        ("tags_index", "python", 1, 4),
        ("tags_index", "testing", 0, 4),
    ]


@pytest.mark.parametrize(
    ("content", "codes"),
    [
        ("", ["damaged-json"]),
        ("[]", ["damaged-json"]),
        ('{"version": "2.0.0"}', ["unknown-version"]),
        ('{"version": "1.0.0", "tags_index": 5}', ["bad-index", "old-index"]),
        (
            '{"version": "1.0.0", "importance_index": {"high": [5], "low": "no"}}',
            ["bad-index", "bad-index"],
        ),
        ('{"version": "1.0.0", "statistics": {"total": -1}}', ["bad-count"]),
        (
            '{"version": "1.0.0", "statistics": {"by_type": {"core": "x"}}}',
            ["bad-count"],
        ),
    ],
)
def test_errors_in_an_index_are_reported(
    tmp_path: Path, content: str, codes: list[str]
) -> None:
    found = read(tmp_path, "index.json", content)
    assert [code for code, _ in flaws(found)] == codes


def test_a_correct_index_matches_the_files(root: Path) -> None:
    rows = ask(root, "index")
    assert list(dict.fromkeys(str(row["part"]) for row in rows)) == [
        "version",
        "statistics",
        "tags_index",
        "category_index",
        "importance_index",
    ]
    assert disagreements(root) == []
    assert rebuilt(root).after == rebuilt(root).before


def test_each_difference_from_the_files_is_reported(root: Path) -> None:
    index = index_of(root)
    index["statistics"]["total_memories"] = 5
    index["category_index"] = {"fact": [own_id(1), own_id(9)]}
    index["importance_index"]["low"] = [own_id(2)]
    put(root, index)
    assert disagreements(root) == [
        ("statistics", "total_memories", 5, 4),
        ("category_index", "fact", 2, 4),
        ("importance_index", "low", 1, 0),
    ]
    (fact,) = (row for row in ask(root, "index") if row["name"] == "fact")
    assert fact["missing"] == [own_id(2), own_id(3), own_id(4)]
    assert fact["extra"] == [own_id(9)]


def test_without_an_index_there_is_nothing_to_compare(root: Path) -> None:
    (root / "index.json").unlink()
    assert ask(root, "index") == []


def test_an_index_is_built_from_the_memories(root: Path) -> None:
    size = index_of(root)["statistics"]["total_storage_bytes"]
    (root / "index.json").unlink()
    made = json.loads(rebuilt(root).after)
    assert made == {
        **INDEX,
        "last_updated": "2026-02-20T10:00:00Z",
        "statistics": {**INDEX["statistics"], "total_storage_bytes": size},
    }
    assert list(made["importance_index"]) == ["high", "medium", "low"]


def test_an_index_of_the_older_form_is_rebuilt_in_the_new_form(root: Path) -> None:
    put(root, {**OLD, "version": "0.9.0", "generator": "x"})
    one = rebuilt(root)
    made = json.loads(one.after)
    assert list(made) == [*OLD, "generator", "category_index", "importance_index"]
    assert (made["version"], made["last_updated"]) == ("0.9.0", NOON)
    assert made["statistics"]["by_type"] == {"core": 2, "learning": 1, "task": 1}
    write(root, "index.json", one.after)
    assert rebuilt(root).after == one.after


def test_a_rebuilt_index_keeps_the_order_of_words_and_ids(root: Path) -> None:
    index = index_of(root)
    index["tags_index"] = {
        "testing": [own_id(3), own_id(1)],
        "gone": [own_id(1)],
        "python": [own_id(4), own_id(3), own_id(2), own_id(1)],
    }
    put(root, index)
    made = json.loads(rebuilt(root).after)
    assert list(made["tags_index"].items()) == [
        ("testing", [own_id(3), own_id(1), own_id(2), own_id(4)]),
        ("python", [own_id(4), own_id(3), own_id(2), own_id(1)]),
    ]


def test_memories_left_out_of_an_index_are_reported(root: Path) -> None:
    write(
        root,
        "core_memories.jsonl",
        lines(thing(1), b"{broken", thing(1), thing(2, id=...), thing(6)),
    )
    write(root, "default.json", json.dumps(DOCUMENT))
    one = rebuilt(root)
    made = json.loads(one.after)
    assert made["statistics"]["total_memories"] == 8
    assert own_id(11) in made["tags_index"]["python"]
    assert [warning.partition(": ")[0] for warning in one.warnings] == [
        "core_memories.jsonl, line 2 is skipped",
        "core_memories.jsonl, line 3 is skipped",
        "core_memories.jsonl, line 4 is counted, but has no id to index.",
    ]


def test_rebuilding_and_reports_write_nothing(root: Path) -> None:
    put(root, OLD)
    before = tree(root)
    rebuilt(root)
    for question in FORMAT.reports:
        ask(root, question.name)
    assert tree(root) == before


def test_an_index_that_leads_out_of_the_store_is_refused(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = write(tmp_path_factory.mktemp("out"), "index.json", "{}")
    (root / "index.json").unlink()
    (root / "index.json").symlink_to(outside)
    with pytest.raises(RefusedError):
        rebuilt(root)


FIELDS = st.fixed_dictionaries(
    {
        "tags": st.lists(st.sampled_from("abc"), max_size=3),
        "category": st.none() | st.sampled_from(["x", "y"]),
        "importance": st.sampled_from(["high", "medium", "low", "odd"]),
        "archived": st.booleans(),
    }
)
THINGS = st.tuples(st.integers(1, 6), FIELDS).map(lambda made: thing(made[0]) | made[1])


@examples(USUAL, keeps_fixtures=True)
@given(st.lists(THINGS, min_size=1, max_size=6), st.sampled_from([None, 2, 4]))
def test_a_rebuilt_index_matches_the_files_and_stays_unchanged(
    tmp_path: Path, things: list[Thing], indent: int | None
) -> None:
    write(tmp_path, "core_memories.jsonl", lines(*things, task(9)))
    write(tmp_path, "index.json", json.dumps(INDEX, indent=indent))
    first = rebuilt(tmp_path).after
    write(tmp_path, "index.json", first)
    assert rebuilt(tmp_path).after == first
    assert disagreements(tmp_path) == []
    assert read(tmp_path, "index.json").flaws == ()
