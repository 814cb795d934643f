import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from store.formats.kei import read as analyzer
from tests.store.formats.kei_databases import DNA, EVENT, make_database, make_ledger
from tests.store.formats.kei_stores import (
    TRACE,
    ask,
    codes,
    jsonl,
    read_all,
    scanned,
    user,
    write,
)

DATABASE = "kei-memory.sqlite"
LEDGER = "../agents/ledger.sqlite"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    (tmp_path / "memory").mkdir()
    (tmp_path / "agents").mkdir()
    return tmp_path / "memory"


@pytest.mark.parametrize("version", [1, 2, 3])
def test_the_analyzers_database_of_every_version(store: Path, version: int) -> None:
    make_database(store / DATABASE, version)
    found = read_all(store)[DATABASE]

    assert not found.flaws
    assert [(e.kind, e.event_class, e.message) for e in found.events] == [
        ("user", "user", "Hi"),
        ("assistant", "tool_use:Read", None),
        ("user", "tool_error", "plain"),
    ]
    first, second, third = found.events
    assert {e.session for e in found.events} == {"old"}
    assert all(e.is_copy for e in found.events)
    assert (second.tool, second.file_path, second.upstream_class) == (
        *("Read", "/a"),
        "tool_use:Read",
    )
    assert (first.is_error, third.is_error) == (False, True)
    assert first.at
    assert first.at.iso == "2023-11-14T22:13:20Z"


def test_other_tables_of_the_database(store: Path) -> None:
    make_database(store / DATABASE)
    (document,) = read_all(store)[DATABASE].documents

    assert document.facts == {
        "version": "3",
        "sessions": "1",
        "coaccess": "1",
        "patterns": "1",
        "backlog": "2",
        "tokens": "1",
        "idf": "1",
        "patterns by class": {"retry_loop": "6"},
    }


def test_a_repeated_import_is_one_event(store: Path) -> None:
    make_database(store / DATABASE, again=5)

    assert len(read_all(store)[DATABASE].events) == 3


def test_a_large_database_is_read_in_pieces(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_database(store / DATABASE, again=2)
    whole = read_all(store)[DATABASE]
    monkeypatch.setattr(analyzer, "PIECE", 2)
    in_pieces = read_all(store)[DATABASE]

    assert in_pieces.events == whole.events
    assert in_pieces.documents == whole.documents


def test_values_of_any_type_are_read(store: Path) -> None:
    make_database(store / DATABASE)
    with closing(sqlite3.connect(store / DATABASE)) as database:
        odd = ("s", "no time", b"\xff", 7, None, "x", None, '{"torn')
        database.execute(EVENT, odd)
        database.commit()
    event = read_all(store)[DATABASE].events[-1]

    assert (event.kind, event.tool, event.event_class) == ("0xff", "7", "other")
    assert (event.message, event.upstream_class) == ('{"torn', None)


def test_an_invalid_database_is_reported(store: Path) -> None:
    write(store, DATABASE, "notes")
    assert codes(read_all(store)[DATABASE]) == ["unreadable"]

    (store / DATABASE).unlink()
    with closing(sqlite3.connect(store / DATABASE)) as database:
        database.execute("CREATE TABLE other (x)")
        database.execute("PRAGMA user_version = 9")
    found = read_all(store)[DATABASE]
    assert [flaw.code for flaw in found.flaws] == ["no-events", "unknown-version"]


def test_a_database_changes_with_its_log(store: Path) -> None:
    make_database(store / DATABASE)
    with closing(sqlite3.connect(store / DATABASE)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        before = scanned(store)[DATABASE]
        database.execute(EVENT, ("new", 1, "user", None, None, 0, "user", "x"))
        database.commit()

        assert scanned(store)[DATABASE] != before
        assert read_all(store)[DATABASE].events[-1].session == "new"


@pytest.mark.parametrize("version", range(1, 10))
def test_the_ledger_of_every_version(store: Path, version: int) -> None:
    make_ledger(store.parent / "agents" / "ledger.sqlite", version)
    found = read_all(store)[LEDGER]

    first, second = found.agents
    assert not found.flaws
    assert (first.id, second.id) == ("toolu_1", "toolu_2")
    assert first.columns["branch"] == "agent/review"
    assert ("dna" in first.columns) == (version > 1)
    assert ("cost_micro_cents" in first.columns) == (version > 6)
    assert first.started
    assert first.started.iso == "2023-11-14T22:13:20Z"


def test_a_column_that_is_not_stored_is_computed(store: Path) -> None:
    make_ledger(store.parent / "agents" / "ledger.sqlite")
    first, second = read_all(store)[LEDGER].agents

    assert first.columns["dna"] == f"{DNA}-cafe0123"
    assert first.columns["task_class_dna"] == DNA
    assert second.columns["task_class_dna"] is None


def test_agents_cost_tokens(store: Path) -> None:
    make_ledger(store.parent / "agents" / "ledger.sqlite")

    assert ask(store, "token-outliers") == [
        {
            "id": "toolu_1",
            "tokens": 110_000,
            "branch": "agent/review",
            "status": "done",
            "model": "",
        }
    ]
    assert ask(store, "token-outliers", "110000") == []


def test_skills_succeed_or_fail(store: Path) -> None:
    make_ledger(store.parent / "agents" / "ledger.sqlite")

    assert ask(store, "skills") == [
        {
            "skill": "audit",
            "uses": 2,
            "succeeded": 1,
            "failed": 1,
            "mean_ms": 1000.0,
            "last": "2023-11-14T22:15:00Z",
        },
        {
            "skill": "ship",
            "uses": 1,
            "succeeded": 1,
            "failed": 0,
            "mean_ms": None,
            "last": "2023-11-14T22:16:40Z",
        },
    ]


def test_the_mirror_lists_agents_if_there_is_no_ledger(store: Path) -> None:
    mirror = "sync-repo/ledger"
    write(
        store,
        f"{mirror}/agents.jsonl",
        jsonl({"id": "a", "branch": "b", "tokens_in": 5, "started_ts": 1}, {"x": 1}),
    )
    skills = jsonl({"skill_name": "audit", "success": True, "ts": 1})
    write(store, f"{mirror}/skill_invocations.jsonl", skills)

    found = read_all(store)[f"{mirror}/agents.jsonl"]
    assert [agent.id for agent in found.agents] == ["a"]
    assert codes(found) == ["unknown-record"]
    assert [row["id"] for row in ask(store, "token-outliers", "4")] == ["a"]
    assert [row["uses"] for row in ask(store, "skills")] == [1]

    make_ledger(store.parent / "agents" / "ledger.sqlite")
    assert not read_all(store)[f"{mirror}/agents.jsonl"].agents
    assert [row["skill"] for row in ask(store, "skills")] == ["audit", "ship"]


def test_reading_leaves_no_file_behind(store: Path) -> None:
    make_database(store / DATABASE)
    make_ledger(store.parent / "agents" / "ledger.sqlite")
    write(store, TRACE, jsonl(user("Hello")))
    before = sorted(str(path) for path in store.parent.rglob("*"))

    read_all(store)
    ask(store, "classes")

    assert sorted(str(path) for path in store.parent.rglob("*")) == before
