"""Changes of a whole store: due memories, ready conversations."""

from pathlib import Path

import pytest

from tests.store.catalogue import test_copied_conversations as copied
from tests.tui.cli.changes.stores import Desk, desk
from tests.tui.cli.machine import Machine


@pytest.fixture
def anima(machine: Machine, samples: Path) -> Desk:
    """A database whose owner allows changes."""
    settings = machine.home / "config" / "recollect" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[claudia]\nwrites = true\n")
    return desk(machine, samples, "anima")


def statuses(anima: Desk) -> dict[str, str]:
    return {one["ref"]: one["status"] for one in anima.rows("list", "conversations")}


def test_all_ready_conversations_are_queued_at_once(anima: Desk) -> None:
    before = statuses(anima)
    ready = {ref for ref, status in before.items() if status == "ready"}
    assert ready

    assert len(anima.one("transit", "queued", "--dry-run")["steps"]) == len(ready)
    anima.one("transit", "queued")

    after = statuses(anima)
    assert {ref for ref in ready if after[ref] == "queued"} == ready
    assert {ref: after[ref] for ref in before if ref not in ready} == {
        ref: before[ref] for ref in before if ref not in ready
    }
    anima.one("undo")
    assert statuses(anima) == before
    assert anima.run("transit").code == 2


def test_a_database_is_writable_if_its_owner_allows_it(anima: Desk) -> None:
    assert anima.one("stores")["writable"]

    (anima.machine.home / "config" / "recollect" / "config.toml").unlink()
    assert not anima.one("stores")["writable"]


def test_otherwise_the_setting_and_its_file_are_named(anima: Desk) -> None:
    settings = anima.machine.home / "config" / "recollect" / "config.toml"
    settings.unlink()
    ready = next(ref for ref, one in statuses(anima).items() if one == "ready")

    for words in (["queued"], [ready, "queued"], ["queued", "--dry-run"]):
        answer = anima.run("transit", *words)

        assert answer.code == 4
        assert f"`writes = true` under [claudia] in {settings}" in answer.err


def test_ten_due_memories_are_shown_before_they_are_archived(agents: Desk) -> None:
    before = agents.contents()
    much_later = ["--now", "2027-06-01T00:00:00Z"]

    answer = agents.run("archive", "--due", *much_later)

    assert answer.code == 2
    assert "archive 12 memories due for archiving: this needs" in answer.err
    assert agents.contents() == before
    assert agents.run("archive", "--due", "--yes", *much_later).code == 0
    assert agents.contents() != before


def test_due_memories_are_archived(agents: Desk) -> None:
    before = agents.contents()
    live = {one["ref"] for one in agents.memories("!is:archived")}

    agents.one("archive", "--due", "--yes", "--now", "2027-01-01T00:00:00Z")

    away = {one["ref"] for one in agents.memories("is:archived")}
    assert live & away
    assert live - away
    agents.one("undo")
    assert agents.contents() == before


def test_a_backup_is_reported_in_one_line(agents: Desk) -> None:
    ref = agents.memory("!is:archived")["ref"]

    (plan,) = agents.rows("tag", ref, "+new", "--dry-run")

    (copy,) = [one for one in plan["steps"] if one["path"].startswith(".backup/")]
    assert copy["diff"].split("\n")[2:] == [
        f"\\ a copy of {agents.show(ref)['path']}",
        "",
    ]
    assert copy["after"] == (agents.store / agents.show(ref)["path"]).read_text()


def test_the_status_of_a_conversation_is_that_of_its_copy(anima: Desk) -> None:
    """The conversation is listed as that of a transcript, which has no status."""
    root = anima.machine.home / "both"
    copied.transcripts(root)
    copied.anima(root)
    both = Desk(anima.machine, root)
    listed = both.rows("list", "conversations", "status:queued")
    (copy,) = listed[0]["copies"]

    done = both.one("transit", listed[0]["ref"], "skipped", "--yes")

    assert done["refs"] == [copy["ref"]]
    assert statuses(both)[listed[0]["ref"]] == "skipped"
    both.one("undo")
    assert both.rows("list", "conversations", "status:queued") == listed
