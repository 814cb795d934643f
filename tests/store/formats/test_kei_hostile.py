"""Hostile journals and traces, made by a generator beside the project."""

from pathlib import Path

import pytest

from store.findings import Findings
from tests.store.formats.contract import tree
from tests.store.formats.hostile import Case, make_hostile
from tests.store.formats.kei_stores import ask, read_all, sniffs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile") / "stores"


@pytest.fixture(scope="module")
def cases(folder: Path) -> list[Case]:
    """The hostile transcripts, as traces."""
    cases = make_hostile(folder, "transcript")
    (folder / "transcripts/projects/-x-proj").rename(folder / "transcripts/traces")
    return cases


@pytest.fixture(scope="module")
def store(folder: Path, cases: list[Case]) -> Path:
    assert cases
    return folder / "transcripts"


@pytest.fixture(scope="module")
def found(store: Path) -> dict[str, Findings]:
    return read_all(store)


def test_every_case_is_read(cases: list[Case], found: dict[str, Findings]) -> None:
    named = {path.rpartition("/")[2]: findings for path, findings in found.items()}
    unread = [
        case["id"]
        for case in cases
        if (name := case["path"].rpartition("/")[2]) in named
        and "empty" not in name
        and "newlines" not in name
        and not (named[name].events or named[name].measures)
    ]

    assert len(cases) > 20
    assert unread == []


def test_a_store_is_recognised_and_reading_changes_nothing(store: Path) -> None:
    before = tree(store)

    assert sniffs(store)
    assert read_all(store)
    assert tree(store) == before


def test_reports_survive_a_million_lines_and_a_circle(
    store: Path, found: dict[str, Findings]
) -> None:
    assert len(found["traces/million-tiny.jsonl"].events) > 100_000
    assert ask(store, "thread", "parent-cycle")
    assert ask(store, "thread", "parent-chain-20k")[-1]["depth"] != 0
    assert ask(store, "classes")
