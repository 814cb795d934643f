"""The tables of a database at every migration level."""

import json
from pathlib import Path

import pytest

from store.findings import Findings, Mark, Severity
from store.formats.claudia.format import FORMAT
from store.formats.port import Place, Source
from tests.store.files.sqlite_files import seen, writer
from tests.store.formats.claudia_schema import LEVELS
from tests.store.formats.claudia_stores import (
    CWD,
    FILE,
    SESSION,
    Claudia,
    database,
    only,
    put_together,
    small,
)

STATUSES = ("active", "ready", "queued", "processing", "archived", "skipped", "review")


def codes(found: Findings) -> list[str]:
    return [flaw.code for flaw in found.flaws]


def at(minute: int) -> str:
    return f"2026-02-20T18:{minute:02}:00.000Z"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("told", [True, False])
def test_every_level_is_read(tmp_path: Path, level: int, *, told: bool) -> None:
    with database(tmp_path, level=level, told=told) as made:
        made.entry(at(0), "Hello.")
        made.conversation(at(0), at(9), summary="Greetings.", metadata="{}")
        made.file()
    found = only(tmp_path)

    assert [message.text for message in found.messages] == ["Hello."]
    assert [talk.summary for talk in found.conversations] == ["Greetings."]
    assert not found.flaws
    seen_level = str(found.documents[0].facts["level"])
    assert seen_level == str(level) if told else int(seen_level) <= level


def test_a_later_level_is_reported_and_read(tmp_path: Path) -> None:
    small(tmp_path)
    with database(tmp_path, name="claudia.db") as made:
        made.put("_migrations", id=99)
        made.entry(at(0), "From the future.")

    found = only(tmp_path, "claudia.db")
    assert "newer-level" in codes(found)
    assert [message.text for message in found.messages] == ["From the future."]


def test_an_entry_is_a_message(tmp_path: Path) -> None:
    with database(tmp_path) as made:
        made.entry(
            at(1),
            "Done.\n\n[Used tools: Read, mcp__x__y]",
            role="assistant",
            tool_names="Read, mcp__x__y",
            session_id="another-session",
        )
        made.entry(at(2), "Thanks.")
    reply, prompt = only(tmp_path).messages

    assert (reply.key, reply.kind, reply.role, reply.line) == (
        "entry:1",
        "reply",
        "assistant",
        1,
    )
    assert reply.text == "Done.\n\n[Used tools: Read, mcp__x__y]"
    assert reply.tools == ("Read", "mcp__x__y")
    assert (reply.session, reply.cwd, reply.entries) == ("another-session", CWD, 1)
    assert reply.at
    assert reply.at.iso == at(1)
    assert (prompt.kind, prompt.tools, prompt.session) == ("prompt", (), SESSION)


def test_a_message_can_be_opened_whole(tmp_path: Path) -> None:
    small(tmp_path)
    with FORMAT.open(tmp_path) as opened:
        source = next(s for s in opened.scan() if isinstance(s, Source))
        passage = opened.passage(source, Place(0, 0, 2, "entry:2"))

    assert passage.parts == ({"type": "text", "text": "[Used tools: Read, Bash]"},)
    assert passage.fields["source_file"] == FILE
    assert passage.fields["ingested_at"]


def test_a_conversation_has_all_of_its_columns(tmp_path: Path) -> None:
    metadata = {
        "transcriptKB": 12.5,
        "entries": 7,
        "date": "2026-02-20",
        "timeRange": "1:33 PM – 3:30 PM (EST)",
        "cwd": CWD,
        "sessionId": SESSION,
    }
    with database(tmp_path) as made:
        made.conversation(
            at(1),
            at(9),
            entry_count=7,
            status="review",
            summary="\nFiring.\nAnd glazing.",
            files_written='["/home/zoe/memory/a.md", "/home/zoe/memory/b.md"]',
            metadata=json.dumps(metadata),
            status_at="2026-02-20 19:00:00",
            processed_at="2026-02-20 19:01:00",
        )
    (found,) = only(tmp_path).conversations

    assert (found.key, found.line, found.status) == ("conversation:1", 1, "review")
    assert (found.session, found.source, found.entries) == (SESSION, FILE, 7)
    assert found.first
    assert found.last
    assert (found.first.iso, found.last.iso) == (at(1), at(9))
    assert (found.title, found.summary) == ("Firing.", "\nFiring.\nAnd glazing.")
    assert (found.cwd, found.project) == (CWD, "kilnbook")
    assert found.files_written == ("/home/zoe/memory/a.md", "/home/zoe/memory/b.md")
    assert found.fields["metadata"] == metadata
    assert found.fields["strategy"] is None
    assert found.fields["status_at"] == "2026-02-20 19:00:00"
    assert found.fields["processed_at"] == "2026-02-20 19:01:00"
    assert found.fields["created_at"]


