"""Real sessions, counted by an independent script: a second opinion, not the truth."""

import json
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from store.files.json_read import parse
from store.findings import Findings, MessageFound, Tokens
from store.formats.transcripts.format import FORMAT
from tests.project import ROOT
from tests.store.formats.transcripts_stores import put, read, user

CORPUS = ROOT.parent / "shared" / "corpus"
ORACLE = CORPUS / "oracle.jsonl"

pytestmark = pytest.mark.skipif(
    not ORACLE.exists(), reason="the corpus of real sessions is not beside the project"
)

KINDS = {
    "slash_command": "command",
    "local_output": "output",
    "compact_summary": "summary",
    "task_notification": "notification",
}
"""What the oracle calls otherwise."""

TYPED = "253fd5ef-38bf-4f4a-804a-98df5088a868"
"""A session with `!` commands: the oracle counts what was typed among the output."""


def told() -> list[dict[str, Any]]:
    if not ORACLE.exists():
        return []
    return [json.loads(line) for line in ORACLE.read_text().splitlines()]


@cache
def found_in(path: str) -> Findings:
    return read(CORPUS / path)


def kinds(messages: list[MessageFound]) -> Counter[str]:
    return Counter(m.kind for m in messages if m.role == "user" and not m.is_queued)


@pytest.mark.parametrize("oracle", told(), ids=lambda oracle: oracle["path"][-48:])
def test_real_sessions_match_independent_counts(oracle: dict[str, Any]) -> None:
    found = found_in(oracle["path"])
    messages = [m for m in found.messages if not m.key.startswith("agent:")]
    replies = [m for m in messages if m.role == "assistant"]
    lines = found.sessions[0].lines
    expected = Counter({KINDS.get(k, k): n for k, n in oracle["user_kinds"].items()})
    if TYPED in oracle["path"]:
        expected += Counter(command=2)
        expected -= Counter(output=2)
    assert kinds(messages) == expected
    types = {kind: count for kind, count in lines.items() if kind[0] != "("}
    assert types == oracle["types"]
    assert lines.get("(duplicate)", 0) == oracle["dup_uuid"]
    assert lines.get("(broken)", 0) == oracle["broken_lines"] == 0
    assert not found.flaws
    assert found.tail is None
    assert len(replies) == oracle["assistant_messages"]
    calls = [call for m in replies for call in m.calls]
    assert len(calls) == oracle["tool_uses"]
    answered = {answer for m in messages for answer in m.answers}
    assert len(set(calls) - answered) == oracle["tool_uses_without_result"]
    assert sum(m.errors for m in messages) == oracle["tool_errors"]
    assert sum(m.is_compaction for m in messages) == oracle["compactions"]
    assert summed(replies) == Tokens(
        oracle["input_tokens"],
        oracle["output_tokens"],
        oracle["cache_read"],
        oracle["cache_creation"],
    )


@pytest.mark.parametrize("oracle", told(), ids=lambda oracle: oracle["path"][-48:])
def test_joined_lines_are_split(oracle: dict[str, Any]) -> None:
    raw = (CORPUS / oracle["path"]).read_bytes()
    held = [len(parse(line).values) for line in raw.split(b"\n") if line.strip()]
    assert len(held) == oracle["lines"]
    assert sum(values > 1 for values in held) == oracle["concat_lines"]


def summed(replies: list[MessageFound]) -> Tokens:
    costs = [m.tokens for m in replies if m.tokens]
    return Tokens(*map(sum, zip(*costs, strict=True)))


def test_every_form_of_a_line_is_read(tmp_path: Path) -> None:
    skeletons = (CORPUS / "schema" / "skeletons.jsonl").read_text().splitlines()
    for skeleton in skeletons:
        record = json.loads(skeleton)["record"]
        record = {**record, "uuid": "one"} if "uuid" in record else record
        path = put(tmp_path / "x.jsonl", user("a", "x"), record, user("b", "y"))
        found = read(path)
        assert not found.flaws
        assert sum(found.sessions[0].lines.values()) == 3
        assert found.messages[0].text == "x"
        assert found.messages[-1].text == "y"


OTHERS = sorted(
    path
    for folder in ("fixtures", "other-agents")
    for path in (CORPUS / folder).rglob("*.jsonl")
)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: str(path)[-60:])
def test_files_of_other_programs_are_read_or_refused_by_name(path: Path) -> None:
    found = read(path)
    assert found.messages or found.flaws or found.tail or found.documents


def test_fixtures_of_claude_code_are_read() -> None:
    for path in OTHERS:
        if "claude-code-log" in path.parts or "/agents/claude/" in str(path):
            assert read(path).messages, path


def test_every_real_project_is_a_store() -> None:
    for projects in (CORPUS / "claude").glob("*/projects"):
        with FORMAT.open(projects) as opened:
            found = list(opened.scan())
        assert len(found) >= len(list(projects.glob("*/*.jsonl")))


def test_a_growing_session_only_grows(tmp_path: Path) -> None:
    for folder in (CORPUS / "series").glob("*/*"):
        moments = sorted(folder.glob("*.jsonl"))
        for before, after in pairwise(moments):
            old, new = before.read_bytes(), after.read_bytes()
            if not new.startswith(old):
                continue
            path = tmp_path / "x.jsonl"
            path.write_bytes(old)
            mark = read(path).mark
            path.write_bytes(new)
            found = read(path, since=mark)
            assert not found.anew
            assert found.mark == read(path).mark
