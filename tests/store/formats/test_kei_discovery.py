from collections.abc import Mapping
from pathlib import Path

import pytest

from store.files.beneath import Root
from store.findings import Json
from store.formats.kei.format import FORMAT
from store.formats.port import Source
from store.machine import Machine
from tests.store.formats.kei_databases import make_database, make_ledger
from tests.store.formats.kei_stores import (
    SESSIONS,
    SID,
    TASKS,
    TRACE,
    jsonl,
    opened,
    read_all,
    refusals,
    scanned,
    sniffs,
    user,
    write,
)

LEDGER = "../agents/ledger.sqlite"


def roles(store: Path, **settings: str) -> dict[str, str]:
    with opened(store, **settings) as kei:
        return {s.path: s.role for s in kei.scan() if isinstance(s, Source)}


def test_places_are_in_the_home_folder(tmp_path: Path) -> None:
    machine = Machine(tmp_path, tmp_path, {"KEI_MEMORY_DB": "/data/kei/x.sqlite"})

    assert list(FORMAT.places(machine)) == [
        tmp_path / ".claude" / "memory",
        Path("/data/kei"),
    ]
    (tmp_path / ".claude" / "memory").mkdir(parents=True)
    assert list(FORMAT.places(machine)) == [tmp_path / ".claude" / "memory"]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (TRACE, {"type": "user", "sessionId": SID}),
        (TRACE, {"type": "summary", "leafUuid": "x"}),
        ("traces/old.jsonl", {"ts": 1, "kind": "tool_use", "tool": "Bash"}),
        ("traces/old.jsonl", {"ts": 1, "event_class": "x"}),
        (SESSIONS, {"kind": "session", "id": "x", "start_epoch": 1}),
        (TASKS, {"kind": "task", "name": "x", "duration_s": 1}),
        ("time-metrics/x.jsonl", {"kind": "claim", "evidence_tier": "REAL"}),
    ],
)
def test_a_store_is_recognised_by_its_lines(
    tmp_path: Path, path: str, line: Mapping[str, Json]
) -> None:
    write(tmp_path, path, jsonl(line))

    assert sniffs(tmp_path)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("traces/x.jsonl", {"traceId": "7f", "ts": 1, "kind": "SERVER"}),
        ("traces/x.jsonl", {"type": "error", "message": "text"}),
        ("traces/x.txt", {"type": "user", "sessionId": SID}),
        ("time-metrics/x.jsonl", {"kind": "task", "title": "buy milk"}),
        ("metrics/x.jsonl", {"kind": "session", "start_epoch": 1}),
        ("agent-events.jsonl", {"event": "tool_use"}),
    ],
)
def test_similar_folders_of_other_programs_are_not_recognised(
    tmp_path: Path, path: str, line: Mapping[str, Json]
) -> None:
    write(tmp_path, path, jsonl(line))

    assert not sniffs(tmp_path)


def test_a_database_is_recognised_by_its_tables(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path, "other/kei-memory.sqlite", "notes")
    (tmp_path / "own").mkdir()
    make_database(tmp_path / "own" / "kei-memory.sqlite")

    assert sniffs(tmp_path / "own")
    assert not sniffs(tmp_path / "other")
    assert not sniffs(tmp_path / "empty")


def test_a_graph_of_memories_is_not_a_store_of_the_kit(tmp_path: Path) -> None:
    write(tmp_path, TRACE, jsonl(user("Hello")))
    (tmp_path / "graph").mkdir()
    assert sniffs(tmp_path)

    write(tmp_path, "graph/fixes/x-4a4a4a.md", "---\nid: 4a4a4a\n---\n")
    assert not sniffs(tmp_path)