def test_every_status_is_read_unchanged(tmp_path: Path) -> None:
    with database(tmp_path) as made:
        for minute, status in enumerate(STATUSES):
            made.conversation(at(minute), at(minute), status=status)
    found = only(tmp_path)

    assert tuple(talk.status for talk in found.conversations) == STATUSES
    assert found.documents[0].facts["statuses"] == dict.fromkeys(STATUSES, "1")
    assert not found.flaws


def test_a_message_belongs_to_the_conversation_that_spans_it(tmp_path: Path) -> None:
    with database(tmp_path) as made:
        for minute in (0, 5, 9, 10, 30, 40):
            made.entry(at(minute), f"minute {minute}")
        made.entry(at(5), "elsewhere", source_file="another.jsonl")
        made.conversation(at(0), at(9))
        made.conversation(at(9), at(10))
        made.conversation(at(40), at(40))
    found = only(tmp_path)

    belongs = {message.text: message.conversation for message in found.messages}
    assert belongs == {
        "minute 0": "conversation:1",
        "minute 5": "conversation:1",
        "minute 9": "conversation:1",
        "minute 10": "conversation:2",
        "minute 30": "outside:5",
        "minute 40": "conversation:3",
        "elsewhere": "outside:7",
    }
    assert [(flaw.code, flaw.severity, flaw.message) for flaw in found.flaws] == [
        (
            "outside-conversations",
            Severity.NOTE,
            "2 messages belong to no conversation.",
        ),
        (
            "shared-entries",
            Severity.NOTE,
            "1 message is on the boundary of two conversations.",
        ),
    ]


def test_a_merged_duplicate_does_not_take_the_messages(tmp_path: Path) -> None:
    merged = "Duplicate conversation (merged during deduplication migration)"
    with database(tmp_path) as made:
        made.conversation(at(0), at(9), status="skipped", summary=merged)
        made.conversation(at(0), at(9), summary="The one that was kept.")
        made.entry(at(3), "Hello.")

    (message,) = only(tmp_path).messages
    assert message.conversation == "conversation:2"


def test_times_are_compared_as_instants(tmp_path: Path) -> None:
    with database(tmp_path) as made:
        made.conversation("2026-02-20T18:00:00Z", "2026-02-20 19:00:00")
        made.entry("2026-02-20T20:30:00+02:00", "half past six in UTC")
        made.entry("2026-02-20T18:30:00.5Z", "with a fraction")
        made.entry("2026-02-20T21:30:00Z", "later")

    belongs = [message.conversation for message in only(tmp_path).messages]
    assert belongs == ["conversation:1", "conversation:1", "outside:3"]


def test_wrong_types_are_shown_and_never_raised(tmp_path: Path) -> None:
    with database(tmp_path) as made:
        made.connection.execute("PRAGMA ignore_check_constraints = on")
        made.entry(b"\x00\xff", b"bytes \xff", role=5, tool_names=7.5, cwd=b"\xfe")
        made.entry("", 12, source_file=3.5)
        made.conversation(
            1771612380000,
            float("inf"),
            status="lost",
            entry_count="many",
            summary=4,
            files_written="{not json",
            metadata="[1]",
            session_id=b"\xff",
        )
        made.file(b"\xff", status=3, last_modified="yesterday", file_size="big")
    found = only(tmp_path)

    first, second = found.messages
    assert (first.text, first.kind, first.tools) == ("bytes \ufffd", "other", ("7.5",))
    assert (second.text, second.at) == ("12", None)
    talk, *outside = found.conversations
    assert [each.key for each in outside] == ["outside:1", "outside:2"]
    assert talk.first
    assert talk.first.iso == "2026-02-20T18:33:00Z"
    assert (talk.entries, talk.files_written, talk.cwd) == (0, (), None)
    assert talk.fields["files_written"] == "{not json"
    assert talk.fields["metadata"] == "[1]"
    assert codes(found).count("damaged-json") == 2
    assert "unknown-status" in codes(found)
    assert all(flaw.severity is Severity.NOTE for flaw in found.flaws)


def test_health_reports_stuck_files(tmp_path: Path) -> None:
    state = {"value": "running", "context": {"processId": 7}}
    with database(tmp_path) as made:
        made.file("whole.jsonl")
        made.file("half.jsonl", status="ingesting")
        made.put(
            "memory_state_machines",
            machine_id="extension",
            state_json=json.dumps(state),
            last_heartbeat="2026-02-20 18:00:00",
        )
        made.put("memory_file_locks", source_file="half.jsonl", operation="ingesting")
    found = only(tmp_path)

    facts = found.documents[0].facts
    assert (facts["files"], facts["ingesting"]) == ("2", ["half.jsonl"])
    assert (facts["locks"], facts["machine"]) == ("1", "running")
    assert facts["heartbeat"] == "2026-02-20 18:00:00"
    assert codes(found) == ["ingesting"]
    assert "`recollect report recovery`" in found.flaws[0].message
    assert "recovery" in {report.name for report in FORMAT.reports}


