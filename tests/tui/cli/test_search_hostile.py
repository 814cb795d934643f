"""Hostile stores are searched like others: no error, and nothing acts."""

import re
from pathlib import Path

import pytest

from tests.store.formats.hostile import make_hostile
from tests.tui.cli import promises
from tests.tui.cli.machine import Machine

CLASSES = (
    "canary",
    "yaml",
    "markdown",
    "refs",
    "unicode",
    "term",
    "markup",
    "jsonl",
    "transcript",
)

DANGEROUS = re.compile(
    "[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
STYLE = re.compile(r"\x1b\[[0-9;]*m|\r\n")

QUERIES = [
    "e",
    "term",
    "~cannary",
    "^a",
    "/./",
    "/[^ -~]/",
    "-e",
    "path:e",
    "title:e",
    "has:problems",
    "is:hidden-text",
    "is:secret",
    "\x1b",
    "\u202e",
    "[red]",
    "*",
]
"""Queries of every kind, and some for what is hidden."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Machine, Path]:
    """A machine that has read the hostile stores."""
    folder = tmp_path_factory.mktemp("hostile")
    make_hostile(folder, *CLASSES)
    machine = Machine(tmp_path_factory.mktemp("home"))
    assert machine.run("sync", "-s", folder).code == 0
    return machine, folder


@pytest.mark.parametrize("query", QUERIES)
def test_every_kind_of_query_is_answered(
    hostile: tuple[Machine, Path], query: str
) -> None:
    machine, folder = hostile
    for face in ([], ["--json"], ["--explain"]):
        answer = machine.run("search", query, "--no-sync", "-s", folder, *face)
        assert answer.code == 0
        assert "report" not in answer.err
        assert not DANGEROUS.search(STYLE.sub("\n", answer.out + answer.err))


@pytest.mark.parametrize("kind", promises.LISTS)
def test_every_list_takes_every_query_about_it(
    hostile: tuple[Machine, Path], kind: str
) -> None:
    machine, folder = hostile
    for query in QUERIES:
        answer = machine.run("list", kind, query, "--no-sync", "-s", folder)
        assert answer.code in (0, 2)
        assert (
            answer.code == 0
            or f"{kind.capitalize()} have no" in answer.err
            or ":" in query
        )
        assert not DANGEROUS.search(answer.out + answer.err)


@pytest.mark.parametrize("query", ["e", "term", "is:hidden-text", "/[^ -~]/"])
def test_nothing_acts_on_a_terminal(hostile: tuple[Machine, Path], query: str) -> None:
    machine, folder = hostile
    answer = machine.in_terminal(
        "search", query, "--no-sync", "-s", folder, "--limit", "500", "--explain"
    )

    assert answer.code == 0
    assert not DANGEROUS.search(STYLE.sub("\n", answer.out))


def test_a_file_with_a_name_that_is_not_text_is_found(machine: Machine) -> None:
    store = machine.home / "store"
    store.mkdir()
    (store / "MEMORY.md").write_text("- [kiln](kiln.md)\n")
    odd = store / "kiln-\udcff\udcfe.md"
    odd.write_text("---\nname: kiln\ndescription: d\ntype: project\n---\n\nCone six.\n")

    for query in ("cone", "kiln", "path:kiln", "-path:other"):
        answer = machine.run("search", query, "-s", store, "--json")
        assert "kiln" in {row["title"] for row in answer.rows}
        listed = machine.run("list", "memories", query, "-s", store)
        assert (listed.code, listed.err) == (0, "")
        assert not DANGEROUS.search(listed.out)
