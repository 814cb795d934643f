"""Memories without a time of change have that of their file."""

import os
from pathlib import Path

import pytest

from tests.store.catalogue.stores import write
from tests.tui.cli.machine import Machine

PLACE = "projects/-home-me-kiln/memory"
DATED = "2026-02-03T10:00:00Z"


@pytest.fixture
def stores(tmp_path: Path) -> Path:
    """Three notes: one with a time of change, and two without."""
    root = tmp_path / "stores"
    write(root, f"{PLACE}/old.md", "---\nname: Old\ndescription: a\ntype: user\n---\n")
    write(root, f"{PLACE}/new.md", "New text without a header.\n")
    write(
        root,
        f"{PLACE}/dated.md",
        "---\nname: Dated\ndescription: a\nmetadata:\n  type: user\n"
        f"  modified: {DATED}\n---\n",
    )
    for name, seconds in (
        ("old", 1_769_904_000),  # 2026-02-01
        ("new", 1_770_422_400),  # 2026-02-07
        ("dated", 1_772_236_800),  # 2026-02-28
    ):
        os.utime(root / PLACE / f"{name}.md", (seconds, seconds))
    return root


def test_json_adds_the_time_of_the_file(machine: Machine, stores: Path) -> None:
    rows = machine.run("list", "memories", "--json", "-s", stores).rows

    assert [(row["title"], row["updated"], row["modified"]) for row in rows] == [
        ("new", None, "2026-02-07T00:00:00Z"),
        ("Dated", DATED, "2026-02-28T00:00:00Z"),
        ("Old", None, "2026-02-01T00:00:00Z"),
    ]


def test_a_list_marks_the_time_of_a_file(machine: Machine, stores: Path) -> None:
    shown = machine.in_terminal("list", "memories", "-s", stores, columns=160).out

    assert "~2026-02-07" in shown
    assert "~2026-02-01" in shown
    assert "2026-02-03" in shown
    assert "~2026-02-03" not in shown


def test_show_labels_it_as_the_time_of_the_file(machine: Machine, stores: Path) -> None:
    ref = machine.run("list", "memories", "Old", "--json", "-s", stores).rows[0]["ref"]

    shown = machine.run("show", ref, "-s", stores).out

    assert "modified       2026-02-01T00:00:00Z" in shown
    assert "updated" not in shown


def test_as_of_a_date_it_is_the_time_of_then(machine: Machine, stores: Path) -> None:
    rows = machine.run(
        "list", "memories", "--json", "-s", stores, "--at", "2026-02-10"
    ).rows

    assert [row["modified"][:10] for row in rows if row["title"] != "Dated"] == [
        "2026-02-07",
        "2026-02-01",
    ]


@pytest.mark.parametrize("seconds", [-86_400 * 365 * 1000, 2**33])
def test_unusual_times_are_not_an_error(
    machine: Machine, stores: Path, seconds: int
) -> None:
    os.utime(stores / PLACE / "old.md", (seconds, seconds))

    rows = machine.run("list", "memories", "Old", "--json", "-s", stores).rows

    assert [row["title"] for row in rows] == ["Old"]
