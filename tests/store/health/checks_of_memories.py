"""Agent-memory stores that checks complain about, beside the nearest that are fine."""

import os
from collections.abc import Mapping

from store.formats.agent_memory.format import FORMAT
from store.formats.agent_memory.memories import (
    FIELDS,
    LONGEST_CATEGORY,
    LONGEST_CONTENT,
    LONGEST_LINE,
    LONGEST_TAG,
    MOST_TAGS,
)
from tests.store.answers import damages
from tests.store.answers.damages import CORE, TASKS, appended, private
from tests.store.formats.agent_memory_stores import NOON, Thing, lines, task, thing
from tests.store.health.near_misses import (
    Row,
    Table,
    aged,
    at_once,
    folder,
    gone,
    linked,
    pipe,
)

ENDED = 2**22 + 1
"""The number of no process: systems have fewer."""

LARGEST = 20_000
"""The most bytes of a file that are read here."""


def _line(wrong: Thing, near: Thing, file: str = CORE, line: int = 4) -> Row:
    """A line after the two of a file; an empty one is before it."""
    return Row(
        f"{file}:{line}",
        *(appended(file, b"\n" + lines(one)) for one in (wrong, near)),
    )


def _task(wrong: Thing, near: Thing) -> Row:
    return _line(wrong, near, TASKS, 2)


def _long(size: int) -> Thing:
    """A memory whose line has so many bytes."""
    short = thing(9, more="")
    return thing(9, more="x" * (size - len(lines(short)) + 1))


def _fields(count: int) -> Thing:
    whole = thing(9)
    return whole | {f"more{number}": 1 for number in range(count - len(whole))}


def _files(limit: int) -> damages.Damage:
    return private(".memory-config.json", f'{{"max_core_memories": {limit}}}')


def _locked(pid: int, second: int | None = None) -> damages.Damage:
    """A lock, written now or at a time."""
    write = private(".lock", f"{pid}\n")
    return write if second is None else at_once(write, aged(".lock", second))


ROWS: Mapping[str, Row] = {
    "bad-blockers": _task(
        task(9, "blocked", blockers="x"), task(9, "blocked", blockers=["x"])
    ),
    "bad-content": _line(thing(9, content=""), thing(9, content=".")),
    "bad-id": _line(
        thing(9, id="00000009-0000-1000-8000-000000000000"),
        thing(9, id="00000009-0000-4000-8000-000000000000"),
    ),
    "bad-outcome": _task(
        task(9, "in-progress", outcome=1), task(9, "in-progress", outcome="1")
    ),
    "bad-status": _task(task(9, "in progress"), task(9, "in-progress")),
    "bad-task-metadata": _task(
        thing(9, "task", task_metadata="blocked"), task(9, "blocked", blockers=["x"])
    ),
    "bad-time": _line(
        thing(9, created_at="2026-02-29T10:00:00Z"),
        thing(9, created_at="2024-02-29T10:00:00Z"),
    ),
    "file-as-folder": Row(
        "archive",
        at_once(gone("archive"), private("archive", "x")),
        at_once(gone("archive"), folder("archive")),
    ),
    "folder-as-file": Row(TASKS, folder(TASKS), folder(f"{TASKS}.d")),
    "foreign-file": Row(
        "notes.txt", private("notes.txt", "x"), private(".notes.txt", "x")
    ),
    "foreign-folder": Row("others", folder("others"), folder(".others")),
    "link-not-followed": Row(
        "archive/others.jsonl",
        linked("archive/others.jsonl", f"../{TASKS}"),
        linked("archive/tasks.jsonl", f"../{TASKS}"),
    ),
    "locked": Row(".lock", _locked(os.getpid(), 1_700_000_000), _locked(ENDED, 1)),
    "long-category": _line(
        thing(9, category="x" * (LONGEST_CATEGORY + 1)),
        thing(9, category="x" * LONGEST_CATEGORY),
    ),
    "long-content": _line(
        thing(9, content="x" * (LONGEST_CONTENT + 1)),
        thing(9, content="x" * LONGEST_CONTENT),
    ),
    "long-line": _line(_long(LONGEST_LINE + 1), _long(LONGEST_LINE)),
    "long-tag": _line(
        thing(9, tags=["x" * (LONGEST_TAG + 1)]), thing(9, tags=["x" * LONGEST_TAG])
    ),
    "many-fields": _line(_fields(FIELDS + 1), _fields(FIELDS)),
    "many-tags": _line(
        thing(9, tags=list("abcdefghijklm"[: MOST_TAGS + 1])),
        thing(9, tags=list("abcdefghijklm"[:MOST_TAGS])),
    ),
    "missing-blockers": _task(
        task(9, "blocked", blockers=[]), task(9, "blocked", blockers=["x"])
    ),
    "not-a-memory": _line({"text": "It rains."}, {"content": "It rains."}),
    "over-hard-limit": Row(CORE, _files(1), _files(2)),
    "special-file": Row("pipe", pipe("pipe"), pipe(".pipe")),
    "stale-lock": Row(".lock", _locked(ENDED, 1_700_000_000), _locked(ENDED)),
    "stray-task-metadata": _line(
        thing(9, task_metadata={"status": "completed", "completed_at": NOON}),
        thing(9, task_metadata=None),
    ),
    "too-large": Row(
        f"{CORE}:1",
        private(CORE, lines(_long(LARGEST))),
        private(CORE, lines(_long(LARGEST - 1))),
    ),
    "unfinished-write": Row(
        "core_memories.jsonl.tmp",
        private("core_memories.jsonl.tmp", "{"),
        private(".core_memories.jsonl.tmp", "{"),
    ),
}

TABLES = {
    "agent-memory": Table(
        FORMAT,
        damages.memories,
        ROWS,
        {"store.formats.agent_memory.memories._LARGEST": LARGEST},
    )
}
