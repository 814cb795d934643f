"""The reports of a store."""

from pathlib import Path

import pytest

from store.errors import WrongUseError
from store.findings import Json
from store.formats.agent_memory.format import FORMAT
from tests.store.formats.agent_memory_stores import (
    EARLIER,
    ask,
    lines,
    make_small_store,
    own_id,
    read,
    task,
    thing,
    titles,
    write,
)


def day(number: int, month: int = 2) -> str:
    return f"2026-{month:02d}-{number:02d}T12:00:00Z"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three core memories, one archived, and one that is a duplicate."""
    core = [
        thing(1, content="Redis needs keepalive.", accessed_at=day(3), tags=["redis"]),
        thing(2, content="Use black.", importance="high", accessed_at=day(1)),
        thing(3, content="REDIS is shared.", importance="low", category="infra"),
        thing(4, content="Old.", archived=True),
        thing(1, content="Redis again.", accessed_at=day(20)),
    ]
    write(tmp_path, "core_memories.jsonl", lines(*core))
    return tmp_path


def test_every_report_is_listed_and_answered(root: Path) -> None:
    names = [question.name for question in FORMAT.reports]
    assert len(set(names)) == len(names) == 14
    for question in FORMAT.reports:
        assert question.help
        assert isinstance(ask(root, question.name), list)


def test_a_report_is_the_same_every_time(root: Path) -> None:
    for question in FORMAT.reports:
        assert ask(root, question.name) == ask(root, question.name)


@pytest.mark.parametrize(
    ("question", "words"), [("nonsense", ()), ("stats", ("x",)), ("document", ("5",))]
)
def test_invalid_arguments_are_reported(
    root: Path, question: str, words: tuple[str, ...]
) -> None:
    with pytest.raises(WrongUseError):
        ask(root, question, *words)


def test_statistics_leave_out_archived_memories(root: Path) -> None:
    write(
        root,
        "tasks.jsonl",
        lines(task(5), thing(6, "task", created_at=day(1), access_count=99)),
    )
    rows = {row["name"]: row for row in ask(root, "stats")}
    told = {name: row["value"] for name, row in rows.items()}
    size = sum(file.stat().st_size for file in root.glob("*.jsonl"))
    assert told == {
        "total_memories": 5,
        "by_type.core": 3,
        "by_type.learning": 0,
        "by_type.task": 2,
        "by_importance.high": 1,
        "by_importance.medium": 3,
        "by_importance.low": 1,
        "archived_count": 1,
        "total_storage_kb": round(size / 1024, 1),
        "oldest_memory": day(1),
        "newest_memory": EARLIER,
        "most_accessed": 99,
        "top_tags.python": 4,
        "top_tags.testing": 4,
        "top_tags.redis": 1,
    }
    assert rows["most_accessed"]["id"] == own_id(6)


def test_recent_shows_the_twenty_last_recalled(tmp_path: Path) -> None:
    things = [thing(number, accessed_at=day(number)) for number in range(1, 26)]
    write(tmp_path, "core_memories.jsonl", lines(*things))
    rows = ask(tmp_path, "recent")
    assert [row["id"] for row in rows] == [own_id(n) for n in range(25, 5, -1)]
    assert rows[0] == {
        "id": own_id(25),
        "type": "core",
        "title": "Memory 25.",
        "category": "fact",
        "importance": "medium",
        "tags": ["python", "testing"],
        "created_at": EARLIER,
        "updated_at": EARLIER,
        "accessed_at": day(25),
        "access_count": 25,
        "archived": False,
        "path": "core_memories.jsonl",
        "line": 25,
    }


def test_core_memories_are_sorted_by_importance_then_access(root: Path) -> None:
    write(root, "learnings.jsonl", lines(thing(9, "learning", importance="high")))
    assert titles(ask(root, "core")) == [
        "Use black.",
        "Redis needs keepalive.",
        "REDIS is shared.",
    ]


def test_learnings_cover_thirty_days(tmp_path: Path) -> None:
    long_ago = day(1, 1)
    learnings = [
        thing(1, "learning", content="New.", created_at=day(2), accessed_at=...),
        thing(2, "learning", content="Used.", created_at=long_ago, accessed_at=day(28)),
        thing(3, "learning", content="Old.", created_at=long_ago, accessed_at=long_ago),
    ]
    write(tmp_path, "learnings.jsonl", lines(*learnings))
    assert titles(ask(tmp_path, "learnings")) == ["Used.", "New."]
    assert ask(tmp_path, "learnings", now="2026-04-15T00:00:00Z") == []


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """Tasks in every state."""
    raw = lines(
        task(1, "in-progress") | {"content": "Going."},
        task(2, "blocked", blockers=["x"])
        | {"content": "Stuck.", "updated_at": day(9)},
        task(3, "completed", completed_at=day(25), outcome="Good.")
        | {"content": "Done."},
        task(4, "completed", completed_at=day(27)) | {"content": "Just done."},
        task(5, "completed", completed_at=day(1, 1)) | {"content": "Long done."},
        thing(6, "task", task_metadata=..., category="completed", content="By 1.0.")
        | {"updated_at": day(26)},
        thing(7, "task", task_metadata=..., content="Unknown.", updated_at=day(28)),
    )
    write(tmp_path, "tasks.jsonl", raw)
    return tmp_path


def test_active_tasks_are_not_completed(tasks: Path) -> None:
    rows = ask(tasks, "active-tasks")
    assert [(row["title"], row["status"]) for row in rows] == [
        ("Unknown.", None),
        ("Going.", "in-progress"),
        ("Stuck.", "blocked"),
    ]


def test_completed_tasks_cover_thirty_days(tasks: Path) -> None:
    rows = ask(tasks, "completed-tasks")
    told = ("title", "completed_at", "outcome")
    assert [tuple(row[name] for name in told) for row in rows] == [
        ("Just done.", day(27), None),
        ("By 1.0.", day(26), None),
        ("Done.", day(25), "Good."),
    ]


def test_archive_candidates_have_a_reason(
    tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tasks, "core_memories.jsonl", lines(thing(8, accessed_at=day(1, 1))))
    write(
        tasks,
        "learnings.jsonl",
        lines(
            thing(9, "learning", accessed_at="2025-11-30T12:00:00Z"),
            thing(10, "learning", accessed_at="2025-12-05T12:00:00Z"),
            thing(11, "learning", accessed_at=...),
        ),
    )
    told = [(row["title"], row["why"]) for row in ask(tasks, "archive-candidates")]
    assert told == [
        ("Memory 9.", "not recalled in the last 90 days"),
        ("Long done.", "completed more than 30 days ago"),
    ]
    monkeypatch.setenv("AUTO_ARCHIVE_LEARNINGS_DAYS", "80")
    assert len(ask(tasks, "archive-candidates")) == 3


def test_limits_show_how_full_each_file_is(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAX_CORE_MEMORIES", "4")
    rows = ask(root, "limits")
    names = ("file", "memories", "most_memories", "most_bytes", "limit", "over")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("core_memories", 5, 4, 10 * 2**20, "hard", True),
        ("learnings", 0, 500, 5 * 2**20, "soft", False),
        ("tasks", 0, 200, 2 * 2**20, "soft", False),
    ]
    assert rows[0]["bytes"] == (root / "core_memories.jsonl").stat().st_size


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ((), ["REDIS is shared.", "Redis needs keepalive.", "Use black."]),
        (("tag:redis",), ["Redis needs keepalive."]),
        (("tag:python", "tag:testing"), ["REDIS is shared.", "Use black."]),
        (("tag:python", "tag:redis"), []),
        (("category:infra",), ["REDIS is shared."]),
        (("importance:high",), ["Use black."]),
        (("type:task",), []),
        (("archived:yes",), ["Old."]),
        (("archived:all", "limit:1", "offset:3"), ["Use black."]),
        (("redis",), ["REDIS is shared.", "Redis needs keepalive."]),
        (("redis", "shared"), ["REDIS is shared."]),
        (("text:is shared",), ["REDIS is shared."]),
        (("sort:importance", "limit:2"), ["Use black.", "Redis needs keepalive."]),
        (("sort:access_count", "order:asc", "limit:1"), ["Redis needs keepalive."]),
        (("sort:created_at", "limit:1"), ["Redis needs keepalive."]),
        (("offset:2",), ["Use black."]),
        (("offset:9",), []),
    ],
    ids=str,
)
def test_a_query_finds_memories_with_every_word(
    root: Path, words: tuple[str, ...], found: list[str]
) -> None:
    assert titles(ask(root, "query", *words)) == found


@pytest.mark.parametrize(
    "word",
    [
        "limit:0",
        "limit:101",
        "limit:x",
        "offset:-1",
        "sort:color",
        "order:up",
        "importance:urgent",
        "type:fact",
        "archived:maybe",
        "color:red",
        "x" * 201,
    ],
)
def test_an_unknown_word_is_a_usage_error(root: Path, word: str) -> None:
    with pytest.raises(WrongUseError):
        ask(root, "query", word)


def test_validation_goes_step_by_step(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    steps = [(row["step"], row["severity"]) for row in ask(tmp_path, "validate")]
    assert steps == [
        ("permissions", "fine"),
        ("readable", "fine"),
        ("syntax", "fine"),
        ("schema", "fine"),
        ("index", "fine"),
    ]


def test_validation_reports_what_is_wrong_and_where(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    write(tmp_path, "learnings.jsonl", lines(thing(3, "learning"), b"{"))
    write(tmp_path, "tasks.jsonl", lines(task(4, "done")))
    write(tmp_path, "notes.txt", "").chmod(0o644)
    (tmp_path / "index.json").chmod(0o666)
    (tmp_path / "core_memories.jsonl").unlink()
    (tmp_path / "core_memories.jsonl").mkdir(mode=0o700)
    names = ("step", "severity", "path", "line")
    told = [tuple(row[n] for n in names) for row in ask(tmp_path, "validate")]
    for expected in (
        ("permissions", "note", "", None),
        ("readable", "note", "notes.txt", None),
        ("readable", "warning", "core_memories.jsonl", None),
        ("syntax", "error", "learnings.jsonl", 2),
        ("schema", "warning", "tasks.jsonl", 1),
        ("index", "warning", "index.json", None),
    ):
        assert expected in told
    assert "fine" not in [severity for _, severity, _, _ in told]


def test_duplicates_show_the_record_and_the_newest(root: Path) -> None:
    write(
        root,
        "archive/2025/core_memories_2025_Q4.jsonl",
        lines(thing(1, updated_at=day(28), content="Redis needs keepalive.")),
    )
    rows = ask(root, "duplicates")
    names = ("path", "line", "is_record", "is_newest", "same_text")
    told: list[tuple[Json, ...]] = [tuple(row[name] for name in names) for row in rows]
    archived = "archive/2025/core_memories_2025_Q4.jsonl"
    assert [row["id"] for row in rows] == [own_id(1)] * 3
    assert told == [
        ("core_memories.jsonl", 1, True, False, True),
        ("core_memories.jsonl", 5, False, False, False),
        (archived, 1, False, True, True),
    ]


def test_reading_and_reports_do_not_count_as_access(root: Path) -> None:
    file = root / "core_memories.jsonl"
    before = file.read_bytes(), file.stat()
    read(root, file.name)
    for question in FORMAT.reports:
        ask(root, question.name)
    assert (file.read_bytes(), file.stat()) == before
    (first, *_) = read(root, file.name).memories
    assert first.accessed
    assert (first.accessed.text, first.access_count) == (day(3), 1)
