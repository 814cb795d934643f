"""Reports on how programs look after their memories; worked out by hand."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

from store.files.beneath import Root
from store.findings import Json
from store.formats.claudia.format import FORMAT as CLAUDIA
from store.formats.claudia.librarian import REPORTS as LIBRARIAN
from store.formats.cognitive.edit_pages import Ranked
from store.formats.cognitive.format import FORMAT as GRAPH
from store.formats.cognitive.reports import REPORTS as COGNITIVE
from store.formats.cognitive.reports import ranked, united
from store.formats.notes.format import FORMAT as NOTES
from tests.store.formats.claudia_stores import FILE, Claudia, database
from tests.store.formats.cognitive_stores import write

NOW = int(datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp()) * 1_000_000
HOUR = 3600


def gates(folder: Path, now: int = NOW) -> dict[str, tuple[Json, Json, Json]]:
    """Each gate: its value, whether it is open, and when it opens."""
    with NOTES.open(folder) as store:
        rows = list(store.ask("gates", [], now))
    return {str(row["gate"]): (row["value"], row["open"], row["opens"]) for row in rows}


def aged(file: Path, hours: float) -> Path:
    """A file that was written some hours before."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    at = NOW / 1_000_000 - hours * HOUR
    os.utime(file, (at, at))
    return file


def test_the_gates_of_a_folder_that_was_never_consolidated(tmp_path: Path) -> None:
    memory = tmp_path / "projects/-home-zoe-kiln/memory"
    write(memory, "MEMORY.md", "- a\n")
    for number in range(9):
        write(memory, f"{number}.md", "x\n")
    for number in range(3):
        aged(memory.parent / f"{number}.jsonl", 100)
    aged(memory.parent / "agent-1.jsonl", 1)

    assert gates(memory) == {
        "time": ("never consolidated", True, "open"),
        "scan throttle": ("at the latest 4 d ago", True, "open"),
        "sessions": (3, False, "with 2 more"),
        "lock": ("free", True, "open"),
        "memories": (9, False, "with 1 more"),
    }
    write(memory, "deep/9.md", "x\n")
    assert gates(memory)["memories"] == (10, True, "open")


def test_the_gates_count_from_the_last_consolidation(tmp_path: Path) -> None:
    memory = tmp_path / "projects/-home-zoe-kiln/memory"
    write(memory, ".consolidate-lock", f"{os.getpid()}\n")
    lock = aged(memory / ".consolidate-lock", 0.5)
    for hours in (2, 0.4, 0.3):
        aged(memory.parent / f"{hours}.jsonl", hours)

    held = f"held by process {os.getpid()}"
    until = "when it ends, at the latest 2026-03-01T12:30:00Z"
    told = gates(memory)
    assert told["time"] == ("0.5 h ago", False, "2026-03-02T11:30:00Z")
    assert told["sessions"] == (2, False, "with 3 more")
    assert told["lock"] == (held, False, until)

    assert told["scan throttle"] == ("not scanned", True, "open"), "not due yet"

    aged(lock, 1)
    assert gates(memory)["lock"][1:] == (True, "open"), "it expires after an hour"
    aged(lock, 24)
    told = gates(memory)
    assert told["time"] == ("24.0 h ago", True, "open")
    assert told["sessions"][0] == 3

    aged(lock, 30)
    aged(memory.parent / "0.3.jsonl", 0.1)
    latest = "at the latest 2026-03-01T12:04:00Z"
    assert gates(memory)["scan throttle"] == ("at the latest 6 min ago", None, latest)


def memory(title: str, kind: str, importance: float, tags: str, at: str) -> str:
    return (
        f'---\nid: {title}-id\ntype: {kind}\ntitle: "{title}"\ntags: [{tags}]\n'
        f"importance: {importance}\ncreated: {at}\nupdated: {at}\n---\n\nText.\n"
    )


def graph(folder: Path) -> Path:
    now = "2026-03-01T12:00:00+00:00"
    for title, kind, importance, tags in (
        ("a", "solution", 0.8, "redis, timeout"),
        ("b", "procedure", 1.0, "redis, timeout, deploy"),
        ("c", "general", 0.5, "deploy, redis, timeout, cache"),
        ("d", "fix", 0.2, "other"),
    ):
        text = memory(title, kind, importance, tags, now)
        write(folder, f"graph/{kind}s/{title}.md", text)
    state = {"a-id": {"access_count": 5, "last_accessed": "2026-02-28T12:00:00+00:00"}}
    write(folder, "_state.json", json.dumps({"version": 1, "entries": state}))
    return folder


def test_strengths_in_reports_are_those_of_the_specification(tmp_path: Path) -> None:
    with Root(graph(tmp_path)) as root:
        told = {one.title: round(one.strength or 0, 4) for one in ranked(root, NOW)}

    assert told == {"a": 2.4082, "b": 0.7, "c": 0.2, "d": 0.1}


def test_a_report_says_what_is_on_the_page_and_why_not(tmp_path: Path) -> None:
    names = [report.name for report in COGNITIVE]
    assert names == ["core-page", "clusters", "merges"]
    with GRAPH.open(graph(tmp_path)) as store:
        rows = list(store.ask("core-page", [], NOW))
        outside = list(store.ask("core-page", ["outside"], NOW))
        clusters = list(store.ask("clusters", [], NOW))

    assert [(row["title"], row["section"], row["why"]) for row in rows] == [
        ("a", "Critical Solutions", ""),
        ("b", "Patterns & Workflows", ""),
        ("c", "", "no section has the type general"),
        ("d", "Key Fixes", "strength below 0.2"),
    ]
    assert [row["rank"] for row in outside] == [3, 4]
    assert [(row["memories"], row["titles"]) for row in clusters] == [
        (3, ["a", "b", "c"])
    ]


