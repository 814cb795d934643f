import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store.demo import write
from store.findings import Findings
from store.formats.port import Source
from store.formats.transcripts.format import FORMAT

NOW = datetime(2026, 3, 29, 14, 30, tzinfo=UTC)


def made(folder: Path) -> Path:
    write(folder, NOW)
    return folder / "claude/projects"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def told(root: Path) -> dict[str, Findings]:
    with FORMAT.open(root) as opened:
        sources = [found for found in opened.scan() if isinstance(found, Source)]
        return {source.path: opened.read(source) for source in sources}


def test_every_session_has_a_transcript(root: Path, told: dict[str, Findings]) -> None:
    lists = [json.loads(path.read_bytes()) for path in root.glob("*/*-index.json")]
    sessions = [entry for one in lists for entry in one["entries"]]
    transcripts = [path for path in told if path.endswith(".jsonl")]
    main = [path for path in transcripts if path.count("/") == 1]
    assert len(main) == len(sessions)
    prompts = {
        message.text
        for found in told.values()
        for message in found.messages
        if message.kind == "prompt"
    }
    assert prompts >= {session["firstPrompt"] for session in sessions}


def test_everything_that_happens_in_sessions_is_there(
    told: dict[str, Findings],
) -> None:
    messages = [message for found in told.values() for message in found.messages]
    assert {message.kind for message in messages} == {
        "prompt",
        "reply",
        "tool_use",
        "tool_result",
        "interrupt",
        "summary",
        "system",
    }
    assert sum(message.is_compaction for message in messages) == 1
    assert sum(message.errors for message in messages) == 1
    agents = [found for path, found in told.items() if "subagents" in path]
    assert any(session.parent for found in agents for session in found.sessions)


def test_notes_are_written_where_the_demo_keeps_them(told: dict[str, Findings]) -> None:
    written = [path for f in told.values() for m in f.messages for path, _ in m.writes]
    assert len([path for path in written if "/memory/" in path]) > 15


def test_only_deliberate_problems_exist(told: dict[str, Findings]) -> None:
    flaws = [flaw.code for found in told.values() for flaw in found.flaws]
    tails = [found.tail.code for found in told.values() if found.tail]
    assert (flaws, tails) == (["broken-line"], ["unfinished-line"])


def test_the_demo_is_small_and_the_same_every_time(root: Path, tmp_path: Path) -> None:
    files = {p.relative_to(root): p for p in root.rglob("*") if p.is_file()}
    assert sum(path.stat().st_size for path in files.values()) < 600_000
    again = made(tmp_path / "again")
    assert all(
        (again / name).read_bytes() == p.read_bytes() for name, p in files.items()
    )
