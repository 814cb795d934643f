"""Append-only records, and changes of a status."""

import json
from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import NOTES, Desk, contents, desk
from tests.tui.cli.machine import Machine

ANIMA = "anima"
KEI = "kei"


@pytest.fixture
def kei(machine: Machine, samples: Path) -> Desk:
    return desk(machine, samples, KEI)


@pytest.fixture
def anima(machine: Machine, samples: Path) -> Desk:
    return desk(machine, samples, ANIMA)


def test_an_episode_is_appended_and_reported_by_its_ref(graph: Desk) -> None:
    before = graph.contents()

    change = graph.one(
        "append", "episode", "title=Kiln day", "type=fix", "summary=It went well."
    )

    (ref,) = change["refs"]
    shown = graph.show(ref)
    assert (shown["title"], shown["summary"]) == ("Kiln day", "It went well.")
    graph.run("undo")
    assert graph.contents() == before


def test_a_task_goes_to_the_store_that_has_tasks(graph: Desk, kei: Desk) -> None:
    change = graph.one(
        "append", "task", "name=fire the kiln", "duration_s=12", "-s", kei.store
    )

    (path,) = change["paths"]
    (journal,) = kei.store.rglob("tasks.jsonl")
    assert journal.name == Path(path).name
    last = json.loads(journal.read_text().splitlines()[-1])
    assert (last["name"], last["duration_s"]) == ("fire the kiln", 12)


def test_stores_without_tasks_add_nothing_to_an_error(graph: Desk, kei: Desk) -> None:
    answer = graph.run("append", "task", "duration_s=12", "-s", kei.store)

    assert answer.code == 2
    assert answer.err.startswith("recollect: A task needs a `name` and")


def test_all_that_a_claim_lacks_is_named_at_once(kei: Desk) -> None:
    answer = kei.run("append", "claim")

    assert answer.code == 2
    assert "A claim needs `evidence_tier`, `pointer`;" in answer.err
    assert "`pointer`" not in kei.run("append", "claim", "value=1", "pointer=x").err


def test_imported_records_are_counted_without_duplicates(
    machine: Machine, samples: Path, tmp_path: Path
) -> None:
    notes = desk(machine, samples, NOTES)
    known = notes.memory()["title"]
    record = {"description": "once a day", "body": "After lunch.", "type": "user"}
    document = tmp_path / "records.json"
    document.write_text(
        json.dumps([{"name": "Naps", **record}, {"name": known, **record}])
    )

    change = notes.one("append", "import", "--from", document)

    assert change["action"] == "import 1 record"
    assert notes.memory("Naps")["description"] == "once a day"
    assert notes.run("append", "import", "--from", document).err.endswith(
        "Nothing to change.\n"
    )


def test_fields_can_come_from_a_document(kei: Desk, tmp_path: Path) -> None:
    document = tmp_path / "claim.json"
    document.write_text('{"value": "12 cones", "evidence_tier": "REAL"}')

    change = kei.one("append", "claim", "pointer=x", "--from", document)

    assert change["action"].startswith("append the claim “12 cones”")


@pytest.mark.parametrize("text", ["[1]", "nonsense", ""])
def test_a_document_that_is_not_an_object_is_wrong_use(
    kei: Desk, tmp_path: Path, text: str
) -> None:
    document = tmp_path / "claim.json"
    document.write_text(text)

    answer = kei.run("append", "claim", "--from", document)

    assert answer.code == 2
    assert "No JSON object in" in answer.err


def test_if_no_store_can_append_each_says_why(graph: Desk, kei: Desk) -> None:
    words = ("append", "claim", "value=12", "evidence_tier=REAL", "pointer=x")
    answer = graph.run(*words, "-s", kei.store)

    assert answer.code == 2
    assert answer.err == "recollect: `value` must be text.\n"

    nowhere = graph.run("append", "import", "x=y", "-s", kei.store)
    assert nowhere.code == 1
    assert f"  {graph.store}: " in nowhere.err
    assert f"  {kei.store}" in nowhere.err


def test_a_conversation_changes_its_status_if_its_owner_allows_it(
    anima: Desk,
) -> None:
    ref = anima.rows("list", "conversations", "status:ready")[0]["ref"]
    before = contents(anima.store)

    refused = anima.run("transit", ref, "queued")
    assert (refused.code, refused.out) == (4, "")
    assert "writes = true" in refused.err
    assert contents(anima.store) == before

    settings = anima.machine.home / "config" / "recollect" / "config.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("[claudia]\nwrites = true\n")
    plan = anima.one("transit", ref, "queued", "--dry-run")
    assert '-status: "ready"\n' in plan["steps"][0]["diff"]
    assert anima.one("transit", ref, "queued")["refs"] == [ref]
    assert anima.show(ref)["status"] == "queued"
    anima.run("undo")
    assert anima.show(ref)["status"] == "ready"