def test_every_file_has_its_role(tmp_path: Path) -> None:
    for path in (
        *(TRACE, TASKS, SESSIONS, "agent-events.jsonl", "MEMORY.md"),
        *("my-project.md", "audit-backlog.md", "error-patterns.json"),
        *("affect/x.jsonl", "chatlogs/2026/a.md", "error-window.txt"),
        *("sync-errors.log", "router-calibration.jsonl", "recurrence-log.md"),
        *("sync-repo/reports/sleep-2026-04-29.md", "sync-repo/reports/last-run.txt"),
        *("sync-repo/backlog.md", "sync-repo/ledger/agents.jsonl"),
        *("sync-repo/.keisei-sync.toml", ".git/config", "kei-memory.sqlite-wal"),
    ):
        write(tmp_path, path, "")

    assert roles(tmp_path) == {
        TRACE: "trace",
        TASKS: "tasks",
        SESSIONS: "figures",
        "agent-events.jsonl": "agent-events",
        "MEMORY.md": "page",
        "my-project.md": "page",
        "audit-backlog.md": "backlog",
        "error-patterns.json": "page",
        "affect/x.jsonl": "page",
        "chatlogs/2026/a.md": "page",
        "error-window.txt": "page",
        "sync-errors.log": "page",
        "router-calibration.jsonl": "page",
        "recurrence-log.md": "page",
        "sync-repo/reports/sleep-2026-04-29.md": "page",
        "sync-repo/reports/last-run.txt": "page",
        "sync-repo/backlog.md": "backlog",
        "sync-repo/ledger/agents.jsonl": "agent-lines",
    }
    assert refusals(tmp_path) == {}


def test_unread_files_are_reported(tmp_path: Path) -> None:
    write(tmp_path, "picture.png", "")
    write(tmp_path, "graphs/x.md", "")
    write(tmp_path, "traces/notes.md", "")
    (tmp_path / "traces" / "x.jsonl").mkdir()
    (tmp_path / "MEMORY.md").symlink_to("/etc/hostname")
    (tmp_path / "LINK.md").symlink_to("traces/notes.md")
    write(tmp_path, "real.md", "")
    (tmp_path / "again.md").symlink_to("real.md")

    assert refusals(tmp_path) == {
        "picture.png": "foreign-file",
        "graphs": "foreign-folder",
        "traces/notes.md": "foreign-file",
        "traces/x.jsonl": "folder-as-file",
        "MEMORY.md": "link-leads-out",
        "LINK.md": "link-not-followed",
        "again.md": "link-to-source",
    }


def test_a_store_claims_its_own_folders(tmp_path: Path) -> None:
    with opened(tmp_path) as kei:
        assert kei.title == tmp_path.name
    assert FORMAT.keeps("sync-repo")
    assert not FORMAT.keeps("graph")


def test_the_ledger_is_beside_the_folder_of_memories(tmp_path: Path) -> None:
    store = tmp_path / "x" / "memory"
    write(store, TRACE, jsonl(user("Hello")))
    assert roles(store) == {TRACE: "trace"}

    write(store.parent, "agents/secret.md", "not looked at")
    make_ledger(store.parent / "agents" / "ledger.sqlite")

    assert roles(store) == {LEDGER: "ledger", TRACE: "trace"}
    assert [a.id for a in read_all(store)[LEDGER].agents] == ["toolu_1", "toolu_2"]


def test_other_folders_have_no_ledger(tmp_path: Path) -> None:
    write(tmp_path, f"kei/{TRACE}", jsonl(user("Hello")))
    (tmp_path / "agents").mkdir()
    make_ledger(tmp_path / "agents" / "ledger.sqlite")

    assert roles(tmp_path / "kei") == {TRACE: "trace"}


def test_a_ledger_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    store = tmp_path / "memory"
    write(store, TRACE, jsonl(user("Hello")))
    make_ledger(tmp_path / "elsewhere.sqlite")
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "ledger.sqlite").symlink_to("../elsewhere.sqlite")

    assert roles(store) == {TRACE: "trace"}


def test_settings_add_places(tmp_path: Path) -> None:
    store = tmp_path / ".claude" / "memory"
    write(store, TRACE, jsonl(user("Hello")))
    data = tmp_path / "data"
    data.mkdir()
    make_database(data / "kei.sqlite")
    make_ledger(data / "agents.db")
    write(data, "done.jsonl", jsonl({"kind": "start", "name": "x", "start_epoch": 1}))
    settings = {
        "KEI_MEMORY_DB": f"{data}/kei.sqlite",
        "KEI_LEDGER_DB": f"{data}/agents.db",
        "KEI_TLOG_JOURNAL": "~/data/done.jsonl",
    }

    assert roles(store, **settings) == {
        "../../data/agents.db": "ledger",
        "../../data/kei.sqlite": "database",
        "../../data/done.jsonl": "tasks",
        TRACE: "trace",
    }
    with opened(store, **settings) as kei:
        found = {s.path: kei.read(s) for s in kei.scan() if isinstance(s, Source)}
    assert len(found["../../data/agents.db"].agents) == 2
    assert found["../../data/kei.sqlite"].events
    assert found["../../data/done.jsonl"].measures[0].name == "x"


