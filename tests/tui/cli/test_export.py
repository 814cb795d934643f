"""`recollect export`: readable files, written completely or not at all."""

import json
from pathlib import Path

import pytest

from tests.tui.cli.kiln import make_transcripts, register
from tests.tui.cli.machine import Machine


@pytest.fixture
def store(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Path:
    register(monkeypatch)
    return make_transcripts(machine.home)


@pytest.fixture
def ref(machine: Machine, store: Path) -> str:
    """The person's conversation."""
    rows = machine.run("list", "conversations", "--json", "-s", store).rows
    (found,) = (row["ref"] for row in rows if row["parent"] is None)
    return str(found)


@pytest.mark.parametrize("more", [["--json"], ["--format", "json"]])
def test_json_is_the_output_of_show(
    machine: Machine, store: Path, ref: str, more: list[str]
) -> None:
    shown = machine.run("show", ref, "--json", "-s", store)
    rows = machine.run("list", "messages", "--json", "-s", store).rows

    answer = machine.run("export", ref, *more, "-s", store)

    assert answer.out == shown.out
    message = rows[0]["ref"]
    told = machine.run("export", ref, message, *more, "-s", store).rows
    assert [one["ref"] for one in told] == [ref, message]


def test_markdown_is_the_default(machine: Machine, store: Path, ref: str) -> None:
    answer = machine.run("export", ref, "-s", store)

    assert answer.code == 0
    assert "### you 10:00\n\nWhich cone for the blue glaze?" in answer.out
    assert "- ✗ **Bash**" in answer.out
    assert "\x1b" not in answer.out


@pytest.mark.parametrize(
    ("name", "beginning"),
    [("a.md", "# "), ("a.html", "<!doctype html>"), ("a.JSON", '{"ref"'), ("a", "# ")],
)
def test_a_file_has_the_format_of_its_suffix(
    machine: Machine, store: Path, ref: str, name: str, beginning: str
) -> None:
    answer = machine.run("export", ref, "-o", name, "-s", store)

    written = (machine.home / name).read_text(encoding="utf-8")
    assert (answer.code, answer.out) == (0, "")
    assert written.startswith(beginning)
    assert answer.err == f"recollect: Wrote {name} ({len(written.encode())} bytes).\n"


def test_an_existing_file_is_replaced_only_on_request(
    machine: Machine, store: Path, ref: str
) -> None:
    mine = machine.home / "mine.md"
    mine.write_text("mine")

    refused = machine.run("export", ref, "-o", "mine.md", "-s", store)
    said = "recollect: mine.md already exists; --force replaces it.\n"
    assert (refused.code, refused.err) == (1, said)
    assert mine.read_text() == "mine"

    machine.run("export", ref, "-o", "mine.md", "--force", "-s", store)
    assert mine.read_text(encoding="utf-8").startswith("# ")
    assert [one.name for one in machine.home.glob(".mine*")] == []


def test_results_of_tools_are_exported_on_request(
    machine: Machine, store: Path, ref: str
) -> None:
    some = machine.run("export", ref, "-s", store).out
    everything = machine.run("export", ref, "--full", "-s", store).out

    assert "cone 6\n  cone 10" in everything
    assert "cone 6\n  cone 10" not in some


def test_results_of_a_query_are_exported(machine: Machine, store: Path) -> None:
    options = ("--kind", "messages", "--format", "json", "-s", store)

    found = machine.run("export", "--query", "cone kind:prompt", *options).rows
    assert [row["kind"] for row in found] == ["prompt"]
    many = machine.run("export", "--query", "", *options, "--limit", "3").rows
    assert len(many) == 3

    nothing = machine.run("export", "--query", "zebra", *options, "-o", "a.md")
    assert (nothing.code, nothing.err) == (0, "recollect: No matches.\n")
    assert not (machine.home / "a.md").exists()


def test_several_records_become_one_page(
    machine: Machine, store: Path, ref: str
) -> None:
    rows = machine.run("list", "messages", "--json", "-s", store).rows
    page = machine.run(
        "export", ref, rows[0]["ref"], "--format", "html", "-s", store
    ).out

    assert page.count("<article>") == 2
    assert page.count("<!doctype html>") == 1


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ([], 2, "Give either REF or --query QUERY."),
        (["x", "--query", "y"], 2, "Give either REF"),
        (["nothing"], 1, "No record matches 'nothing'."),
        (["--query", "kind:prompt"], 2, "Memories have no field 'kind'."),
        (
            ["--query", "x", "--format", "pdf"],
            2,
            "invalid --format 'pdf' (choose from markdown, json, html)",
        ),
    ],
)
def test_impossible_exports_are_reported(
    machine: Machine, store: Path, words: list[str], code: int, told: str
) -> None:
    answer = machine.run("export", *words, "-s", store)

    assert answer.code == code
    assert told in answer.err
    assert answer.out == ""


def test_a_file_of_another_kind_is_markdown_and_that_is_said(
    machine: Machine, store: Path, ref: str
) -> None:
    answer = machine.run("export", ref, "-o", "a.pdf", "-s", store)

    assert answer.code == 0
    assert "Written as Markdown; --format FORMAT chooses another." in answer.err
    assert "Markdown" not in machine.run("export", ref, "-o", "a.txt", "-s", store).err


def test_an_unknown_value_is_named_if_nothing_is_exported(
    machine: Machine, store: Path
) -> None:
    wanted = ("--kind", "conversations", "--query", "project:nosuch")
    answer = machine.run("export", *wanted, "-s", store)

    assert (answer.code, answer.out) == (0, "")
    assert answer.err.startswith("recollect: No project 'nosuch'")


def test_a_missing_folder_is_named(machine: Machine, store: Path, ref: str) -> None:
    answer = machine.run("export", ref, "-o", "nowhere/a.md", "-s", store)

    assert answer.code == 1
    assert "nowhere/a.md: No such file or directory." in answer.err


def test_an_export_can_be_read_again(machine: Machine, store: Path, ref: str) -> None:
    machine.run("export", ref, "-o", "talk.json", "-s", store)

    talk = json.loads((machine.home / "talk.json").read_text(encoding="utf-8"))
    assert len(talk["transcript"]) == talk["messages"]
