from pathlib import Path

import pytest

from store.errors import AmbiguousError, NothingFoundError, WrongUseError
from store.findings import Json
from store.formats.kei.format import FORMAT
from store.formats.kei.reports import REPORTS
from store.reports import AnyReport
from tests.store.formats.kei_databases import make_database, make_ledger
from tests.store.formats.kei_stores import (
    CLAIMS,
    SESSIONS,
    TASKS,
    ask,
    assistant,
    call,
    jsonl,
    opened,
    result,
    said,
    user,
    write,
)

ONE, TWO = "traces/aaaa-1.jsonl", "traces/aaaa-2.jsonl"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Two sessions, and a third that only the analyzer's database knows."""
    store = tmp_path / "memory"
    write(
        store,
        ONE,
        jsonl(
            user("Fix the redis timeout", "2026-04-24T10:00:00Z"),
            assistant(
                call("Read", file_path="/src/b.py"),
                at="2026-04-24T10:01:00Z",
            ),
            user([result("…")], "2026-04-24T10:01:01Z"),
            assistant(
                call("Bash", "t2", command='echo "a"\npytest -q ' + "x" * 200),
                at="2026-04-24T10:02:00Z",
            ),
            user([result("no", "t2", is_error=True)], "2026-04-24T10:02:05Z"),
            assistant(
                call("Edit", "t3", file_path="/src/a.py"), at="2026-04-24T10:03:00Z"
            ),
            user("You broke it again", "2026-04-24T10:04:00Z"),
        ),
    )
    write(
        store,
        TWO,
        jsonl(
            user("The redis keepalive", "2026-04-26T10:00:00Z"),
            assistant(call("Bash", command="ls"), at="2026-04-26T10:01:00Z"),
            {"ts": 1777197700, "kind": "tool_use", "tool": "Bash", "message": "ok"},
        ),
    )
    make_database(store / "kei-memory.sqlite", again=2)
    return store


def test_events_of_a_class_since_a_day(store: Path) -> None:
    found = ask(store, "events-of-class", "tool_use:Bash")
    since = ask(store, "events-of-class", "tool_use:Bash", "2026-04-25")

    assert [(row["session"], row["line"]) for row in found] == [
        *(("aaaa-1", 4), ("aaaa-2", 2), ("aaaa-2", 3))
    ]
    assert list(since) == list(found[1:])
    as_kei = ask(store, "events-of-class", "tool_use:Bash", "as-kei")
    assert [row["line"] for row in as_kei] == [4, 2]


def test_how_many_events_each_session_has(store: Path) -> None:
    assert ask(store, "events-per-session") == [
        {"session": "aaaa-2", "events": 3, "median": False},
        {"session": "old", "events": 3, "median": True},
        {"session": "aaaa-1", "events": 7, "median": False},
    ]


def test_when_something_went_wrong(store: Path) -> None:
    assert ask(store, "errors-per-session") == [
        {
            "session": "aaaa-1",
            "at": "2026-04-24T10:02:05Z",
            "errors": 1,
            "tools": "Bash",
        },
        {"session": "old", "at": "2023-11-14T22:13:40Z", "errors": 1, "tools": None},
    ]


def test_how_often_each_class_occurred(store: Path) -> None:
    found = {row["event_class"]: row["count"] for row in ask(store, "classes")}
    as_kei = {
        row["event_class"]: row["count"] for row in ask(store, "classes", "as-kei")
    }

    assert found == {
        "tool_use:Bash": 3,
        "tool_use:Read": 2,
        "user": 3,
        "tool_result": 1,
        "tool_error:Bash": 1,
        "tool_use:Edit": 1,
        "user_correction": 1,
        "tool_error": 1,
    }
    assert as_kei == {
        "user": 4,
        "tool_use:Bash": 2,
        "tool_use:Read": 2,
        "tool_error": 2,
        "tool_use:Edit": 1,
        "user_correction": 1,
        "other": 1,
    }
    counts = [int(str(row["count"])) for row in ask(store, "classes")]
    assert counts == sorted(counts, reverse=True)


def test_every_command_that_was_run_without_output(store: Path) -> None:
    flat = [
        {"ts": 1777197700, "kind": "tool_use", "tool": "Bash", "message": "2 passed"},
        {"ts": 1777197701, "type": "assistant", "tool": "Bash", "message": "Done."},
    ]
    write(store, "traces/flat.jsonl", jsonl(*flat))
    found = ask(store, "commands")

    assert [row["command"] for row in found] == [
        ('echo "a"\npytest -q ' + "x" * 200)[:120],
        "ls",
    ]
    assert [row["session"] for row in found] == ["aaaa-1", "aaaa-2"]


