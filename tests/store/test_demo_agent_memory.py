import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store.demo import write
from store.findings import Findings, Severity
from store.formats.agent_memory.format import FORMAT
from store.formats.port import Source
from tests.store.formats.agent_memory_stores import ask, rebuilt, sniffs

NOW = datetime(2026, 3, 29, 14, 30, tzinfo=UTC)
MOMENT = "2026-03-29T14:30:00Z"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "made"
    write(folder, NOW)
    return folder / "agents/memories"


@pytest.fixture(scope="module")
def read(root: Path) -> Mapping[str, Findings]:
    with FORMAT.open(root) as store:
        sources = [one for one in store.scan() if isinstance(one, Source)]
        return {source.path: store.read(source) for source in sources}


def test_the_store_has_one_of_everything(
    root: Path, read: Mapping[str, Findings]
) -> None:
    assert sniffs(root)
    assert {path: len(found.memories) for path, found in read.items()} == {
        ".backup/core_memories.jsonl.backup.20260126_211500": 0,
        "archive/2025/learnings_2025_Q4.jsonl": 3,
        "core_memories.jsonl": 8,
        "index.json": 0,
        "learnings.jsonl": 9,
        "scribe.json": 3,
        "tasks.jsonl": 5,
    }


def test_only_documented_problems_exist(read: Mapping[str, Findings]) -> None:
    flaws = [
        (path, flaw.code, flaw.severity)
        for path, found in read.items()
        for flaw in found.flaws
    ]
    assert flaws == [
        ("learnings.jsonl", "damaged-line", Severity.ERROR),
        ("tasks.jsonl", "missing-task-metadata", Severity.NOTE),
    ]


def test_one_memory_is_a_duplicate(root: Path) -> None:
    rows = ask(root, "duplicates", now=MOMENT)
    assert [(row["is_record"], row["is_newest"]) for row in rows] == [
        (True, False),
        (False, True),
    ]


def test_the_index_is_off_by_one(root: Path) -> None:
    rows = ask(root, "index", now=MOMENT)
    wrong = [row for row in rows if not row["agrees"]]
    assert [(row["name"], row["index"], row["files"]) for row in wrong] == [
        ("total_memories", 23, 24)
    ]
    one = rebuilt(root)
    assert one.before
    old, new = json.loads(one.before), json.loads(one.after)
    assert old["statistics"].pop("total_memories") == 23
    assert new["statistics"].pop("total_memories") == 24
    assert old == new


@pytest.mark.parametrize(
    "question",
    ["recent", "core", "learnings", "active-tasks", "completed-tasks", "backups"],
)
def test_every_report_has_something_to_show(root: Path, question: str) -> None:
    assert ask(root, question, now=MOMENT)


def test_some_memories_can_be_archived(root: Path) -> None:
    rows = ask(root, "archive-candidates", now=MOMENT)
    assert {str(row["type"]) for row in rows} == {"learning", "task"}


def test_nothing_happens_after_the_day_before(read: Mapping[str, Findings]) -> None:
    for found in read.values():
        for memory in found.memories:
            for instant in (memory.created, memory.updated, memory.accessed):
                assert instant
                assert instant.text < "2026-03-29"
