"""`recollect export`: files that others can read, written whole or not at all."""

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
    """The conversation that a person had."""
    rows = machine.run("list", "conversations", "--json", "-s", store).rows
    (found,) = (row["ref"] for row in rows if row["parent"] is None)
    return str(found)


@pytest.mark.parametrize("more", [["--json"], ["--format", "json"]])
def test_json_is_what_show_prints(
    machine: Machine, store: Path, ref: str, more: list[str]
) -> None:
    shown = machine.run("show", ref, "--json", "-s", store)
    rows = machine.run("list", "messages", "--json", "-s", store).rows

    answer = machine.run("export", ref, *more, "-s", store)

    assert answer.out == shown.out
    message = rows[0]["ref"]
    told = machine.run("export", ref, message, *more, "-s", store).rows
    assert [one["ref"] for one in told] == [ref, message]


def test_markdown_goes_out_unless_somebody_wants_otherwise(
    machine: Machine, store: Path, ref: str
) -> None:
    answer = machine.run("export", ref, "-s", store)

    assert answer.code == 0
    assert "### you 10:00\n\nWhich cone for the blue glaze?" in answer.out
    assert "- ✗ **Bash**" in answer.out
    assert "\x1b" not in answer.out


@pytest.mark.parametrize(
    ("name", "beginning"),
    [("a.md", "# "), ("a.html", "<!doctype html>"), ("a.JSON", '{"ref"'), ("a", "# ")],
)
def test_a_file_is_of_the_format_that_its_name_tells(
    machine: Machine, store: Path, ref: str, name: str, beginning: str
) -> None:
    answer = machine.run("export", ref, "-o", name, "-s", store)

    written = (machine.home / name).read_text(encoding="utf-8")
    assert (answer.code, answer.out) == (0, "")
    assert written.startswith(beginning)
    assert answer.err == f"recollect: {name} has {len(written.encode())} bytes now.\n"


def test_nothing_is_written_over_unless_that_is_wanted(
    machine: Machine, store: Path, ref: str
) -> None:
    mine = machine.home / "mine.md"
    mine.write_text("mine")

    refused = machine.run("export", ref, "-o", "mine.md", "-s", store)
    assert (refused.code, refused.err) == (1, "recollect: mine.md is there already.\n")
    assert mine.read_text() == "mine"

    machine.run("export", ref, "-o", "mine.md", "--force", "-s", store)
    assert mine.read_text(encoding="utf-8").startswith("# ")
    assert [one.name for one in machine.home.glob(".mine*")] == []


def test_all_that_tools_answered_is_told_if_that_is_wanted(
    machine: Machine, store: Path, ref: str
) -> None:
    some = machine.run("export", ref, "-s", store).out
    everything = machine.run("export", ref, "--full", "-s", store).out

    assert "cone 6\n  cone 10" in everything
    assert "cone 6\n  cone 10" not in some


def test_what_a_query_finds_is_exported(machine: Machine, store: Path) -> None:
    options = ("--kind", "messages", "--format", "json", "-s", store)

    found = machine.run("export", "--query", "cone kind:prompt", *options).rows
    assert [row["kind"] for row in found] == ["prompt"]
    many = machine.run("export", "--query", "", *options, "--limit", "3").rows
    assert len(many) == 3

    nothing = machine.run("export", "--query", "zebra", *options, "-o", "a.md")
    assert (nothing.code, nothing.err) == (0, "recollect: Nothing matches.\n")
    assert not (machine.home / "a.md").exists()


def test_of_several_records_one_page_is_made(
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
        ([], 2, "Export what? Name refs, or say which with --query QUERY."),
        (["x", "--query", "y"], 2, "Export what?"),
        (["nothing"], 1, "Nothing goes by 'nothing'."),
        (["--query", "kind:prompt"], 2, "Memories have no 'kind'."),
        (["--query", "x", "--format", "pdf"], 2, "invalid choice"),
    ],
)
def test_what_cannot_be_exported_is_said(
    machine: Machine, store: Path, words: list[str], code: int, told: str
) -> None:
    answer = machine.run("export", *words, "-s", store)

    assert answer.code == code
    assert told in answer.err
    assert answer.out == ""


def test_a_folder_that_is_not_there_is_named(
    machine: Machine, store: Path, ref: str
) -> None:
    answer = machine.run("export", ref, "-o", "nowhere/a.md", "-s", store)

    assert answer.code == 1
    assert "nowhere/a.md cannot be written: No such file or directory." in answer.err


def test_what_is_exported_can_be_read_again(
    machine: Machine, store: Path, ref: str
) -> None:
    machine.run("export", ref, "-o", "talk.json", "-s", store)

    talk = json.loads((machine.home / "talk.json").read_text(encoding="utf-8"))
    assert len(talk["transcript"]) == talk["messages"]
