"""Pinned conversations outlive their transcripts."""

import os
from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import Desk, desk
from tests.tui.cli.machine import Machine

TALKS = "claude/projects"

DAY = 86_400
NEAR = 1_772_366_400 - 25 * DAY
"""Five days before an agent that keeps everything for thirty days removes it."""
FAR = NEAR + 20 * DAY


@pytest.fixture
def talks(machine: Machine, samples: Path) -> Desk:
    return desk(machine, samples, TALKS)


@pytest.fixture
def ref(talks: Desk) -> str:
    return talks.rows("list", "conversations")[0]["ref"]


def test_a_pinned_conversation_is_saved_and_its_store_unchanged(
    talks: Desk, ref: str
) -> None:
    before = talks.contents()

    change = talks.one("pin", ref)

    assert change["refs"] == [ref]
    assert change["undo"] == f"recollect undo {change['change']}"
    (kept,) = talks.rows("vault")
    assert kept["path"] == talks.show(ref)["source"]
    assert not kept["gone"]
    assert talks.contents() == before
    told = talks.run("unpin", ref)
    assert told.out.startswith("unpinned “")
    assert talks.rows("vault") == []


def test_pins_of_conversations_are_undone_and_redone_in_order(
    talks: Desk, graph: Desk, ref: str
) -> None:
    memory = graph.memory("type:fix", "!is:pinned")["ref"]
    everywhere = ("-s", talks.store)
    graph.one("pin", memory)
    graph.one("pin", ref, *everywhere)
    graph.one("unpin", ref, *everywhere)
    told = [
        one["action"].partition(" ")[0] for one in graph.rows("history", *everywhere)
    ]
    assert told == ["unpin", "pin", "pin"]

    graph.one("undo", *everywhere)
    assert len(talks.rows("vault")) == 1
    graph.one("undo", *everywhere)
    assert talks.rows("vault") == []
    assert graph.show(memory)["pinned"]
    graph.one("undo", *everywhere)
    assert not graph.show(memory)["pinned"]
    graph.one("redo", *everywhere)
    graph.one("redo", *everywhere)
    assert graph.show(memory)["pinned"]
    assert len(talks.rows("vault")) == 1


def test_a_pin_that_was_interrupted_is_undone_at_the_next_start(
    talks: Desk, ref: str
) -> None:
    talks.one("pin", ref)
    journal = talks.machine.state / "changes" / "journal.jsonl"
    begun, done = journal.read_bytes().splitlines(keepends=True)
    assert b'"done"' in done
    journal.write_bytes(begun)

    assert talks.rows("vault") == []
    assert talks.rows("history") == []


def test_undo_neither_deletes_an_only_copy_nor_pins_what_is_gone(
    talks: Desk, ref: str
) -> None:
    transcript = talks.store / talks.show(ref)["source"]
    talks.one("pin", ref)
    raw = transcript.read_bytes()
    transcript.unlink()

    refused = talks.run("undo")
    assert refused.code == 1
    assert "the only copy" in refused.err
    assert [row["gone"] for row in talks.rows("vault")] == [True]

    transcript.write_bytes(raw)
    assert talks.run("undo").code == 0
    assert talks.rows("vault") == []
    transcript.unlink()
    refused = talks.run("redo")
    assert refused.code == 1
    assert "no longer exists" in refused.err


def test_a_conversation_that_was_pinned_before_is_not_a_change(
    talks: Desk, ref: str
) -> None:
    talks.one("pin", ref)
    again = talks.one("pin", ref)
    assert (again["change"], again["undo"]) == (None, None)
    assert len(talks.rows("history")) == 1


def test_pins_are_listed_without_any_store(talks: Desk, ref: str) -> None:
    talks.one("pin", ref)

    (kept,) = talks.machine.run("vault", "--json").rows

    assert kept["title"] == talks.show(ref)["title"]