def test_a_session_in_retrospect(store: Path) -> None:
    found = ask(store, "retrospective", "aaaa-1")

    assert [row["session"] for row in found] == ["aaaa-1"] * len(found)
    rest = [
        [value for name, value in row.items() if name != "session"] for row in found
    ]
    assert [tuple(one) for one in rest] == [
        ("duration_s", None, 240.0),
        ("events", None, 7),
        ("tool calls", None, 3),
        ("errors", None, 1),
        ("tool", "Bash", 1),
        ("tool", "Edit", 1),
        ("tool", "Read", 1),
        ("file", "/src/a.py", 1),
        ("file", "/src/b.py", 1),
    ]
    assert ask(store, "retrospective", "old")[1]["value"] == 3


def test_files_that_are_edited_together(store: Path) -> None:
    pair = {"file_a": "/src/a.py", "file_b": "/src/b.py", "count": 1}

    assert ask(store, "coaccess") == [pair]
    assert ask(store, "coaccess", "b.py") == [pair]
    assert ask(store, "coaccess", "c.py") == []
    stored: list[dict[str, Json]] = [{"file_a": "/a", "file_b": "/b", "count": 4}]
    assert ask(store, "coaccess", "stored") == stored


def test_recurring_patterns(store: Path) -> None:
    found = ask(store, "patterns")

    across = [row for row in found if row["counts"] == "sessions"]
    assert [(row["event_class"], row["count"]) for row in across] == [
        *(("user", 3), ("tool_use:Bash", 2), ("tool_use:Read", 2))
    ]
    within = [row for row in found if row["counts"] == "events"]
    assert [(row["event_class"], row["session"], row["count"]) for row in within] == [
        ("tool_use:Bash", "aaaa-2", 2)
    ]
    (stored,) = ask(store, "patterns", "stored")
    assert (stored["event_class"], stored["count"]) == ("retry_loop", 6)


def test_similar_sessions(store: Path) -> None:
    found = ask(store, "similar", "aaaa-2")

    assert [row["session"] for row in found] == ["old", "aaaa-1"]
    assert all(0 < float(str(row["score"])) < 1 for row in found)
    assert len(ask(store, "similar", "aaaa-2", "1")) == 1


def test_the_lines_of_a_session_as_a_tree(tmp_path: Path) -> None:
    lines = [
        user("one", uuid="a", parentUuid=None),
        assistant(said("two"), uuid="b", parentUuid="a"),
        user("orphan", uuid="c", parentUuid="gone"),
        assistant(said("four"), uuid="d", parentUuid="b"),
        user("beside", uuid="e", parentUuid="a"),
        user("egg", uuid="f", parentUuid="g"),
        user("hen", uuid="g", parentUuid="f"),
        user("again", uuid="a", parentUuid="d"),
        {"type": "summary", "leafUuid": "a"},
    ]
    write(tmp_path, ONE, jsonl(*lines))
    found = ask(tmp_path, "thread", "aaaa")

    assert [(r["depth"], r["level"], r["text"], r["note"]) for r in found] == [
        (0, 0, "one", None),
        (1, 1, "two", None),
        (2, 1, "four", None),
        (1, 1, "beside", None),
        (0, 0, "orphan", "parent not in this trace"),
        (0, 0, "egg", "its own ancestor"),
        (1, 0, "hen", None),
    ]
    assert {(r["path"], r["line"]) for r in found} == {(ONE, n) for n in range(1, 8)}


def test_a_long_chain_is_a_tree_too(tmp_path: Path) -> None:
    chain = [user("x", uuid=f"u{n}", parentUuid=f"u{n - 1}") for n in range(20_000)]
    write(tmp_path, ONE, jsonl(*chain))

    assert ask(tmp_path, "thread", "aaaa")[-1]["depth"] == 19_999


TASK_LINES: list[dict[str, Json]] = [
    {"kind": "task", "name": "audit-one", "duration_s": 10},
    {"kind": "task", "name": "audit-two", "duration_s": 30},
    {"kind": "task", "id": "toolu_1", "desc": "Audit the diff", "duration_s": 0},
    {"kind": "task", "id": "toolu_1", "duration_s": 90, "source": "task-notification"},
    {"kind": "task", "id": "toolu_2", "duration_s": 5},
    {"kind": "start", "name": "audit-three", "start_epoch": 1_777_438_080},
    {"kind": "stop", "name": "ship", "start_epoch": 1, "duration_s": 1_000},
]


def test_how_long_tasks_take(tmp_path: Path) -> None:
    write(tmp_path, TASKS, jsonl(*TASK_LINES))

    assert ask(tmp_path, "task-median", "AUDIT") == [
        {"word": "AUDIT", "tasks": 3, "median_s": 30.0}
    ]
    assert ask(tmp_path, "task-median", "none") == [
        {"word": "none", "tasks": 0, "median_s": None}
    ]
    assert ask(tmp_path, "task-medians") == [
        {"prefix": "Audit the diff", "tasks": 1, "median_s": 90.0},
        {"prefix": "audit", "tasks": 2, "median_s": 20.0},
    ]


