"""Hostile stores, and what the program must do in each case.

A tool beside the project generates them and states each outcome: `ok` (shown),
`row-error` (a problem with path and reason), `refuse` (not opened, and reported),
`degrade` (answered within limits). Without the tool the tests are skipped.
"""

import json
import os
import posixpath
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.project import ROOT
from tests.store.answers.strict_readers import is_read_strictly
from tests.tui.cli import promises
from tests.tui.cli.machine import Machine

TOOL = ROOT.parent / "shared" / "tools" / "hostile.py"
CLASSES = (
    "canary",
    "index",
    "memdir",
    "yaml",
    "markdown",
    "fs",
    "refs",
    "relations",
    "unicode",
    "term",
    "markup",
)

DANGEROUS = re.compile(
    "[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
STYLE = re.compile(r"\x1b\[[0-9;]*m|\r\n")
SECRET = re.compile("OUTSIDE-SECRET|OUTSIDE-VICTIM|sk-FAKE")

UNNAMED = {"graph/graph/many": "empty folders hold nothing that could be listed"}
"""Cases that are well met by saying nothing."""

Row = dict[str, Any]


@dataclass
class Place:
    """All output about one path."""

    listed: list[Row] = field(default_factory=list[Row])
    problems: list[Row] = field(default_factory=list[Row])

    @property
    def errors(self) -> list[Row]:
        return [row for row in self.problems if row["severity"] == "error"]


@dataclass(frozen=True)
class Hostile:
    """The stores, and the output about them."""

    folder: Path
    machine: Machine
    cases: list[Row]
    lists: dict[str, list[Row]]

    def place(self, path: str) -> Place:
        """The output about a path, or about anything below it."""
        place, wanted = Place(), str(self.folder / path)
        for kind, rows in self.lists.items():
            for row in rows:
                at = f"{row['store']}/{row['path']}"
                if at == wanted or at.startswith(f"{wanted}/"):
                    (place.problems if kind == "problems" else place.listed).append(row)
        return place


def made(folder: Path) -> Path:
    """The hostile stores, made in a folder."""
    if not TOOL.is_file():
        pytest.skip("The tool that makes hostile stores is not beside the project.")
    command = [sys.executable, TOOL, "make", folder, "--only", ",".join(CLASSES)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    home, folder = (
        tmp_path_factory.mktemp("home"),
        made(tmp_path_factory.mktemp("made")),
    )
    manifest = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))
    machine = Machine(home)
    lists = {
        kind: machine.run("list", kind, "--json", "-s", folder).rows
        for kind in promises.LISTS
    }
    return Hostile(folder, machine, manifest["cases"], lists)


def is_met(hostile: Hostile, case: Row) -> bool:
    """Whether the output about a case's path is as expected."""
    path, owed = case["path"], case["expect"]
    place = hostile.place(path)
    if path in UNNAMED or owed == "absent":
        return True
    if not path.casefold().endswith((".md", ".json")) and owed == "ok":
        return not place.listed and not place.errors
    if owed == "refuse" and "write" in case.get("note", ""):
        return bool(place.listed)
    if "mode-" in path and os.access(hostile.folder / path, os.R_OK):
        return bool(place.listed) and not place.errors
    return {
        "ok": bool(place.listed) and not place.errors,
        "degrade": bool(place.listed),
        "row-error": bool(place.problems),
        "refuse": bool(place.problems) and not place.listed,
    }[owed] and all(row["message"] and row["path"] for row in place.problems)


@pytest.mark.parametrize("kind", [c for c in CLASSES if c != "refs"])
def test_every_case_gets_the_expected_outcome(hostile: Hostile, kind: str) -> None:
    cases = [case for case in hostile.cases if case["class"] == kind]

    unmet = {
        case["id"]: (case["expect"], hostile.place(case["path"]))
        for case in cases
        if not is_met(hostile, case)
    }

    assert cases
    assert unmet == {}


def test_a_damaged_index_does_not_hide_the_memories(hostile: Hostile) -> None:
    for case in hostile.cases:
        if case["class"] == "index":
            store = str(hostile.folder / Path(case["path"]).parent)
            titles = [
                r["title"] for r in hostile.lists["memories"] if r["store"] == store
            ]
            assert titles == ["CANARY-001"]


def test_a_reference_leads_to_a_memory_of_its_store_or_is_a_problem(
    hostile: Hostile,
) -> None:
    graph = hostile.folder / "graph"
    entries = json.loads((graph / "_index.json").read_text())["entries"]
    paths = {r["path"] for r in hostile.lists["memories"] if r["store"] == str(graph)}
    said = " ".join(p["message"] for p in hostile.place("graph/_index.json").problems)

    lost = [
        entry["path"]
        for own, entry in entries.items()
        if posixpath.normpath(entry["path"].partition("#")[0]) not in paths
        and own not in said
        and entry["path"] not in said
    ]

    assert len(entries) > 30
    assert lost == []


