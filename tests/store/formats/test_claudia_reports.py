"""The reports of a database."""

import json
from pathlib import Path

import pytest

from store.derive.conversations import MINUTE
from store.errors import NothingFoundError, UnreadableError, WrongUseError
from store.formats.claudia.format import FORMAT
from store.times import parse
from tests.store.files.sqlite_files import make
from tests.store.formats.claudia_stores import (
    CWD,
    FILE,
    NOW,
    ask,
    database,
    page,
    small,
    small_tree,
)


def at(day: int, hour: int = 12) -> str:
    return f"2026-02-{day:02}T{hour:02}:00:00.000Z"


def test_every_report_is_answered_at_every_level(tmp_path: Path) -> None:
    words = {
        "transcript": ["1"],
        "search": ["kiln"],
        "calendar": ["2026-02"],
        "day": ["2026-02-20"],
        "context": [CWD],
        "handover": ["1"],
    }
    for level in (2, 5, 6, 7, 16, 22):
        small(tmp_path / str(level), level=level)
        for question in FORMAT.reports:
            rows = ask(
                tmp_path / str(level), question.name, *words.get(question.name, [])
            )
            assert json.dumps(rows)
            columns = ["database", *question.columns.split()]
            assert all(list(row) == columns for row in rows)
            assert all(row["database"] == "anima.db" for row in rows)


def test_a_tree_of_pages_has_no_reports(tmp_path: Path) -> None:
    small_tree(tmp_path)

    assert ask(tmp_path, "health") == []


@pytest.mark.parametrize(
    "asked",
    [
        ("health", "now"),
        ("conversations", "lost"),
        ("conversations", "ready", "queued"),
        ("transcript",),
        ("transcript", "x"),
        ("transcript", "٣"),
        ("search",),
        ("search", "category:insights"),
        ("search", "kiln", "from:yesterday"),
        ("calendar", "2026-13"),
        ("calendar", "February"),
        ("day", "2026-02-30"),
        ("day", "20260220"),
        ("months", "2026"),
        ("context",),
        ("files", "x"),
        ("locks", "x"),
        ("documents", "a", "b"),
        ("sections", "a", "b"),
    ],
)
def test_invalid_arguments_are_reported(tmp_path: Path, asked: tuple[str, ...]) -> None:
    small(tmp_path)

    with pytest.raises(WrongUseError, match=rf"\.$|: report {asked[0]} [A-Z]"):
        ask(tmp_path, *asked)


def test_health_is_one_row_of_numbers(tmp_path: Path) -> None:
    small(tmp_path)
    (row,) = ask(tmp_path, "health")

    assert (row["level"], row["files"], row["entries"]) == (22, 1, 4)
    assert (row["active"], row["archived"], row["review"], row["other"]) == (1, 1, 0, 0)
    assert (row["documents"], row["indexed"], row["stale"]) == (1, 1, 0)
    assert (row["ingesting"], row["notice"]) == ([], None)


def test_health_counts_what_the_program_should_have_noticed(tmp_path: Path) -> None:
    with database(tmp_path) as made:
        for hour, status in ((8, "active"), (9, "active"), (7, "ready")):
            made.conversation(at(20, hour), at(20, hour), status=status)
    page(
        tmp_path,
        "anima.json",
        "{memory: {conversationGapMinutes: 30, pollIntervalMs: 600000}}",
    )

    def overdue(minutes: int) -> object:
        with FORMAT.open(tmp_path) as store:
            now = parse(at(20, 8)).micros or 0
            return next(store.ask("health", [], now + minutes * MINUTE))["overdue"]

    assert [overdue(40), overdue(41), overdue(101)] == [0, 1, 2]


def test_conversations_are_sorted_newest_first_and_limited_to_fifty(
    tmp_path: Path,
) -> None:
    with database(tmp_path) as made:
        for day in range(1, 29):
            for hour in (8, 20):
                status = "ready" if day % 2 else "archived"
                made.conversation(at(day, hour), at(day, hour), status=status)
    every, ready = (
        ask(tmp_path, "conversations"),
        ask(tmp_path, "conversations", "ready"),
    )

    assert [row["last"] for row in every[:3]] == [at(28, 20), at(28, 8), at(27, 20)]
    assert (len(every), len(ready)) == (50, 28)
    assert all(row["status"] == "ready" for row in ready)


