"""Real transcripts as traces, compared with independent counts."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.project import ROOT
from tests.store.formats.kei_stores import ask, read_all

CORPUS = ROOT.parent / "shared" / "corpus"
PROJECT = (
    "claude/context-evaluator/projects/-Users-cedricteyton-Code-agents-md-evaluator"
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (CORPUS / PROJECT).is_dir():
        pytest.skip("The corpus of real transcripts is not beside the project.")
    store = tmp_path_factory.mktemp("corpus")
    shutil.copytree(CORPUS / PROJECT, store / "traces")
    return store


def counted() -> dict[str, dict[str, Any]]:
    """The counts by the names of the files."""
    lines = (CORPUS / "oracle.jsonl").read_text(encoding="utf-8").splitlines()
    rows = (json.loads(line) for line in lines)
    return {
        Path(row["path"]).name: row for row in rows if row["path"].startswith(PROJECT)
    }


def test_real_traces_match_independent_counts(store: Path) -> None:
    known = counted()
    found = {path.rpartition("/")[2]: f for path, f in read_all(store).items()}

    assert len(found) > 10
    for name, findings in found.items():
        row = known[name]
        calls = [e for e in findings.events if e.event_class.startswith("tool_use:")]
        errors = [e for e in findings.events if e.event_class.startswith("tool_error")]
        assert len(calls) == row["tool_uses"], name
        assert len(errors) == row["tool_errors"], name
        assert sum(findings.sessions[0].lines.values()) == row["lines"], name
        assert not findings.flaws, name
        assert all(e.tool for e in errors), name


def test_every_event_of_a_real_trace_has_a_time(store: Path) -> None:
    for findings in read_all(store).values():
        assert all(event.at and event.at.micros for event in findings.events)


def test_every_line_of_a_thread_is_there_once(store: Path) -> None:
    for path in store.glob("traces/*.jsonl"):
        lines = [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
        known = {line["uuid"] for line in lines if line.get("uuid")}
        rows = ask(store, "thread", path.stem)

        assert sorted(str(row["uuid"]) for row in rows) == sorted(known)
