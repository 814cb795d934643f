"""Real transcripts, imported by the program's rules, are reproduced completely."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.project import ROOT
from tests.store.formats.claudia_stores import Claudia, database, only

CORPUS = ROOT.parent / "shared" / "corpus" / "claude"
SMALL = 400_000


def transcripts() -> Iterator[Path]:
    found = sorted(CORPUS.glob("*/projects/*/*.jsonl"))
    return islice((path for path in found if path.stat().st_size < SMALL), 12)


def entries(path: Path) -> Iterator[dict[str, Any]]:
    """The few fields of a line that the database has."""
    for line in path.read_text(encoding="utf-8").splitlines():
        told: dict[str, Any] = json.loads(line)
        if told.get("type") not in {"user", "assistant"}:
            continue
        content: str | list[dict[str, str]] = told["message"]["content"]
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        texts = [block["text"] for block in content if block["type"] == "text"]
        tools = [block["name"] for block in content if block["type"] == "tool_use"]
        if texts or tools:
            used = [f"[Used tools: {', '.join(tools)}]"] if tools else []
            yield {
                "at": told["timestamp"],
                "text": "\n\n".join(texts + used),
                "role": told["type"],
                "tool_names": ", ".join(tools) or None,
                "session_id": told["sessionId"],
                "cwd": told["cwd"],
            }


def ingest(made: Claudia, path: Path) -> int:
    """Write a transcript's entries, and the one conversation that spans them."""
    key = f"{path.parent.name}/{path.name}"
    told = list(entries(path))
    for one in told:
        made.entry(source_file=key, **one)
    if told:
        times = sorted(one["at"] for one in told)
        made.conversation(
            times[0], times[-1], source_file=key, entry_count=len(told), status="ready"
        )
    made.file(key, file_size=path.stat().st_size)
    return len(told)


def test_real_transcripts_are_reproduced_completely(tmp_path: Path) -> None:
    paths = list(transcripts())
    if not paths:
        pytest.skip("The corpus of real transcripts is not beside the project.")
    with database(tmp_path) as made:
        counts = {
            f"{path.parent.name}/{path.name}": ingest(made, path) for path in paths
        }
    found = only(tmp_path)

    assert sum(counts.values()) > 100
    assert not found.flaws
    assert [message.text for message in found.messages] == [
        one["text"] for path in paths for one in entries(path)
    ]
    told = {talk.key: talk.entries for talk in found.conversations}
    held = [message.conversation for message in found.messages]
    assert {key: held.count(key) for key in told} == told
