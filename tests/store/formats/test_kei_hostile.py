"""Journals and traces that mean harm, made by a generator beside the project."""

import json
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

import pytest

from store.findings import Findings
from tests.project import ROOT
from tests.store.formats.contract import tree
from tests.store.formats.kei_stores import ask, read_all, sniffs

GENERATOR = ROOT.parent / "shared" / "tools" / "hostile.py"


class Case(TypedDict):
    id: str
    path: str
    expect: str


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hostile transcripts, laid out as traces."""
    if not GENERATOR.is_file():
        pytest.skip("The generator of hostile stores is not beside the project.")
    folder = tmp_path_factory.mktemp("hostile") / "stores"
    subprocess.run(
        [sys.executable, GENERATOR, "make", folder, "--only", "transcript"],
        check=True,
        capture_output=True,
    )
    store = folder / "transcripts"
    (store / "projects" / "-x-proj").rename(store / "traces")
    (folder / "transcripts" / "MANIFEST.json").write_bytes(
        (folder / "MANIFEST.json").read_bytes()
    )
    return store


@pytest.fixture(scope="module")
def found(store: Path) -> dict[str, Findings]:
    return read_all(store)


def cases(store: Path) -> list[Case]:
    manifest = json.loads((store / "MANIFEST.json").read_text(encoding="utf-8"))
    return [case for case in manifest["cases"] if case["class"] == "transcript"]


def test_every_case_is_read(store: Path, found: dict[str, Findings]) -> None:
    named = {path.rpartition("/")[2]: findings for path, findings in found.items()}
    unread = [
        case["id"]
        for case in cases(store)
        if (name := case["path"].rpartition("/")[2]) in named
        and "empty" not in name
        and "newlines" not in name
        and not (named[name].events or named[name].measures)
    ]

    assert len(cases(store)) > 20
    assert unread == []


def test_it_is_known_and_reading_changes_nothing(store: Path) -> None:
    before = tree(store)

    assert sniffs(store)
    assert read_all(store)
    assert tree(store) == before


def test_a_million_lines_and_a_circle_are_answered(
    store: Path, found: dict[str, Findings]
) -> None:
    assert len(found["traces/million-tiny.jsonl"].events) > 100_000
    assert ask(store, "thread", "parent-cycle")
    assert ask(store, "thread", "parent-chain-20k")[-1]["depth"] != 0
    assert ask(store, "classes")
