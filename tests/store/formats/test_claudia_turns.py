"""Changes of a conversation's status, as the program itself makes them."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from store.derive.conversations import Tokens
from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Draft, RowStep
from store.edits.engine import Engine
from store.errors import LockedError, NotPossibleError, ReadOnlyError
from store.formats.claudia.edit import TURNS
from store.formats.claudia.format import FORMAT
from store.kinds.conversations import Conversation
from store.kinds.pages import Document
from store.machine import Places
from store.records.intents import Delete, Intent, Pin, Rewrite, Set, Transit
from tests.store.formats.claudia_stores import FILE, NOW, SESSION, Claudia, database
from tests.store.formats.unknown import Unknown

FIRST = "2026-02-20T18:33:00.000Z"
LAST = "2026-02-20T18:40:00.000Z"
MOMENT = "2026-09-21 14:13:20"
"""How SQLite writes the present."""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database whose owner allows changes."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    settings = tmp_path / "config" / "recollect" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[claudia]\nwrites = true\n", encoding="utf-8")
    return tmp_path / "anima"


def make(store: Path, status: str = "ready", level: int = 22, **values: object) -> None:
    with database(store, level=level) as made:
        made.file()
        made.entry(FIRST, "The kiln is at cone 6.")
        made.conversation(FIRST, LAST, status=status, summary="It held.", **values)


def conversation(store: Path, status: str = "ready", **more: str) -> Conversation:
    told = {"first": FIRST, "last": LAST, "source": FILE, **more}
    return Conversation(
        ref="conversation:1",
        store=str(store),
        session=SESSION,
        source=told["source"],
        project=None,
        cwd=None,
        branch=None,
        title="It held.",
        first=told["first"],
        last=told["last"],
        entries=2,
        messages=2,
        prompts=1,
        tools=0,
        tool_errors=0,
        status=status,
        tokens=Tokens(input=0, output=0, cache_read=0, cache_creation=0),
        models=(),
        files_written=(),
        compactions=0,
        parent=None,
    )


def drafted(
    store: Path, intent: Intent, records: Sequence[Conversation] | None = None
) -> Draft:
    records = [conversation(store)] if records is None else records
    with FORMAT.scribe(store) as scribe:
        return scribe.draft(intent, records, Unknown(), NOW)


def changed(
    store: Path, intent: Intent, records: Sequence[Conversation] | None = None
) -> Draft:
    draft = drafted(store, intent, records)
    beside = store.parent
    places = Places(beside / "cache", beside / "state", beside / "config")
    with Engine(places, lambda: NOW) as engine:
        engine.apply(store, draft)
    return draft


def rows(store: Path) -> list[dict[str, Any]]:
    """Every conversation; the database must be intact."""
    with closing(sqlite3.connect(store / "anima.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.row_factory = sqlite3.Row
        found = connection.execute("SELECT * FROM memory_conversations ORDER BY id")
        return [dict(row) for row in found]


def put(store: Path, table: str, **values: object) -> None:
    with closing(sqlite3.connect(store / "anima.db")) as connection, connection:
        Claudia(connection).put(table, **values)


def test_a_ready_conversation_is_queued(store: Path) -> None:
    make(store)
    (before,) = rows(store)

    draft = changed(store, Transit(status="queued"))

    assert draft.action == "transit conversation 1 to queued"
    assert rows(store) == [before | {"status": "queued", "status_at": MOMENT}]


@pytest.mark.parametrize("status", TURNS)
@pytest.mark.parametrize("wanted", TURNS)
def test_only_transitions_of_the_program_itself_are_allowed(
    store: Path, status: str, wanted: str
) -> None:
    make(store, status)
    asked = [conversation(store, status)]
    if wanted in TURNS[status]:
        changed(store, Transit(status=wanted), asked)
        assert rows(store)[0]["status"] == wanted
        return
    with pytest.raises(NotPossibleError):
        drafted(store, Transit(status=wanted), asked)


def test_a_conversation_in_review_is_accepted_or_queued_again(store: Path) -> None:
    make(store, "review", files_written='["/a.md"]')
    asked = [conversation(store, "review")]

    again = drafted(store, Transit(status="queued"), asked)
    assert "again" in again.warnings[0]
    changed(store, Transit(status="archived", summary="We fired the kiln."), asked)

    (told,) = rows(store)
    assert (told["status"], told["summary"]) == ("archived", "We fired the kiln.")
    assert (told["processed_at"], told["files_written"]) == (MOMENT, '["/a.md"]')


def test_queueing_an_active_conversation_warns_about_later_messages(
    store: Path,
) -> None:
    make(store, "active")

    draft = drafted(store, Transit(status="queued"), [conversation(store, "active")])

    assert "belong to no conversation" in draft.warnings[0]


def test_ready_conversations_are_queued_in_batches_oldest_first(store: Path) -> None:
    with database(store) as made:
        for day in (3, 1, 2):
            first = f"2026-02-{day:02d}T10:00:00.000Z"
            made.conversation(first, first, status="ready")
    settings = {"extensions": {"memory": {"config": {"processBatchSize": 2}}}}
    (store / "anima.json").write_text(json.dumps(settings), encoding="utf-8")

    changed(store, Transit(status="queued"), [])

    assert [row["status"] for row in rows(store)] == ["ready", "queued", "queued"]
    changed(store, Transit(status="queued"), [])
    with pytest.raises(NotPossibleError, match="No conversation is ready"):
        drafted(store, Transit(status="queued"), [])


@pytest.mark.parametrize("level", [2, 4, 6, 10, 22])
def test_columns_that_a_level_lacks_are_left_out(store: Path, level: int) -> None:
    make(store, "active", level=level)
    asked = [conversation(store, "active")]

    changed(store, Set(name="summary", value="We fired."), asked)

    (step,) = drafted(store, Set(name="summary", value=None), asked).steps
    assert isinstance(step, RowStep)
    assert step.after == {"summary": None, "last_message_at": LAST, "entry_count": 2}
    assert rows(store)[0]["summary"] == "We fired."


def test_a_summary_is_edited_as_text(store: Path) -> None:
    make(store)
    with FORMAT.scribe(store) as scribe:
        form = scribe.form(conversation(store))
    assert (form.raw, form.suffix) == (b"It held.\n", ".md")

    changed(store, Rewrite(was=form.raw, raw="Ça a tenu.\n\nOui.\n".encode()))

    assert rows(store)[0]["summary"] == "Ça a tenu.\n\nOui."
    with pytest.raises(ChangedOnDiskError):
        drafted(store, Rewrite(was=form.raw, raw=b"x"))


@pytest.mark.parametrize(
    ("table", "values"),
    [
        ("memory_file_locks", {"operation": "ingesting", "locked_at": MOMENT}),
        ("memory_file_locks", {"operation": "rebuilding", "locked_at": "soon"}),
        ("memory_file_states", {"file_path": FILE, "status": "ingesting"}),
    ],
)
def test_nothing_is_written_while_the_program_holds_a_lock(
    store: Path, table: str, values: dict[str, object]
) -> None:
    make(store)
    put(store, table, **{"source_file": FILE, **values})

    with pytest.raises(LockedError, match="Try again later"):
        drafted(store, Transit(status="queued"))


def test_a_lock_left_behind_no_longer_counts(store: Path) -> None:
    make(store)
    old = "2026-09-21 14:08:00"
    put(store, "memory_file_locks", source_file=FILE, operation="x", locked_at=old)

    assert drafted(store, Transit(status="queued")).steps


def test_only_one_live_copy_of_a_conversation_is_allowed(store: Path) -> None:
    with database(store) as made:
        made.conversation(FIRST, LAST, status="archived")
        made.conversation(FIRST, LAST, status="active")

    with pytest.raises(NotPossibleError, match="Conversation 2 is its duplicate"):
        drafted(store, Transit(status="queued"), [conversation(store, "archived")])


def test_messages_added_meanwhile_are_a_conflict(store: Path) -> None:
    make(store)
    draft = drafted(store, Transit(status="queued"))
    with closing(sqlite3.connect(store / "anima.db")) as connection, connection:
        connection.execute("UPDATE memory_conversations SET entry_count = 3")
    places = Places(store.parent / "c", store.parent / "s", store.parent / "g")

    with Engine(places, lambda: NOW) as engine, pytest.raises(ChangedOnDiskError):
        engine.apply(store, draft)
    assert rows(store)[0]["status"] == "ready"


def test_a_transition_can_be_undone(store: Path) -> None:
    make(store)
    before = rows(store)
    changed(store, Transit(status="queued"))
    beside = store.parent
    places = Places(beside / "cache", beside / "state", beside / "config")
    with Engine(places, lambda: NOW) as engine:
        engine.undo()

    assert rows(store) == before


def test_a_conversation_that_is_gone_is_reported(store: Path) -> None:
    make(store)
    gone = conversation(store, first="2026-01-01T00:00:00Z")
    with pytest.raises(ChangedOnDiskError):
        drafted(store, Transit(status="queued"), [gone])


def test_everything_else_stays(store: Path) -> None:
    make(store)
    page = Document(
        ref="document:1",
        store=str(store),
        title="x",
        path="insights/x.md",
        category=None,
        text_bytes=0,
        role="document",
    )
    with FORMAT.scribe(store) as scribe:
        assert "summary" in scribe.possible(page)["edit"]
        told = scribe.possible(conversation(store))
        assert (told["transit"], told["set"]) == ("", "")
        assert "created again by Claudia" in told["delete"]
        assert (
            "processing it"
            in scribe.possible(conversation(store, "processing"))["transit"]
        )
        with pytest.raises(NotPossibleError):
            scribe.form(page)
        for intent in (Delete(), Pin(), Set(name="status", value="x")):
            with pytest.raises(NotPossibleError):
                scribe.draft(intent, [conversation(store)], Unknown(), NOW)
        with pytest.raises(NotPossibleError):
            scribe.draft(Transit(status="queued"), [page], Unknown(), NOW)


def test_nothing_is_written_unless_the_settings_allow_it(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(store)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(store.parent / "none"))

    with pytest.raises(ReadOnlyError, match="writes = true"):
        drafted(store, Transit(status="queued"))
    with FORMAT.scribe(store) as scribe:
        assert "writes = true" in scribe.possible(None)["transit"]


def test_a_status_refused_by_the_schema_is_refused_before_the_plan(
    store: Path,
) -> None:
    """The tables of the first levels have no queue."""
    make(store, level=2)
    before = rows(store)

    with pytest.raises(NotPossibleError, match=r"Can't change anima\.db: .*CHECK"):
        drafted(store, Transit(status="queued"))
    assert rows(store) == before
