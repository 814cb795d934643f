"""The other files of a store: documents of version 1.0, backups, settings, locks."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.findings import Severity
from store.formats.agent_memory.format import Limits, judge, limits_of
from store.formats.agent_memory.memories import read_document
from store.machine import pid_of
from tests.store.formats.agent_memory_stores import (
    DOCUMENT,
    ask,
    flaws,
    lines,
    make_small_store,
    own_id,
    read,
    refusals,
    task,
    thing,
    write,
)

SECOND = 1_000_000_000


@pytest.fixture
def dead() -> int:
    """The id of a dead process."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def lay_lock(root: Path, content: bytes, seconds: int) -> tuple[str, str]:
    """A lock of some age; returns what is reported about it."""
    write(root, "core_memories.jsonl", lines(thing(1)))
    lock = write(root, ".lock", content)
    written = time.time_ns() - seconds * SECOND
    os.utime(lock, ns=(written, written))
    flaw = refusals(root)[".lock"]
    assert flaw.severity is Severity.NOTE
    return flaw.code, flaw.message


def test_a_document_of_version_1_has_a_list_for_each_kind(tmp_path: Path) -> None:
    text = json.dumps(DOCUMENT, indent=2)
    found = read(tmp_path, "default.json", text)
    assert [(memory.id, memory.type) for memory in found.memories] == [
        (own_id(11), "core"),
        (own_id(12), "learning"),
        (own_id(13), "task"),
    ]
    at = [text.split("\n")[(memory.line or 0) - 1].strip() for memory in found.memories]
    assert at == ["{", "{", "{"]
    assert found.flaws == ()


def test_a_truncated_document_is_read_as_far_as_possible(tmp_path: Path) -> None:
    text = json.dumps(DOCUMENT, indent=2)
    found = read(tmp_path, "default.json", text[: text.index(own_id(13))])
    assert len(found.memories) == 2
    (flaw,) = found.flaws
    assert (flaw.code, flaw.severity) == ("damaged-json", Severity.ERROR)
    assert flaw.line == text[: text.index(own_id(13))].count("\n") + 1


def test_invalid_memories_in_a_document_are_reported(tmp_path: Path) -> None:
    text = json.dumps({"core_memories": [1, {}, thing(1)], "learnings": 5}, indent=0)
    found = read(tmp_path, "agent.json", text)
    assert len(found.memories) == 1
    assert flaws(found) == [("not-a-memory", 3), ("not-a-memory", 4)]


@given(st.binary() | st.text('{}[]",:1 core_memories').map(str.encode))
def test_a_document_of_any_bytes_is_read_as_far_as_possible(raw: bytes) -> None:
    gathered = read_document(raw)
    assert all(flaw.code and flaw.message for flaw in gathered.flaws)


@given(st.integers(0))
def test_a_truncated_document_loses_only_the_missing_part(cut: int) -> None:
    text = json.dumps({"core_memories": [thing(1), thing(2), thing(3)]})
    cut %= len(text)
    gathered = read_document(text[:cut].encode())
    whole = read_document(text.encode())
    assert whole.flaws == []
    assert gathered.flaws
    assert gathered.memories == whole.memories[: len(gathered.memories)]


@pytest.mark.parametrize(
    "text", ['{"facts": ["core", "tasks"]}', '{"tasks": [{"run": "make"}]}', "[]", ""]
)
def test_a_json_file_of_another_program_is_only_listed(
    tmp_path: Path, text: str
) -> None:
    found = read(tmp_path, "paulo-memory.json", text)
    assert flaws(found) == [("foreign-file", None)]
    assert found.memories == ()


BACKUPS = [
    (
        ".backup/core_memories.jsonl.backup",
        "core_memories.jsonl",
        "2026-01-01T00:00:00Z",
        2,
        None,
        "plain",
    ),
    (
        "default.json.backup",
        "default.json",
        "2026-01-01T00:00:00Z",
        None,
        3,
        "beside the file",
    ),
    (
        ".backup/learning_memories.jsonl.backup.20260101_100000",
        "learnings.jsonl",
        "2026-01-01T10:00:00",
        1,
        None,
        "with a time",
    ),
    (
        ".backup/tasks.jsonl.backup.not-a-date",
        "tasks.jsonl",
        "2026-01-01T00:00:00Z",
        1,
        None,
        "with a time",
    ),
    (
        "tasks.jsonl.backup",
        "tasks.jsonl",
        "2026-01-01T00:00:00Z",
        0,
        None,
        "beside the file",
    ),
]


def test_backups_are_recognised_by_each_of_their_names(tmp_path: Path) -> None:
    two = lines(thing(1), thing(2))
    for path, content in {
        "core_memories.jsonl": two,
        ".backup/core_memories.jsonl.backup": two,
        ".backup/learning_memories.jsonl.backup.20260101_100000": lines(thing(3)),
        ".backup/tasks.jsonl.backup.not-a-date": lines(task(1)),
        "tasks.jsonl.backup": b"",
        "default.json.backup": json.dumps(DOCUMENT),
    }.items():
        written = write(tmp_path, path, content)
        os.utime(written, (1_767_225_600, 1_767_225_600))
    rows = ask(tmp_path, "backups")
    told = ("path", "of", "when", "lines", "memories", "naming")
    assert [tuple(row[name] for name in told) for row in rows] == BACKUPS