def test_a_dry_run_saves_nothing(talks: Desk, ref: str) -> None:
    assert talks.run("pin", ref, "--dry-run").out.startswith("pin “")
    assert talks.one("pin", ref, "--dry-run")["steps"] == []
    assert talks.rows("vault") == []


def test_a_read_only_session_saves_nothing(talks: Desk, ref: str) -> None:
    assert talks.run("pin", ref, "--read-only").code == 4
    assert talks.rows("vault") == []


def test_every_saved_byte_can_be_read_again(talks: Desk, ref: str) -> None:
    talks.one("pin", ref)
    assert talks.run("vault", "verify").code == 0
    assert talks.rows("vault", "verify") == []

    for kept in (talks.machine.state / "vault" / "objects").rglob("*"):
        if kept.is_file():
            kept.chmod(0o600)
            kept.write_bytes(b"damaged")

    answer = talks.run("vault", "verify")
    assert answer.code == 1
    assert talks.show(ref)["source"] in answer.out


def test_the_last_copy_is_not_released_without_yes(talks: Desk, ref: str) -> None:
    talks.one("pin", ref)
    (talks.store / talks.show(ref)["source"]).unlink()

    refused = talks.run("unpin", ref, "--no-sync")
    assert refused.code == 2
    assert "the only copy" in refused.err
    assert [row["gone"] for row in talks.rows("vault", "--no-sync")] == [True]

    assert talks.run("unpin", ref, "--no-sync", "--yes").code == 0
    assert talks.rows("vault") == []


def test_expiring_conversations_are_listed_and_saved(talks: Desk, ref: str) -> None:
    (talks.store.parent / "settings.json").write_text('{"cleanupPeriodDays": 30}')
    transcript = talks.store / talks.show(ref)["source"]
    for other in talks.store.rglob("*.jsonl"):
        if other != transcript:
            os.utime(other, (FAR, FAR))
    os.utime(transcript, (NEAR, NEAR))
    words = ("--now", "2026-03-01T12:00:00Z")

    (endangered,) = talks.rows("vault", "endangered", *words)
    assert endangered["path"] == str(transcript.relative_to(talks.store))
    assert talks.rows("vault", "endangered", "--days", "0", *words) == []
    assert len(talks.rows("vault", "rescue", "--dry-run", *words)) == 1
    assert talks.run("vault", "rescue", "--read-only", *words).code == 4
    assert talks.rows("vault") == []

    told = talks.run("vault", "rescue", *words)

    assert told.out.startswith("pinned “")
    assert [row["path"] for row in talks.rows("vault")] == [endangered["path"]]
    again = talks.run("vault", "rescue", *words)
    assert (again.code, again.out) == (0, "")
    assert "No unpinned conversations expire soon" in again.err


def test_memories_and_conversations_are_pinned_together(
    talks: Desk, graph: Desk, ref: str
) -> None:
    memory = graph.memory("type:fix", "!is:pinned")["ref"]

    rows = graph.rows("pin", ref, memory, "-s", talks.store)

    assert [row["refs"] for row in rows] == [[ref], [memory]]
    assert graph.show(memory)["pinned"]


def test_a_ref_stays_when_the_original_disappears_and_returns(
    talks: Desk, ref: str
) -> None:
    """For the conversation and each of its messages."""
    source = talks.show(ref)["source"]
    told = talks.rows("list", "messages")
    messages = [row for row in told if row["source"] == source][:3]
    assert messages
    talks.one("pin", ref)
    transcript = talks.store / source
    raw = transcript.read_bytes()
    transcript.unlink()

    kept = talks.show(ref)

    assert kept["ref"] != ref
    assert kept["store"] != str(talks.store)
    for row in messages:
        assert talks.show(row["ref"])["text"] == row["text"]
    assert talks.show(ref[:-3])["ref"] == kept["ref"]

    transcript.write_bytes(raw)
    assert talks.show(kept["ref"])["ref"] == ref
    assert talks.show(ref)["ref"] == ref
