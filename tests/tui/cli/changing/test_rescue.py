"""What an agent's clean-up removes is kept before, and found when it is gone."""

import os
from pathlib import Path

import pytest

from tests.tui.cli.changing.stores import Desk, desk
from tests.tui.cli.machine import Machine

TALKS = "claude/projects"
NOW = "2026-03-01T00:00:00Z"
BEGIN = 1_772_323_200
"""The same in seconds since 1970."""

DAY = 86_400


@pytest.fixture
def talks(machine: Machine, samples: Path) -> Desk:
    """Transcripts that are ten days old, one of them twenty-nine."""
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


def test_what_goes_next_is_told_with_the_day(talks: Desk) -> None:
    (next_,) = talks.rows("vault", "endangered", "--now", NOW)

    assert next_["removed"] == "2026-03-02T00:00:00Z"
    assert next_["path"] == str(
        min(talks.store.glob("*/*.jsonl")).relative_to(talks.store)
    )
    assert talks.show(next_["ref"])["title"] == next_["title"]
    assert len(endangered(talks, "--days", "21")) > 1


def test_all_of_it_is_rescued_at_once(talks: Desk) -> None:
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


def test_what_was_kept_and_went_on_is_in_danger_again(talks: Desk) -> None:
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


def test_what_cannot_be_read_whole_is_named(talks: Desk) -> None:
    (path,) = endangered(talks)
    deep = (talks.store / path).with_suffix("").joinpath(*"abcdefghij")
    deep.mkdir(parents=True)

    done = talks.run("vault", "rescue", "--now", NOW)

    assert done.code == 1
    assert f"not all of it can be read: '{path}'" in done.err
    assert endangered(talks) == [path]


def test_what_is_gone_is_still_found_and_read(talks: Desk) -> None:
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


def test_other_stores_are_looked_at_without_what_is_kept_of_these(
    talks: Desk, graph: Desk
) -> None:
    talks.rows("vault", "rescue", "--now", NOW)
    min(talks.store.glob("*/*.jsonl")).unlink()

    assert [one["path"] for one in graph.rows("stores")] == [str(graph.store)]
    assert len(talks.rows("stores")) > 1


def test_the_last_copy_is_let_go_by_the_name_that_it_has_then(talks: Desk) -> None:
    talks.rows("vault", "rescue", "--now", NOW)
    min(talks.store.glob("*/*.jsonl")).unlink()
    (kept,) = talks.rows("vault")

    assert talks.run("unpin", kept["ref"]).code == 2
    assert talks.run("unpin", kept["ref"], "--yes").code == 0
    assert talks.rows("vault") == []
    assert talks.run("show", kept["ref"]).code == 1


def test_a_vault_that_cannot_be_read_keeps_nobody_from_their_stores(
    talks: Desk,
) -> None:
    talks.rows("vault", "rescue", "--now", NOW)
    manifest = talks.machine.state / "vault" / "manifest.jsonl"
    manifest.unlink()
    manifest.mkdir()

    answer = talks.run("list", "conversations", "--json")

    assert (answer.code, bool(answer.rows)) == (0, True)
    assert "The vault cannot be read" in answer.err