def test_memories_are_joined_by_most_of_their_tags() -> None:
    def one(title: str, *tags: str) -> Ranked:
        return Ranked(title, None, tags, "", None)

    several = [
        one("a", "x", "y"),
        one("b", "x", "y", "z", "w"),
        one("c", "x", "y", "z", "w", "v"),
        one("d", "x", "y", "q", "r", "s"),
        one("e", "x"),
        one("f", "x"),
    ]

    assert [[m.title for m in cluster] for cluster in united(several, 2)] == [
        ["a", "b", "c"]
    ]


# The librarian.


def filled(store: Path) -> None:
    with database(store) as made:
        made.file()
        _said(made, 1, "user", "The kiln is at cone 6.")
        _said(made, 2, "assistant", "[Used tools: Read]", tool_names="Read")
        _said(made, 3, "assistant", "y" * 300, tool_names="Read")
        for hour, count, status in ((1, 3, "archived"), (2, 4, "ready")):
            _conversation(made, hour, count, status)
        _said(made, 20, "user", "x" * 90_000, hour=5)
        _conversation(made, 5, 9, "ready", last=59)
        _said(made, 0, "user", "short", hour=7)
        _conversation(made, 7, 5, "ready")
        _conversation(made, 9, 6, "ready")


def _said(made: Claudia, minute: int, role: str, text: str, **more: object) -> None:
    hour = more.pop("hour", 1)
    made.entry(f"2026-02-20T{hour:02}:{minute:02}:00.000Z", text, role=role, **more)


def _conversation(
    made: Claudia, hour: int, count: int, status: str, last: int = 10
) -> None:
    made.conversation(
        f"2026-02-20T{hour:02}:00:00.000Z",
        f"2026-02-20T{hour:02}:{last:02}:00.000Z",
        entry_count=count,
        status=status,
        summary="We fired the kiln." if status == "archived" else None,
    )


def ask(store: Path, report: str, *words: str) -> list[dict[str, Json]]:
    with CLAUDIA.open(store) as opened:
        return list(opened.ask(report, list(words), NOW))


def test_a_dry_run_says_what_is_processed_and_what_is_skipped(tmp_path: Path) -> None:
    store = tmp_path / ".anima"
    filled(store)
    write(store, "anima.json", '{memory: {processBatchSize: 3, timezone: "UTC"}}')
    rows = ask(store, "process")

    assert [(r["conversation"], r["does"], r["why"]) for r in rows] == [
        ("conversation:2", "skip", "4 messages; the minimum is 5"),
        ("conversation:3", "process", ""),
        ("conversation:4", "process", ""),
        ("conversation:5", "wait", "the run is full; the next one takes it"),
    ]
    assert ask(store, "process", "5")[0]["why"] == "its messages are gone"
    write(tmp_path, "memory/episodes/2026-02/2026-02-20-0700-4.md", "## done\n")
    (row,) = ask(store, "process", "4")
    assert row["why"] == "episodes/2026-02/2026-02-20-0700-4.md exists"
    write(store, "anima.json", "{memory: {minConversationMessages: 10}}")
    assert all(row["does"] == "skip" for row in ask(store, "process"))


def test_what_the_librarian_is_given_is_shown_in_order(tmp_path: Path) -> None:
    filled(tmp_path)
    write(tmp_path, "anima.json", '{memory: {timezone: "UTC"}}')
    head, *messages = ask(tmp_path, "handover", "1")

    assert str(head["text"]).startswith("Date: 2026-02-20\nTime: 1:00 AM - 1:10 AM\n")
    assert [(row["given"], row["why"]) for row in messages] == [
        (True, ""),
        (False, "an assistant's message with tools, below 200 characters"),
        (True, ""),
    ]
    assert messages[0]["text"] == "[1:01 AM UTC] Michael:\nThe kiln is at cone 6.\n"
    head, earlier, long = ask(tmp_path, "handover", "3")
    assert (earlier["part"], earlier["text"]) == (
        "earlier summary",
        "We fired the kiln.",
    )
    assert long["why"] == "after 80,000 characters"


def test_a_stuck_import_shows_how_it_is_recovered(tmp_path: Path) -> None:
    with database(tmp_path) as made:
        for minute in range(4):
            _said(made, minute, "user", "x")
        made.file(status="ingesting", last_committed_entry_id=3)

    (row,) = ask(tmp_path, "recovery")

    assert (row["file"], row["by"], row["from"], row["entries"]) == (
        FILE,
        "entry id",
        3,
        1,
    )
    with database(tmp_path / "old", level=5) as made:
        for minute in range(4):
            _said(made, minute, "user", "x")
        since = "2026-02-20T01:01:00.000Z"
        made.file(status="ingesting", last_entry_timestamp=since)
    (row,) = ask(tmp_path / "old", "recovery")
    assert (row["by"], row["from"], row["entries"]) == ("timestamp", since, 2)
    assert row["does"] == "delete 2 entries, set it to idle, divide it again"
    assert [r.name for r in LIBRARIAN][-3:] == ["process", "handover", "recovery"]