def test_settings_only_apply_to_the_store_of_the_machine(tmp_path: Path) -> None:
    store = tmp_path / "copied" / "memory"
    write(store, TRACE, jsonl(user("Hello")))
    make_database(tmp_path / "kei.sqlite")

    assert roles(store, KEI_MEMORY_DB=f"{tmp_path}/kei.sqlite") == {TRACE: "trace"}


def test_a_glance_covers_everything_that_a_scan_reads(tmp_path: Path) -> None:
    store = tmp_path / "memory"
    write(store, TRACE, jsonl(user("Hello")))
    write(store, f"sync-repo/{TRACE}", "")
    (tmp_path / "agents").mkdir()
    with opened(store) as kei:
        glances = [kei.glance(), kei.glance()]
        make_ledger(tmp_path / "agents" / "ledger.sqlite")
        glances.append(kei.glance())
        write(store, f"sync-repo/{SESSIONS}", "")
        glances.append(kei.glance())
        write(store, f"time-metrics/.session-{SID}.start", "1")
        glances.append(kei.glance())

    assert glances[0] == glances[1]
    assert len(set(glances)) == 4


def test_an_unreadable_folder_is_not_a_store(tmp_path: Path) -> None:
    (tmp_path / "traces").mkdir()
    (tmp_path / "traces" / "x.jsonl").symlink_to("/dev/zero")
    with Root(tmp_path) as root:
        assert not FORMAT.sniff(root)


def test_pages_are_documents(tmp_path: Path) -> None:
    write(tmp_path, "MEMORY.md", "# What to remember\n\n- [x](x-project.md)\n")
    write(tmp_path, "x-project.md", "---\nname: x\ntype: project\n---\n\nTabs.\n")
    write(tmp_path, "error-window.txt", "exit 1\nexit 2\n")
    write(tmp_path, "affect/a.jsonl", b'{"x": "\xff"}\n')
    write(tmp_path, "chatlogs/p.md", "[PRIVATE] talk")
    found = {path: f.documents[0] for path, f in read_all(tmp_path).items()}

    index, note = found["MEMORY.md"], found["x-project.md"]
    assert (index.title, index.role) == ("What to remember", "memory-index")
    assert (note.title, note.role, note.text) == ("x-project", "document", "\nTabs.\n")
    assert note.facts["header"] == {"name": "x", "type": "project"}
    assert found["error-window.txt"].facts == {"lines": "2"}
    assert found["affect/a.jsonl"].category == "affect"
    assert found["chatlogs/p.md"].facts["private"] == "yes"
    flaws = read_all(tmp_path)["affect/a.jsonl"].flaws
    assert [flaw.code for flaw in flaws] == ["not-utf-8"]


def test_the_audit_lists_what_to_do(tmp_path: Path) -> None:
    write(
        tmp_path,
        "audit-backlog.md",
        "# Audit\n<!-- session_count: 12 -->\n\n"
        "- [CODIFIED 2026-04-29] retry_loop ×3 use a budget\n"
        "- [LOGGED 2026-04-30] tool_error:Bash ×12\n"
        "- [POSTPONE] think about it\n"
        "- [ ] open\n* [x] done\n- [strange] one\nprose\n",
    )
    (document,) = read_all(tmp_path)["audit-backlog.md"].documents

    assert (document.title, document.facts["sessions"]) == ("Audit", "12")
    assert document.facts["entries"] == [
        {
            "line": "4",
            "state": "CODIFIED",
            "date": "2026-04-29",
            "class": "retry_loop",
            "count": "3",
            "text": "use a budget",
        },
        {
            "line": "5",
            "state": "LOGGED",
            "date": "2026-04-30",
            "class": "tool_error:Bash",
            "count": "12",
        },
        {"line": "6", "state": "POSTPONE", "text": "think about it"},
        {"line": "7", "state": "open", "text": "open"},
        {"line": "8", "state": "done", "text": "done"},
        {"line": "9", "text": "[strange] one"},
    ]


def test_a_page_that_is_too_large_is_cut_and_reported(tmp_path: Path) -> None:
    write(tmp_path, "sync-errors.log", "x" * (9 << 20))
    found = read_all(tmp_path)["sync-errors.log"]

    assert [flaw.code for flaw in found.flaws] == ["cut-short"]
    assert scanned(tmp_path)
