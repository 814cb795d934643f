"""`--at DATE`: the stores as of a date, in commands that list and show."""

import os
from pathlib import Path

import pytest

from tests.store.catalogue.stores import note, write
from tests.store.formats.transcripts_stores import SLUG
from tests.store.provenance.sittings import PLACE, Sitting
from tests.tui.cli.machine import Machine

GLAZE = note("glaze", "Cone six.")
COPPER = GLAZE.replace("six", "nine")


@pytest.fixture
def stores(tmp_path: Path) -> Path:
    """A memory that was written one day, and changed the next."""
    projects = tmp_path / "stores/claude/projects"
    write(projects, f"{SLUG}/memory/MEMORY.md", "- [glaze](glaze.md) — About it\n")
    write(projects, f"{SLUG}/memory/glaze.md", COPPER)
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.at = "2026-03-02T10:00:00.000Z"
    sitting.edit(f"{PLACE}/glaze.md", "six", "nine", originalFile=GLAZE)
    sitting.put(projects)
    return tmp_path / "stores"


def test_a_list_and_a_record_are_as_of_the_date(machine: Machine, stores: Path) -> None:
    now = ("-s", stores, "--json")
    (memory,) = machine.run("list", "memories", *now).rows
    listed = machine.run("list", "memories", "--at", "2026-03-01", *now)
    shown = machine.run("show", memory["ref"], "--at", "2026-03-01", *now)
    before = machine.run("list", "memories", "--at", "2026-02-01", *now)

    assert [row["ref"] for row in listed.rows] == [memory["ref"]]
    assert listed.err.startswith("recollect: As of 2026-03-01: ")
    assert "Cone six." in shown.rows[0]["body"]
    assert "Cone nine." in machine.run("show", memory["ref"], *now).rows[0]["body"]
    assert before.rows == []


def test_a_query_and_a_search_are_as_of_the_date_too(
    machine: Machine, stores: Path
) -> None:
    then = ("--at", "2026-03-01T10:00:11Z", "-s", stores, "--json")

    assert len(machine.run("list", "messages", "role:assistant", *then).rows) == 1
    assert machine.run("search", "nine", *then).rows == []
    assert machine.run("search", '"Cone six"', *then).rows


def test_versions_end_at_the_date(machine: Machine, stores: Path) -> None:
    (memory,) = machine.run("list", "memories", "-s", stores, "--json").rows
    then = ("--at", "2026-03-01", "-s", stores, "--json")

    assert [v["what"] for v in machine.run("versions", memory["ref"], *then).rows] == [
        "Write"
    ]


def test_an_invalid_date_is_wrong_use(machine: Machine, stores: Path) -> None:
    answer = machine.run("list", "memories", "--at", "soon", "-s", stores)

    assert answer.code == 2
    assert "Invalid time 'soon'; try 2026-01-15" in answer.err


def test_temporary_files_are_removed(
    machine: Machine, stores: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))

    machine.run("list", "memories", "--at", "2026-03-01", "-s", stores)

    assert list(place.iterdir()) == []


def test_stores_show_how_much_is_new(machine: Machine, stores: Path) -> None:
    rows = machine.run("stores", "--new", "-s", stores, "--json").rows

    assert [(row["memories"], row["messages"]) for row in rows] == [(0, 5), (1, 0)]
    assert {row["looked"] for row in rows} == {None}


def test_seen_records_are_no_longer_new(machine: Machine, stores: Path) -> None:
    seen = machine.run("stores", "--new", "--seen", "-s", stores, "--json")
    assert [row["memories"] for row in seen.rows] == [0, 1]
    nothing = machine.in_terminal("stores", "--new", "-s", stores).out
    assert nothing == "recollect: Nothing is new since your last session.\r\n"

    (memory,) = (stores / "claude/projects" / SLUG / "memory").glob("glaze.md")
    os.utime(memory, (4_000_000_000, 4_000_000_000))
    again = machine.run("stores", "--new", "-s", stores, "--json").rows
    listed = machine.run("list", "messages", "since:last", "-s", stores, "--json")

    assert [(row["memories"], row["messages"]) for row in again] == [(0, 0), (1, 0)]
    assert None not in {row["looked"] for row in again}
    assert listed.rows == []


def test_a_session_that_is_read_only_takes_nothing_as_seen(
    machine: Machine, stores: Path
) -> None:
    assert machine.run("stores", "--seen", "--read-only", "-s", stores).code == 4

    rows = machine.run("stores", "--new", "-s", stores, "--json").rows
    assert {row["looked"] for row in rows} == {None}
