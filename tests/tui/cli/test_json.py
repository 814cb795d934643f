import re
from pathlib import Path

import pytest

from tests.tui.cli import promises
from tests.tui.cli.conftest import NOW
from tests.tui.cli.machine import Machine


@pytest.mark.parametrize("kind", promises.LISTS)
def test_a_list_is_json_lines_with_the_promised_fields_in_order(
    machine: Machine, samples: Path, kind: str
) -> None:
    answer = machine.run("list", kind, "--json", "-s", samples)

    assert (answer.code, answer.err) == (0, "")
    assert answer.rows
    assert {tuple(row) for row in answer.rows} == {tuple(promises.LISTS[kind])}


def test_stores_have_the_promised_fields(machine: Machine, samples: Path) -> None:
    answer = machine.run("stores", "--json", "-s", samples)

    formats = {row["format"]: row["writable"] for row in answer.rows}
    assert (
        formats.items()
        >= {
            "cognitive": True,
            "notes": True,
            "transcripts": False,
        }.items()
    )
    assert all(list(row) == promises.STORE for row in answer.rows)
    assert all(Path(row["path"]).is_dir() for row in answer.rows)


def test_sync_is_one_object_with_the_promised_fields(
    new_machine: Machine, samples: Path
) -> None:
    first, again = (new_machine.run("sync", "--json", "-s", samples) for _ in "12")

    (report,) = first.rows
    assert list(report) == promises.SYNC
    assert report["changed"] == report["files"] > 0
    assert report["records"] > 0
    assert (again.rows[0]["changed"], again.rows[0]["bytes"]) == (0, 0)


def test_a_store_counts_the_records_of_its_lists(
    machine: Machine, samples: Path
) -> None:
    stores = machine.run("stores", "--json", "-s", samples).rows

    for kind in promises.LISTS.keys() & promises.STORE:
        listed = machine.run("list", kind, "--json", "-s", samples).rows
        assert {s["path"]: s[kind] for s in stores if s[kind]} == {
            path: sum(row["store"] == path for row in listed)
            for path in {row["store"] for row in listed}
        }


def test_show_adds_the_text_and_only_procedures_have_steps(
    machine: Machine, samples: Path
) -> None:
    rows = machine.run("list", "memories", "--json", "-s", samples, "--now", NOW).rows
    shown = [
        machine.run("show", row["ref"], "--json", "--no-sync", "--now", NOW).rows
        for row in rows
    ]

    for row, (whole,) in zip(rows, shown, strict=True):
        procedure = promises.OF_PROCEDURES if row["type"] == "procedure" else []
        assert list(whole) == promises.IN_FULL + procedure
        assert {name: whole[name] for name in row} == row
    assert any(whole["steps"] for (whole,) in shown if whole["type"] == "procedure")
    assert any(whole["relations"] for (whole,) in shown)


@pytest.mark.parametrize("kind", ["edges", "episodes", "documents"])
def test_show_gives_the_row_of_every_other_kind(
    machine: Machine, samples: Path, kind: str
) -> None:
    (row,) = machine.run("list", kind, "--json", "-s", samples, "--limit", "1").rows

    (whole,) = machine.run("show", row["ref"], "--json", "-s", samples).rows

    more = {"documents": ["text", "facts"], "edges": ["body", "fields"]}
    assert list(whole) == promises.LISTS[kind] + more.get(kind, [])
    assert {name: whole[name] for name in row} == row


def test_links_go_there_and_back(machine: Machine, samples: Path) -> None:
    edges = machine.run("list", "edges", "--json", "-s", samples).rows
    edge = next(edge for edge in edges if edge["from"] and edge["to"])

    out = machine.run("links", edge["from"], "--json", "-s", samples).rows
    back = machine.run("links", edge["to"], "--json", "-s", samples).rows

    assert all(list(link) == promises.LINK for link in [*out, *back])
    assert ("out", edge["to"], edge["ref"]) in {
        (link["direction"], link["ref"], link["edge"]) for link in out
    }
    assert ("in", edge["from"], edge["ref"]) in {
        (link["direction"], link["ref"], link["edge"]) for link in back
    }


def test_instants_are_given_as_in_the_file(machine: Machine, samples: Path) -> None:
    rows = machine.run("list", "memories", "--json", "-s", samples).rows

    for row in rows:
        text = (Path(row["store"]) / row["path"]).read_text(encoding="utf-8")
        given = {row["created"], row["updated"]} - {None}
        assert all(instant in text for instant in given)
        written = re.search(r"^created: [\"']?([^\"'\n]+)", text, re.MULTILINE)
        assert written is None or row["created"] == written[1]
    assert sum(row["created"] is not None for row in rows) > 100


def test_missing_values_are_null(machine: Machine, samples: Path) -> None:
    rows = machine.run("list", "memories", "--json", "-s", samples).rows
    note = next(row for row in rows if row["format"] == "notes")

    for field in ("id", "importance", "confidence", "strength", "stage", "line"):
        assert note[field] is None


def test_a_name_that_is_not_utf8_is_escaped(machine: Machine, tmp_path: Path) -> None:
    path = tmp_path / "store" / "graph" / "fixes" / "bad\udcff\udcfe.md"
    path.parent.mkdir(parents=True)
    header = "id: 5b1c0d0e-0000-4000-8000-000000000001\ntype: fix\ntitle: odd name"
    try:
        path.write_text(f"---\n{header}\n---\nbody\n", encoding="utf-8")
    except (OSError, UnicodeError):
        pytest.skip("This file system takes UTF-8 names only.")

    answer = machine.run("list", "memories", "--json", "-s", tmp_path)
    shown = machine.run("show", "5b1c", "--json", "-s", tmp_path)

    assert '"path":"graph/fixes/bad\\udcff\\udcfe.md"' in answer.out
    assert answer.rows[0]["path"] == shown.rows[0]["path"] == "graph/fixes/" + path.name
    assert shown.rows[0]["body"] == "body\n"