def test_a_backup_is_a_document_and_has_no_memories(tmp_path: Path) -> None:
    path = ".backup/core_memories.jsonl.backup.20260101_100000"
    found = read(tmp_path, path, lines(thing(1)))
    (document,) = found.documents
    assert found.memories == ()
    assert (document.role, document.category, document.text) == (
        "document",
        "backup",
        "",
    )
    assert document.title == "core_memories.jsonl of 2026-01-01T10:00:00"


def test_settings_limit_a_store(tmp_path: Path) -> None:
    write(tmp_path, ".memory-config.json", '{"limits": {"maxTasks": 1}}')
    found = read(tmp_path, "tasks.jsonl", lines(task(1), task(2)))
    (flaw,) = found.flaws
    assert (flaw.code, flaw.severity) == ("over-soft-limit", Severity.WARNING)
    assert "has 2 memories" in flaw.message
    assert "the limit is 1 in " in flaw.message


def test_core_memories_have_a_hard_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAX_CORE_MEMORIES", "1")
    raw = lines(thing(1), thing(2))
    (flaw,) = read(tmp_path, "core_memories.jsonl", raw).flaws
    assert (flaw.code, flaw.severity) == ("over-hard-limit", Severity.ERROR)
    archived = read(tmp_path, "archive/2025/core_memories_2025_Q4.jsonl", raw)
    assert archived.flaws == ()


def test_the_environment_overrides_settings_and_these_the_defaults() -> None:
    settings = {"MAX_TASKS": 5, "max_learnings": 6, "archival": {"maxTasks": "x"}}
    environment = {"MAX_TASKS": "7", "max_learnings": "8", "MAX_CORE_MEMORIES": "-1"}
    limits = limits_of(settings, environment)
    assert limits == Limits(max_tasks=7, max_learnings=6)


@pytest.mark.parametrize(
    "settings", [None, [], 5, {"max_tasks": True}, {"max_tasks": "9" * 30}]
)
def test_invalid_settings_limit_nothing(settings: object) -> None:
    assert limits_of(settings, {}) == Limits()


def test_settings_are_a_document(tmp_path: Path) -> None:
    found = read(tmp_path, ".memory-config.json", '{"a": {"b": 5}, "c": null}')
    (document,) = found.documents
    assert document.facts == {"a": {"b": "5"}, "c": "null"}
    broken = read(tmp_path, ".memory-config.json", '{"a": ')
    assert flaws(broken) == [("damaged-json", 1)]


def test_the_lock_of_a_live_process_counts_however_old_it_is(tmp_path: Path) -> None:
    code, message = lay_lock(tmp_path, f"{os.getpid()}\n123\n".encode(), 3600)
    assert code == "locked"
    assert f"process {os.getpid()} since 20" in message


def test_the_lock_of_a_dead_process_is_stale_after_half_a_minute(
    tmp_path: Path, dead: int
) -> None:
    assert lay_lock(tmp_path, b"%d\n123\n" % dead, 0)[0] == "locked"
    code, message = lay_lock(tmp_path, b"%d\n123\n" % dead, 60)
    assert code == "stale-lock"
    assert f"Stale lock of process {dead}" in message


def test_an_empty_lock_is_one_whose_writer_wrote_nothing(tmp_path: Path) -> None:
    assert lay_lock(tmp_path, b"", 0)[0] == "locked"
    assert lay_lock(tmp_path, b"\n", 60)[0] == "stale-lock"


@pytest.mark.parametrize(
    "content", [b"0\n0\n", b"-1\n0\n", b"9" * 400, b"\xff\0\x1b]2;x\x07", b"{}", b"[1]"]
)
def test_a_lock_of_an_unknown_process_counts(tmp_path: Path, content: bytes) -> None:
    assert lay_lock(tmp_path, content, 3600)[0] == "locked"


@pytest.mark.parametrize(
    ("content", "pid"),
    [
        (b"123\n1767225600\n", 123),
        (b"123", 123),
        (b"pid: 123, 2026-01-01T00:00:00Z", 123),
        (b'{"pid": 123, "timestamp": "2026-01-01T00:00:00Z"}', 123),
        (b'{"pid": true}', None),
        (b'{"pid": "123"}', None),
        (b"0", None),
        (b"2147483648", None),
    ],
)
def test_a_lock_names_its_process_in_several_ways(
    content: bytes, pid: int | None
) -> None:
    assert pid_of(content) == pid


@given(st.binary(), st.integers(0, 2**62), st.integers(0, 2**62))
def test_any_lock_is_judged(content: bytes, written: int, now: int) -> None:
    assert judge(content, written, now).code in {"locked", "stale-lock"}


def test_a_lock_is_only_read(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    lock = write(tmp_path, ".lock", b"")
    before = lock.stat()
    refusals(tmp_path)
    assert lock.stat() == before
