"""Files of lines: how each line is read, and what is wrong with it."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.findings import Severity
from tests.examples import USUAL, examples
from tests.store.formats.agent_memory_stores import (
    EARLIER,
    Thing,
    flaws,
    lines,
    own_id,
    read,
    task,
    thing,
)

FILE = {"core": "core_memories.jsonl", "learning": "learnings.jsonl"}


def faults(root: Path, one: Thing) -> list[str]:
    """The codes of the problems of one memory in the file of its type."""
    path = FILE.get(str(one.get("type")), "tasks.jsonl")
    found = read(root, path, lines(one))
    assert len(found.memories) == 1
    assert {line for _, line in flaws(found)} <= {1}
    return [code for code, _ in flaws(found)]


def test_a_line_is_a_memory(tmp_path: Path) -> None:
    one = thing(
        7,
        content="User prefers pytest. Over unittest, always.\nEven in old projects.",
        updated_at="2026-02-20T11:00:00.979099Z",
        accessed_at="2026-02-21T10:00:00+02:00",
        importance="high",
        source="chat",
    )
    found = read(tmp_path, "core_memories.jsonl", lines(one))
    (memory,) = found.memories
    assert found.flaws == ()
    assert (memory.id, memory.type, memory.line) == (own_id(7), "core", 1)
    assert memory.title == "User prefers pytest. Over unittest, always."
    assert memory.body == one["content"]
    assert (memory.tags, memory.importance) == (("python", "testing"), "high")
    assert memory.created
    assert memory.updated
    assert memory.accessed
    assert memory.created.text == EARLIER
    assert memory.updated.text == "2026-02-20T11:00:00.979099Z"
    assert memory.accessed.micros == 1771660800000000
    assert (memory.access_count, memory.archived, memory.fades) == (7, False, False)
    assert memory.fields == {"category": "fact", "source": "chat"}


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("Short", "Short"),
        ("\n\n  Second line\nthird", "Second line"),
        (f"A sentence. {'more ' * 30}", "A sentence."),
        (f"println! locks a line. {'more ' * 30}", "println! locks a line."),
        (f"One word of {'x' * 100}", "One word of…"),
        ("y" * 100, f"{'y' * 79}…"),
        (" ", own_id(1)),
    ],
)
def test_the_first_sentence_is_the_title(
    tmp_path: Path, content: str, title: str
) -> None:
    one = lines(thing(1, content=content))
    (memory,) = read(tmp_path, "core_memories.jsonl", one).memories
    assert memory.title == title


def test_the_file_gives_the_type_of_a_memory_that_has_none(tmp_path: Path) -> None:
    raw = lines(thing(1, "core"), thing(2, type=...))
    found = read(tmp_path, "learnings.jsonl", raw)
    assert [memory.type for memory in found.memories] == ["core", "learning"]
    assert flaws(found) == [("type-mismatch", 1), ("missing-fields", 2)]


@pytest.mark.parametrize("ending", [b"", b"\n", b"\n\n", b"\r\n", b"\n  \t\n"])
def test_a_final_newline_is_optional(tmp_path: Path, ending: bytes) -> None:
    raw = lines(thing(1), thing(2)).rstrip(b"\n") + ending
    found = read(tmp_path, "core_memories.jsonl", raw)
    assert [memory.line for memory in found.memories] == [1, 2]
    assert found.flaws == ()


def test_blank_lines_count_and_mean_nothing(tmp_path: Path) -> None:
    raw = b"\n\n" + lines(thing(1)) + b"\r\n" + lines(thing(2))
    found = read(tmp_path, "core_memories.jsonl", raw)
    assert [memory.line for memory in found.memories] == [3, 5]
    assert found.flaws == ()


def test_objects_joined_on_one_line_are_all_read(tmp_path: Path) -> None:
    raw = lines(thing(1)).rstrip(b"\n") + lines(thing(2))
    found = read(tmp_path, "core_memories.jsonl", raw)
    assert [memory.id for memory in found.memories] == [own_id(1), own_id(2)]
    assert flaws(found) == [("glued-lines", 1)]


@pytest.mark.parametrize(
    "line", [b"{", b"nonsense", b"[1]", b"42", b"null", b'"text"', b"{}", b"\xff"]
)
def test_a_damaged_line_is_lost_alone(tmp_path: Path, line: bytes) -> None:
    raw = lines(thing(1), line, thing(2))
    found = read(tmp_path, "core_memories.jsonl", raw)
    assert [memory.line for memory in found.memories] == [1, 3]
    assert {flaw.line for flaw in found.flaws} == {2}
    assert Severity.ERROR in {flaw.severity for flaw in found.flaws}
    assert all(flaw.message for flaw in found.flaws)


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({"id": "mem-001"}, ["bad-id"]),
        ({"id": "550E8400-E29B-41D4-A716-446655440000"}, []),
        ({"id": "550e8400-e29b-11d4-a716-446655440000"}, ["bad-id"]),
        ({"id": 7}, ["bad-id"]),
        ({"id": None}, ["missing-id"]),
        ({"id": {"a": 1}}, ["bad-id"]),
        ({"type": "fact"}, ["bad-type"]),
        ({"content": ""}, ["bad-content"]),
        ({"content": ["a", {"b": 1}]}, ["bad-content"]),
        ({"content": "x" * 5000}, []),
        ({"content": "x" * 5001}, ["long-content"]),
        ({"content": "\N{CJK UNIFIED IDEOGRAPH-6F22}" * 5000}, ["long-line"]),
        ({"category": None}, []),
        ({"category": ...}, []),
        ({"category": "x" * 51}, ["long-category"]),
        ({"category": 5}, ["bad-category"]),
        ({"created_at": "2026-01-01T16:59:30.979099Z"}, []),
        ({"created_at": "2026-01-01T16:59:30+00:00"}, []),
        ({"created_at": "2026-01-01T16:59:30"}, ["time-without-zone"]),
        ({"updated_at": "yesterday"}, ["bad-time"]),
        ({"accessed_at": ...}, ["missing-fields"]),
        ({"accessed_at": [1]}, ["bad-time"]),
        ({"access_count": 5.0}, []),
        ({"access_count": 1.5}, ["bad-access-count"]),
        ({"access_count": -1}, ["bad-access-count"]),
        ({"access_count": "many"}, ["bad-access-count"]),
        ({"access_count": True}, ["bad-access-count"]),
        ({"access_count": ...}, ["missing-fields"]),
        ({"tags": []}, []),
        ({"tags": ["t"] * 11}, ["many-tags"]),
        ({"tags": ["x" * 31]}, ["long-tag"]),
        ({"tags": "a, b"}, ["bad-tags"]),
        ({"tags": [1, None]}, ["bad-tags"]),
        ({"tags": None}, ["missing-fields"]),
        ({"importance": "urgent"}, ["bad-importance"]),
        ({"importance": ...}, ["missing-fields"]),
        ({"archived": "false"}, ["bad-archived"]),
        ({"archived": ...}, ["missing-fields"]),
        ({"task_metadata": {"status": "completed"}}, ["stray-task-metadata"]),
    ],
    ids=str,
)
def test_each_violated_requirement_is_reported(
    tmp_path: Path, fields: dict[str, Any], codes: list[str]
) -> None:
    one = thing(1) | fields
    found = read(
        tmp_path,
        "core_memories.jsonl",
        lines({key: value for key, value in one.items() if value is not ...}),
    )
    assert len(found.memories) == 1
    assert flaws(found) == [(code, 1) for code in codes]


def test_missing_fields_get_their_defaults(tmp_path: Path) -> None:
    raw = lines({"id": own_id(1), "type": "core", "content": "Bare."})
    (memory,) = read(tmp_path, "core_memories.jsonl", raw).memories
    assert (memory.importance, memory.tags, memory.access_count) == ("medium", (), 0)
    assert (memory.archived, memory.created, memory.fields) == (False, None, {})


@pytest.mark.parametrize(
    ("one", "codes"),
    [
        (task(1, "in-progress"), []),
        (task(1, "completed", completed_at=EARLIER, outcome="Done."), []),
        (task(1, "completed", completed_at="2026-02-20"), ["time-without-zone"]),
        (task(1, "completed"), ["missing-completed-at"]),
        (task(1, "in-progress", completed_at=EARLIER), ["stray-completed-at"]),
        (task(1, "blocked", blockers=["a lock"]), []),
        (task(1, "blocked"), ["missing-blockers"]),
        (task(1, "blocked", blockers="a lock"), ["bad-blockers"]),
        (task(1, "in-progress", blockers=["a"]), ["stray-blockers"]),
        (task(1, "in-progress", outcome=5), ["bad-outcome"]),
        (task(1, "done"), ["bad-status"]),
        (thing(1, "task", task_metadata=["a"]), ["bad-task-metadata"]),
        (thing(1, "task", task_metadata=...), ["missing-task-metadata"]),
    ],
    ids=str,
)
def test_a_task_has_a_status(tmp_path: Path, one: Thing, codes: list[str]) -> None:
    assert faults(tmp_path, one) == codes


def test_metadata_of_a_task_stay_unchanged(tmp_path: Path) -> None:
    one = task(1, "blocked", blockers=["a lock", "a leak"], outcome=None, of={"n": 1})
    (memory,) = read(tmp_path, "tasks.jsonl", lines(one)).memories
    assert memory.fields["task_metadata"] == {
        "status": "blocked",
        "blockers": ["a lock", "a leak"],
        "outcome": "null",
        "of": {"n": "1"},
    }


def test_a_memory_is_archived_by_its_flag_or_by_its_file(tmp_path: Path) -> None:
    raw = lines(thing(1, archived=True), thing(2), thing(3, archived="false"))
    found = read(tmp_path, "core_memories.jsonl", raw)
    assert [memory.archived for memory in found.memories] == [True, False, False]
    found = read(tmp_path, "archive/2025/core_memories_2025_Q4.jsonl", lines(thing(4)))
    assert [memory.archived for memory in found.memories] == [True]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("archive/2025/learnings_2025_Q4.jsonl", "learning"),
        ("archive/2025/learning_memories_2025_Q4.jsonl", "learning"),
        ("archive/2026/task_memories_2026_Q1.jsonl", "task"),
        ("archive/core_memories_2025.jsonl", "core"),
        ("core_memories.json", "core"),
        ("tasks.json", "task"),
    ],
)
def test_files_are_recognised_by_each_of_their_names(
    tmp_path: Path, path: str, kind: str
) -> None:
    found = read(tmp_path, path, lines(thing(1, kind)))
    assert [memory.type for memory in found.memories] == [kind]
    assert found.flaws == ()


def test_memories_with_the_same_id_are_all_shown(tmp_path: Path) -> None:
    raw = lines(thing(1, content="First."), thing(1, content="Later."))
    found = read(tmp_path, "core_memories.jsonl", raw)
    assert [memory.title for memory in found.memories] == ["First.", "Later."]


def test_too_many_fields_are_cut_off(tmp_path: Path) -> None:
    one = thing(1) | {f"k{number}": number for number in range(500)}
    found = read(tmp_path, "core_memories.jsonl", lines(one))
    assert len(found.memories[0].fields) == 100
    assert flaws(found) == [("many-fields", 1)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from([*thing(1), "task_metadata"])
TASKS = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(["status", "completed_at", "blockers", "outcome"], JSON),
)


@examples(USUAL, keeps_fixtures=True)
@given(st.dictionaries(FIELDS, JSON | TASKS, max_size=6))
def test_a_memory_with_any_values_is_shown(tmp_path: Path, fields: Thing) -> None:
    found = read(tmp_path, "tasks.jsonl", lines({**thing(1, "task"), **fields}))
    (memory,) = found.memories
    assert memory.title
    assert all(flaw.code and flaw.message and flaw.line == 1 for flaw in found.flaws)


@examples(USUAL, keeps_fixtures=True)
@given(
    st.binary()
    | st.lists(st.sampled_from(lines(thing(1), task(2)).split(b","))).map(b",".join)
)
def test_any_bytes_give_findings(tmp_path: Path, raw: bytes) -> None:
    found = read(tmp_path, "core_memories.jsonl", raw)
    assert all(flaw.code and flaw.message for flaw in found.flaws)
    assert found.memories or found.flaws or not raw.strip(b"\xef\xbb\xbf \t\r\n\v\f")
