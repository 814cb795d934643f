"""Stores that mean harm, made by a generator beside the project where it is there."""

import json
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

import pytest

from store.findings import Findings, Severity
from tests.project import ROOT
from tests.store.formats.contract import tree
from tests.store.formats.notes_stores import read_all, refusals, sniffs

GENERATOR = ROOT.parent / "shared" / "tools" / "hostile.py"


class Case(TypedDict):
    id: str
    path: str
    expect: str


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not GENERATOR.is_file():
        pytest.skip("The generator of hostile stores is not beside the project.")
    folder = tmp_path_factory.mktemp("hostile") / "stores"
    subprocess.run(
        [sys.executable, GENERATOR, "make", folder, "--only", "memdir"],
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture(scope="module")
def store(hostile: Path) -> Path:
    return hostile / "memdir" / ".memory"


@pytest.fixture(scope="module")
def found(store: Path) -> dict[str, Findings]:
    return read_all(store)


def test_every_case_meets_its_expectation(
    hostile: Path, store: Path, found: dict[str, Findings]
) -> None:
    manifest = json.loads((hostile / "MANIFEST.json").read_text(encoding="utf-8"))
    cases: list[Case] = [c for c in manifest["cases"] if c["class"] == "memdir"]

    assert cases
    for case in cases:
        assert case["expect"] == "ok"
        findings = found[str((hostile / case["path"]).relative_to(store))]
        assert len(findings.memories + findings.documents) == 1, case["id"]
        severities = [flaw.severity for flaw in findings.flaws]
        assert Severity.ERROR not in severities, case["id"]


def test_it_is_known_and_reading_changes_nothing(store: Path) -> None:
    before = tree(store)

    assert sniffs(store)
    assert read_all(store)
    assert tree(store) == before


def test_no_link_of_the_index_leads_out(found: dict[str, Findings]) -> None:
    (document,) = found["MEMORY.md"].documents

    targets = {m.target for m in document.mentions if "outside" in m.link}
    assert targets == {None}
    assert "path:canary.md" in [mention.target for mention in document.mentions]
    codes = {flaw.code for flaw in found["MEMORY.md"].flaws}
    assert codes == {"index-over-limit", "link-leads-out"}


def test_the_lock_is_noted(store: Path) -> None:
    assert refusals(store) == {".consolidate-lock": "consolidate-lock"}