def test_a_transcript_is_shown_in_the_configured_zone(tmp_path: Path) -> None:
    with database(tmp_path) as made:
        for hour in (0, 11, 12, 23):
            made.entry(at(20, hour), f"hour {hour}")
        made.entry(at(21, 1), "outside")
        made.entry(at(20, 12), "elsewhere", source_file="x.jsonl")
        made.conversation(at(20, 0), at(20, 23))
    page(tmp_path, "anima.json", "{memory: {timezone: 'Europe/Stockholm'}}")
    rows = ask(tmp_path, "transcript", "conversation:1")

    assert [(row["date"], row["time"], row["text"]) for row in rows] == [
        ("2026-02-20", "1:00 AM CET", "hour 0"),
        ("2026-02-20", "12:00 PM CET", "hour 11"),
        ("2026-02-20", "1:00 PM CET", "hour 12"),
        ("2026-02-21", "12:00 AM CET", "hour 23"),
    ]
    with pytest.raises(NothingFoundError, match="number"):
        ask(tmp_path, "transcript", "99")


def test_a_damaged_database_does_not_stop_the_others_from_answering(
    tmp_path: Path,
) -> None:
    small(tmp_path)
    (tmp_path / "claudia.db").write_bytes(b"SQLite format 3\0" + b"\xee" * 4096)

    with FORMAT.open(tmp_path) as store:
        rows = store.ask("health", [], 0)
        assert next(rows)["database"] == "anima.db"
        with pytest.raises(UnreadableError):
            list(rows)


def test_an_invalid_zone_means_the_default(tmp_path: Path) -> None:
    small(tmp_path)
    page(tmp_path, "anima.json", '{"memory": {"timezone": "../../etc/passwd"}}')

    assert ask(tmp_path, "transcript", "1")[0]["time"] == "1:33 PM EST"


def test_a_calendar_counts_by_utc_day_without_skipped_conversations(
    tmp_path: Path,
) -> None:
    with database(tmp_path) as made:
        made.conversation("2026-02-20T23:30:00-02:00", at(21, 3))
        made.conversation("2026-02-21 08:00:00", at(21, 9))
        made.conversation(at(22), at(22), status="skipped")
        made.conversation("2026-03-01T00:00:00Z", "2026-03-01T01:00:00Z")
        made.conversation("once", "upon")

    assert [
        (row["day"], row["conversations"], row["entries"])
        for row in ask(tmp_path, "calendar", "2026-02")
    ] == [("2026-02-21", 2, 4)]
    assert [
        (row["month"], row["conversations"]) for row in ask(tmp_path, "months")
    ] == [("2026-02", 2), ("2026-03", 1)]
    assert [row["conversation"] for row in ask(tmp_path, "day", "2026-02-21")] == [
        "conversation:1",
        "conversation:2",
    ]


def test_context_is_the_latest_about_a_folder(tmp_path: Path) -> None:
    with database(tmp_path) as made:
        for day in range(1, 28):
            made.entry(at(day), f"day {day}")
            made.entry(at(day), "[Used tools: Bash]", tool_names="Bash")
            made.entry(at(day), "other", cwd="/x", source_file="-x/a.jsonl")
            made.conversation(at(day), at(day), summary=f"summary {day}")
        made.entry(at(28), "only its file tells", cwd=None)
        metadata = json.dumps({"cwd": CWD})
        made.conversation(
            at(28), at(28), summary="by cwd", source_file="x", metadata=metadata
        )
    rows = ask(tmp_path, "context", f"{CWD}/")

    summaries = [row["text"] for row in rows if row["kind"] == "summary"]
    messages = [row["text"] for row in rows if row["kind"] == "message"]
    assert summaries == [
        "summary 24",
        "summary 25",
        "summary 26",
        "summary 27",
        "by cwd",
    ]
    assert messages == [*(f"day {day}" for day in range(9, 28)), "only its file tells"]


def test_documents_are_listed_by_category(tmp_path: Path) -> None:
    with database(tmp_path) as made:
        made.document("/m/insights/b.md", "insights", "text", title="B", cwd=CWD)
        made.document("/m/core/a.md", "core", "")
        made.document("/m/x.md", "other", "")

    assert [row["path"] for row in ask(tmp_path, "documents")] == [
        "/m/core/a.md",
        "/m/insights/b.md",
        "/m/x.md",
    ]
    (row,) = ask(tmp_path, "documents", "insights")
    assert (row["title"], row["cwd"], row["characters"]) == ("B", CWD, 4)


