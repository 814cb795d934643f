from datetime import UTC, datetime
from pathlib import Path

import pytest

from store.demo import write
from store.findings import Findings
from tests.store.formats.kei_stores import ask, read_all, refusals, sniffs

NOW = datetime(2026, 8, 20, 12, tzinfo=UTC)


def made(folder: Path) -> Path:
    write(folder, NOW)
    return folder / "kei/memory"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("demo") / "kei-demo")


@pytest.fixture(scope="module")
def found(store: Path) -> dict[str, Findings]:
    return read_all(store)


def test_the_store_has_only_deliberate_problems(
    store: Path, found: dict[str, Findings]
) -> None:
    assert sniffs(store)
    assert refusals(store) == {}
    assert {path: f.flaws for path, f in found.items() if f.flaws or f.tail} == {}


def test_the_store_is_the_same_every_time(store: Path, tmp_path: Path) -> None:
    again = made(tmp_path / "again")

    for path in store.rglob("*"):
        if path.is_file():
            assert (again / path.relative_to(store)).read_bytes() == path.read_bytes()


def test_the_store_shows_every_kind_of_record(found: dict[str, Findings]) -> None:
    measures = [measure for f in found.values() for measure in f.measures]
    events = [event for f in found.values() for event in f.events]

    assert {m.kind for m in measures} == {"session", "task", "claim", "toolstats"}
    assert {m.source for m in measures if m.kind == "claim"} == {
        *("REAL", "FROM-JOURNAL", "ESTIMATE-HTC")
    }
    assert {str(m.fields.get("state")) for m in measures} >= {"finished", "running"}
    assert sum(len(f.agents) for f in found.values()) == 4
    assert {e.kind for e in events} >= {"user", "assistant", "tool_use", "agent_spawn"}
    assert any(event.is_copy for event in events)


def test_one_piece_of_evidence_is_missing(store: Path) -> None:
    claims = ask(store, "claims")
    lost = {str(row["pointer"]) for row in claims if row["proof"] is None}

    assert lost == {"how I felt in May", "tasks.jsonl#race-wave-2"}


def test_every_report_has_an_answer(store: Path) -> None:
    for question in ("classes", "running", "skills", "token-outliers", "patterns"):
        assert ask(store, question), question
