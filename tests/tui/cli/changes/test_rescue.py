"""Conversations about to expire are saved, and found after they expired."""

import os
from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import Desk, desk
from tests.tui.cli.machine import Machine

TALKS = "claude/projects"
NOW = "2026-03-01T00:00:00Z"
BEGIN = 1_772_323_200
"""The same in seconds since 1970."""

DAY = 86_400


@pytest.fixture
def talks(machine: Machine, samples: Path) -> Desk:
    """Transcripts that are ten days old, and one that is twenty-nine."""
    made = desk(machine, samples, TALKS)
    (made.store.parent / "settings.json").write_text('{"cleanupPeriodDays": 30}')
    transcripts = sorted(made.store.glob("*/*.jsonl"))
    for number, path in enumerate(transcripts):
        age = 10 if number else 29
        os.utime(path, (BEGIN - age * DAY, BEGIN - age * DAY))
    return made


def endangered(talks: Desk, *options: str) -> list[str]:
    rows = talks.rows("vault", "endangered", "--now", NOW, *options)
    return [row["path"] for row in rows]


def test_the_next_to_expire_are_listed_with_the_day(talks: Desk) -> None:
    (next_,) = talks.rows("vault", "endangered", "--now", NOW)

    assert next_["removed"] == "2026-03-02T00:00:00Z"
    assert next_["path"] == str(
        min(talks.store.glob("*/*.jsonl")).relative_to(talks.store)
    )
    assert talks.show(next_["ref"])["title"] == next_["title"]
    assert len(endangered(talks, "--days", "21")) > 1


def test_all_of_them_are_saved_at_once(talks: Desk) -> None:
    before = talks.contents()
    paths = endangered(talks, "--days", "21")

    planned = talks.rows("vault", "rescue", "--days", "21", "--dry-run", "--now", NOW)
    assert [one["path"] for one in planned] == paths
    assert talks.rows("vault") == []

    talks.rows("vault", "rescue", "--days", "21", "--yes", "--now", NOW)
    assert {one["path"] for one in talks.rows("vault")} == set(paths)
    assert endangered(talks, "--days", "21") == []
    assert talks.contents() == before
    assert talks.rows("vault", "verify") == []


def test_a_saved_conversation_that_continued_is_in_danger_again(talks: Desk) -> None:
    talks.rows("vault", "rescue", "--now", NOW)
    transcript = min(talks.store.glob("*/*.jsonl"))
    with transcript.open("ab") as file:
        file.write(b'{"type":"summary","summary":"more"}\n')
    os.utime(transcript, (BEGIN - 29 * DAY, BEGIN - 29 * DAY))

    assert len(endangered(talks)) == 1
    talks.rows("vault", "rescue", "--now", NOW)
    assert endangered(talks) == []
    (kept,) = talks.rows("vault")
    assert kept["files"] >= 1


def test_an_unreadable_conversation_is_named(talks: Desk) -> None:
    (path,) = endangered(talks)
    deep = (talks.store / path).with_suffix("").joinpath(*"abcdefghij")
    deep.mkdir(parents=True)

    done = talks.run("vault", "rescue", "--now", NOW)

    assert done.code == 1
    assert f"parts can't be read: '{path}'" in done.err
    assert endangered(talks) == [path]


def test_a_deleted_conversation_can_still_be_found_and_read(talks: Desk) -> None:
    (gone,) = talks.rows("vault", "endangered", "--now", NOW)
    messages = talks.show(gone["ref"])["messages"]
    talks.rows("vault", "rescue", "--now", NOW)
    (talks.store / gone["path"]).unlink()

    (kept,) = talks.rows("vault")

    assert kept["gone"]
    assert kept["ref"] != gone["ref"]
    found = talks.show(kept["ref"])
    assert found["messages"] == messages
    assert found["store"] == str(talks.machine.state / "vault" / "projects")
    listed = [one["ref"] for one in talks.rows("list", "conversations", "--no-sync")]
    assert kept["ref"] in listed
    everywhere = talks.machine.run("list", "conversations", "--json").rows
    assert kept["ref"] in [one["ref"] for one in everywhere]


def test_other_stores_are_listed_without_the_vault(talks: Desk, graph: Desk) -> None:
    talks.rows("vault", "rescue", "--now", NOW)
    min(talks.store.glob("*/*.jsonl")).unlink()

    assert [one["path"] for one in graph.rows("stores")] == [str(graph.store)]
    assert len(talks.rows("stores")) > 1


def test_the_last_copy_is_released_by_its_current_name(talks: Desk) -> None:
    talks.rows("vault", "rescue", "--now", NOW)
    min(talks.store.glob("*/*.jsonl")).unlink()
    (kept,) = talks.rows("vault")

    assert talks.run("unpin", kept["ref"]).code == 2
    assert talks.run("unpin", kept["ref"], "--yes").code == 0
    assert talks.rows("vault") == []
    assert talks.run("show", kept["ref"]).code == 1


def test_an_unreadable_vault_does_not_stop_other_commands(
    talks: Desk,
) -> None:
    talks.rows("vault", "rescue", "--now", NOW)
    manifest = talks.machine.state / "vault" / "manifest.jsonl"
    manifest.unlink()
    manifest.mkdir()

    answer = talks.run("list", "conversations", "--json")

    assert (answer.code, bool(answer.rows)) == (0, True)
    assert "Can't read the vault" in answer.err