def test_no_link_leads_out_of_its_store(hostile: Hostile) -> None:
    known = defaultdict[str, set[str]](set)
    for row in hostile.lists["memories"]:
        known[row["store"]].add(row["ref"])
    places = {(p["path"], p["line"]) for p in hostile.lists["problems"]}

    for episode in hostile.lists["episodes"]:
        ref = episode["memory"]
        assert ref is None or ref in known[episode["store"]]
        if ref is None and (episode["link"] or "").strip():
            lines = range(episode["line"], episode["line"] + 4)
            assert any((episode["path"], line) in places for line in lines)
    for edge in hostile.lists["edges"]:
        assert {edge["from"], edge["to"]} - {None} <= known[edge["store"]]
        assert (None in (edge["from"], edge["to"])) == (
            "dangling-link" in edge["problems"]
        )
    for document in hostile.lists["documents"]:
        for link in hostile.machine.run(
            "links", document["ref"], "--json", "--no-sync"
        ).rows:
            assert link["ref"] in known[document["store"]] | {
                row["ref"]
                for kind in ("episodes", "documents")
                for row in hostile.lists[kind]
            }


def shown(hostile: Hostile) -> Iterator[str]:
    """Every record in full, for people and for programs."""
    for kind in ("memories", "documents", "episodes"):
        for row in hostile.lists[kind]:
            for face in ([], ["--json"]):
                answer = hostile.machine.run("show", row["ref"], "--no-sync", *face)
                assert (answer.code, answer.err) == (0, "")
                assert not DANGEROUS.search(answer.out)
                yield answer.out


def test_nothing_from_outside_and_no_key_is_ever_shown(hostile: Hostile) -> None:
    lists = [json.dumps(rows, ensure_ascii=False) for rows in hostile.lists.values()]
    wholes = list(shown(hostile))

    assert len(wholes) > 700
    for text in (*lists, *wholes):
        assert not SECRET.search(text)


@pytest.mark.parametrize("kind", promises.LISTS)
def test_no_character_acts_on_a_terminal(hostile: Hostile, kind: str) -> None:
    command = ("list", kind, "--no-sync", "-s", hostile.folder)
    piped = hostile.machine.run(*command)
    seen = hostile.machine.in_terminal(*command, columns=120)
    as_json = hostile.machine.in_terminal(*command, "--json")

    for answer in (piped, seen, as_json):
        assert answer.code == 0
        assert not DANGEROUS.search(STYLE.sub("\n", answer.out))
    assert piped.out.count("\n") == len(hostile.lists[kind])


def test_reading_changed_nothing_and_ran_nothing(hostile: Hostile) -> None:
    verified = subprocess.run(
        [sys.executable, TOOL, "verify", hostile.folder],
        check=False,
        capture_output=True,
        text=True,
    )

    assert verified.stdout.endswith(", 0 problems\n"), verified.stdout


def test_what_health_fixes_can_be_read_strictly(tmp_path: Path) -> None:
    machine, folder = Machine(tmp_path), made(tmp_path / "stores")
    found = machine.run("list", "problems", "--json", "-s", folder).rows
    codes = sorted({row["code"] for row in found if row["fix"]})
    before = contents(folder)

    answer = machine.run("health", "--fix", *codes, "--yes", "-s", folder)

    assert answer.code == 0
    after = contents(folder)
    left = machine.run("list", "problems", "--json", "-s", folder).rows
    unsound = {
        f"{row['store']}/{row['path']}" for row in left if row["severity"] != "note"
    }
    written = {path for path in after if after[path] != before.get(path)} - unsound
    assert len(written) > 20
    assert [path for path in written if not is_read_strictly(path, after[path])] == []


def contents(folder: Path) -> dict[str, bytes]:
    """The files that fixes may change, without links and copies."""
    files = (Path(at) / name for at, _, names in os.walk(folder) for name in names)
    return {
        str(path): path.read_bytes()
        for path in files
        if path.suffix in {".md", ".json", ".jsonl"}
        and ".backup" not in path.parts
        and not path.is_symlink()
        and path.is_file()
        and os.access(path, os.R_OK)
        and path.stat().st_size < 1 << 20
    }


def test_every_store_can_be_opened_as_plain_pages(hostile: Hostile) -> None:
    given = ("-s", hostile.folder, "--as", "pages")
    machine = hostile.machine
    graph = str(hostile.folder / "graph")
    memories = [row for row in hostile.lists["memories"] if row["store"] == graph]

    for kind in ("memories", "edges", "problems"):
        answer = machine.run("list", kind, *given)
        assert (answer.code, answer.err) == (0, "")
        assert not DANGEROUS.search(answer.out)
        assert not SECRET.search(answer.out)
    rows = machine.run("list", "memories", "--json", *given).rows
    assert {row["store"] for row in rows} == {str(hostile.folder)}
    missed = {f"graph/{row['path']}" for row in memories} - {
        row["path"] for row in rows
    }
    assert {Path(path).name for path in missed} <= {"symlink-inside.md", ".hidden.md"}
    assert len(memories) > 100