def test_sections_come_from_the_register(tmp_path: Path) -> None:
    small(tmp_path)
    make(
        tmp_path / "memory-sections.db",
        "CREATE TABLE sections (id INTEGER PRIMARY KEY, file_path TEXT,"
        " section_title TEXT, summary TEXT, created_at TEXT, updated_at TEXT)",
        "INSERT INTO sections (file_path, section_title, summary) VALUES"
        " ('core/b.md', 'Values', 'What\ncounts'), ('core/a.md', 'Names', NULL)",
    )

    assert [(r["path"], r["section"]) for r in ask(tmp_path, "sections")] == [
        ("core/a.md", "Names"),
        ("core/b.md", "Values"),
    ]
    (row,) = ask(tmp_path, "sections", "b.md")
    assert (row["database"], row["summary"]) == ("memory-sections.db", "What\ncounts")


def test_files_are_compared_with_those_on_disk(tmp_path: Path) -> None:
    store, live = tmp_path / ".anima", tmp_path / ".claude/projects"
    with database(store) as made:
        for name in ("same", "grown", "truncated", "gone", "backed-up"):
            made.file(f"-p/{name}.jsonl", last_committed_entry_id=7)
        made.file("../../outside.jsonl", source="pi-converted", status="ingesting")
    page(tmp_path, "outside.jsonl", "x" * 100)
    for name, size in {"same": 100, "grown": 101, "truncated": 99, "new": 5}.items():
        page(live, f"-p/{name}.jsonl", "x" * size)
    backup = tmp_path / ".claude/projects-backup"
    page(backup, "-p/backed-up.jsonl", "x" * 100)
    page(backup, "-p/same.jsonl", "older")
    rows = ask(store, "files")

    assert {str(row["file"]): row["on_disk"] for row in rows} == {
        "-p/same.jsonl": "same",
        "-p/grown.jsonl": "grown",
        "-p/truncated.jsonl": "truncated",
        "-p/gone.jsonl": "gone",
        "-p/backed-up.jsonl": "same",
        "-p/new.jsonl": "new",
        "../../outside.jsonl": "gone",
    }
    told = {str(row["file"]): row for row in rows}
    assert told["../../outside.jsonl"]["source"] == "pi-converted"
    assert told["../../outside.jsonl"]["status"] == "ingesting"
    assert told["-p/same.jsonl"]["modified"] == "2026-09-21T11:26:40.000250Z"
    assert told["-p/same.jsonl"]["last_entry_id"] == 7
    assert told["-p/same.jsonl"]["offset"] == told["-p/same.jsonl"]["file_size"] == 100
    assert told["-p/new.jsonl"]["status"] is None


def test_another_folder_can_be_watched(tmp_path: Path) -> None:
    with database(tmp_path / ".anima") as made:
        made.file("a.jsonl", last_modified=1789990000000)
    page(tmp_path / ".anima", "anima.json", "{memory: {watchPath: '~/watched'}}")
    page(tmp_path, "watched/a.jsonl", "x" * 100)
    (row,) = ask(tmp_path / ".anima", "files")

    assert (row["on_disk"], row["modified"]) == ("same", "2026-09-21T11:26:40Z")


def test_locks_become_stale(tmp_path: Path) -> None:
    with database(tmp_path, level=20) as made:
        for file, locked in (("old", "2026-09-21 14:07:00"), ("new", NOW // 1000)):
            made.put(
                "memory_file_locks",
                source_file=file,
                operation="rebuilding",
                locked_at=locked,
                locked_by_pid=7,
            )
        made.put("memory_extension_locks", lock_id="memory-extension", owner_pid=8)
        made.put(
            "extension_runtime_locks",
            extension_id="memory",
            lock_type="singleton",
            resource_key="__default__",
            holder_pid=9,
            acquired_at=NOW // 1000 - 90_000,
            updated_at=NOW // 1000 - 90_000,
            stale_after_ms=60_000,
        )
    rows = ask(tmp_path, "locks")

    assert [(row["holds"], row["pid"], row["stale"]) for row in rows] == [
        ("old", 7, True),
        ("new", 7, False),
        ("memory-extension", 8, None),
        ("__default__", 9, True),
    ]
    assert [row["age_s"] for row in rows] == [380, 0, None, 90]
    assert rows[0]["for"] == "rebuilding"


def test_a_source_is_named_as_in_its_program(tmp_path: Path) -> None:
    small(tmp_path)

    assert all(row["source"] == FILE for row in ask(tmp_path, "conversations"))