def test_texts_that_only_the_index_still_has_are_counted(tmp_path: Path) -> None:
    with database(tmp_path) as made:
        made.document("/m/a.md", "insights", "old")
        made.document("/m/a.md", "insights", "new")
        made.document("/m/b.md", "insights", "kept")
    found = only(tmp_path)

    assert found.documents[0].facts["stale"] == "1"
    assert codes(found) == ["stale-search-text"]


def test_a_large_database_read_in_pieces_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database(tmp_path) as made:
        for minute in range(50):
            made.entry(at(minute), "x" * minute)
            made.conversation(at(minute), at(minute))
    whole = only(tmp_path)
    monkeypatch.setattr("store.formats.claudia.pieces.PIECE", 7)
    with FORMAT.open(tmp_path) as opened:
        source = next(s for s in opened.scan() if isinstance(s, Source))
        pieces = [opened.read(source)]
        while pieces[-1].more:
            assert len(pieces[-1].messages) + len(pieces[-1].conversations) <= 7
            with FORMAT.open(tmp_path) as another:
                pieces.append(another.read(source, pieces[-1].mark))

    assert len(pieces) > 14
    assert put_together(pieces) == whole


def test_a_mark_that_is_not_understood_is_not_resumed_from(tmp_path: Path) -> None:
    small(tmp_path)
    with FORMAT.open(tmp_path) as opened:
        source = next(s for s in opened.scan() if isinstance(s, Source))
        whole = opened.read(source)
        again = opened.read(source, Mark(1, b"of another version"))

    assert (whole.anew, again.anew) == (False, True)
    assert put_together([again]) == put_together([whole])


def test_a_running_program_is_neither_disturbed_nor_missed(tmp_path: Path) -> None:
    small(tmp_path)
    with writer(tmp_path / "anima.db") as other:
        other.do("PRAGMA journal_mode = wal")
        other.do("UPDATE memory_conversations SET status = 'ready' WHERE id = 2")
        before = seen(tmp_path)
        found = only(tmp_path)
        assert seen(tmp_path) == before

    assert [talk.status for talk in found.conversations] == ["archived", "ready"]


def test_a_copy_is_reported_as_one(tmp_path: Path) -> None:
    small(tmp_path)
    with writer(tmp_path / "anima.db") as other:
        other.do("PRAGMA journal_mode = wal")
    found = only(tmp_path)

    assert codes(found) == ["read-from-copy"]
    assert "copy of 'anima.db'" in str(found.documents[0].facts["notice"])


def test_the_source_changes_with_the_log(tmp_path: Path) -> None:
    small(tmp_path)

    def stamp() -> object:
        with FORMAT.open(tmp_path) as opened:
            sources = [s for s in opened.scan() if isinstance(s, Source)]
            return sources[0].stamp, opened.glance()

    with writer(tmp_path / "anima.db") as other:
        other.do("PRAGMA journal_mode = wal")
        first = stamp()
        other.do("DELETE FROM memory_file_states")
        assert stamp() != first


def test_a_damaged_table_is_lost_alone(tmp_path: Path) -> None:
    small(tmp_path)
    path = tmp_path / "anima.db"
    with writer(path) as other:
        page = other.do(
            "SELECT rootpage FROM sqlite_master WHERE name = 'memory_conversations'"
        )
    number, raw = int(page.strip("[(,)]\n")), bytearray(path.read_bytes())
    raw[(number - 1) * 4096 : number * 4096] = b"\xff" * 4096
    path.write_bytes(raw)
    found = only(tmp_path)

    assert len(found.messages) == 4
    assert {talk.key for talk in found.conversations} == {"outside:1", "outside:3"}
    assert {flaw.severity for flaw in found.flaws} >= {Severity.ERROR}


def test_a_row_that_is_too_long_is_a_flaw(tmp_path: Path) -> None:
    with database(tmp_path) as made:
        made.entry(at(0), "short")
        made.connection.execute(
            "INSERT INTO memory_transcript_entries"
            " (session_id, source_file, role, content, timestamp)"
            " VALUES ('s', 'f', 'user', zeroblob(17000000), ?)",
            (at(1),),
        )
    found = only(tmp_path)

    assert [message.text for message in found.messages] == ["short"]
    assert "unreadable-row" in codes(found)


def fill(made: Claudia) -> None:
    made.connection.execute("DROP TABLE memory_conversations")
    made.connection.execute(
        "CREATE VIEW memory_conversations AS SELECT 1 AS id, 'ready' AS status"
    )
    made.entry(at(0), "Hello.")


def test_a_view_is_not_a_table(tmp_path: Path) -> None:
    with database(tmp_path, level=2) as made:
        fill(made)
    found = only(tmp_path)

    assert [talk.key for talk in found.conversations] == ["outside:1"]
    assert len(found.messages) == 1
    assert "missing-table" in codes(found)
