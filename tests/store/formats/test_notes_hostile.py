"""Hostile stores, made by a generator beside the project if it is there."""

from pathlib import Path

import pytest

from store.findings import Findings, Severity
from tests.store.formats.contract import tree
from tests.store.formats.hostile import Case, make_hostile
from tests.store.formats.notes_stores import read_all, refusals, sniffs


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile") / "stores"


@pytest.fixture(scope="module")
def cases(hostile: Path) -> list[Case]:
    return make_hostile(hostile, "memdir")


@pytest.fixture(scope="module")
def store(hostile: Path, cases: list[Case]) -> Path:
    assert cases
    return hostile / "memdir" / ".memory"


@pytest.fixture(scope="module")
def found(store: Path) -> dict[str, Findings]:
    return read_all(store)


def test_every_case_meets_its_expectation(
    hostile: Path, cases: list[Case], store: Path, found: dict[str, Findings]
) -> None:

    assert cases
    for case in cases:
        assert case["expect"] == "ok"
        findings = found[str((hostile / case["path"]).relative_to(store))]
        assert len(findings.memories + findings.documents) == 1, case["id"]
        severities = [flaw.severity for flaw in findings.flaws]
        assert Severity.ERROR not in severities, case["id"]


def test_a_store_is_recognised_and_reading_changes_nothing(store: Path) -> None:
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


def test_the_lock_is_reported(store: Path) -> None:
    assert refusals(store) == {".consolidate-lock": "consolidate-lock"}