def test_how_long_sessions_take(tmp_path: Path) -> None:
    lines: list[dict[str, Json]] = [
        {"kind": "session", "id": "s", "duration_s": n} for n in (0, 10, 10, 100)
    ]
    write(tmp_path, SESSIONS, jsonl(*lines))
    found = ask(tmp_path, "session-durations", "10")

    assert [row["count"] for row in found] == [1, 2, 0, 0, 0, 0, 0, 0, 0, 1]
    assert (found[1]["bucket"], found[1]["from_s"], found[1]["to_s"]) == (
        *("10–20 s", 10.0),
        20.0,
    )
    assert len(ask(tmp_path, "session-durations")) == 30


def test_running_tasks(store: Path) -> None:
    write(store, TASKS, jsonl(*TASK_LINES))
    write(store, "time-metrics/.session-s.start", "1777438080")
    (store.parent / "agents").mkdir()
    make_ledger(store.parent / "agents" / "ledger.sqlite")
    found = ask(store, "running", now=1_777_438_090_000_000)

    assert [(r["kind"], r["name"], r["id"], r["running_s"]) for r in found] == [
        ("session", None, "s", 10),
        ("task", "audit-three", None, 10),
        ("agent", "agent/fix", "toolu_2", 77_437_590),
    ]


def test_the_evidence_of_a_claim(tmp_path: Path) -> None:
    write(tmp_path, TASKS, jsonl(*TASK_LINES))
    pointers = ("tasks.jsonl#audit-two", "REAL:tasks.jsonl#toolu_1", "tasks.jsonl#gone")
    lines: list[dict[str, Json]] = [
        {"kind": "claim", "value": "x", "evidence_tier": "REAL", "pointer": pointer}
        for pointer in (*pointers, "by feeling")
    ]
    write(tmp_path, CLAIMS, jsonl(*lines))

    assert [row["proof"] for row in ask(tmp_path, "claims")] == [
        f"{TASKS}:2",
        f"{TASKS}:4",
        None,
        None,
    ]


def test_to_do_items(store: Path) -> None:
    write(store, "audit-backlog.md", "- [LOGGED 2026-04-30] retry_loop ×3\n")
    write(store, "sync-repo/backlog.md", "- [ ] read the report\n")

    assert [
        (r["state"], r["text"], r["path"], r["line"]) for r in ask(store, "backlog")
    ] == [
        ("LOGGED", "", "audit-backlog.md", 1),
        ("open", "read the report", "sync-repo/backlog.md", 1),
        ("open", "codify retry_loop", "kei-memory.sqlite", 1),
        ("done", "old news", "kei-memory.sqlite", 2),
    ]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("nothing-like-it", ()),
        ("events-of-class", ()),
        ("events-of-class", ("user", "yesterday")),
        ("events-of-class", ("user", "2026-01-01", "more")),
        ("task-median", ()),
        ("token-outliers", ("many",)),
        ("session-durations", ("-5",)),
        ("classes", ("user",)),
        ("retrospective", ()),
        ("similar", ("aaaa-1", "x")),
        ("thread", ()),
        ("commands", ("ls",)),
    ],
)
def test_invalid_arguments_are_reported_at_once(
    store: Path, question: str, words: tuple[str, ...]
) -> None:
    with (
        opened(store) as kei,
        pytest.raises(WrongUseError, match=r"^Unknown report|eport `"),
    ):
        kei.ask(question, words, 0)


@pytest.mark.parametrize("question", ["retrospective", "similar", "thread"])
def test_a_session_can_be_given_by_a_unique_prefix(store: Path, question: str) -> None:
    with opened(store) as kei:
        with pytest.raises(AmbiguousError, match="aaaa-1, aaaa-2"):
            kei.ask(question, ["aaaa"], 0)
        with pytest.raises(NothingFoundError, match="bbbb"):
            kei.ask(question, ["bbbb"], 0)


def test_a_session_without_prompts_is_similar_to_none(tmp_path: Path) -> None:
    write(tmp_path, ONE, jsonl(user("…")))
    with opened(tmp_path) as kei, pytest.raises(NothingFoundError, match="typed"):
        kei.ask("similar", ["aaaa-1"], 0)


NEEDED = {
    "events-of-class": ("user",),
    "task-median": ("x",),
    "retrospective": ("aaaa-1",),
    "similar": ("aaaa-1",),
    "thread": ("aaaa-1",),
}


@pytest.mark.parametrize("question", FORMAT.reports, ids=[q.name for q in REPORTS])
def test_every_report_has_flat_rows(store: Path, question: AnyReport) -> None:
    rows = ask(store, question.name, *NEEDED.get(question.name, ()))

    assert {tuple(row) for row in rows} <= {tuple(question.columns.split())}
    for row in rows:
        values = row.values()
        assert all(isinstance(v, str | int | float | None) for v in values)
