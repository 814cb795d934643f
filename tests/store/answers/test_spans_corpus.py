"""Real sessions over time, compared with independent counts."""

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from store.catalogue.reader import Page
from store.derive.conversations import Tokens
from store.derive.statistics import Spans
from store.discover import beneath
from store.formats.register import FORMATS
from store.kinds.conversations import Conversation
from store.library import Library
from tests.project import ROOT

CORPUS = (ROOT.parent / "shared" / "corpus").resolve()
CLAUDE = CORPUS / "claude"
ORACLE = CORPUS / "oracle.jsonl"

pytestmark = pytest.mark.skipif(
    not ORACLE.exists(), reason="the corpus of real sessions is not beside the project"
)

HOUR = 3_600_000_000
NAMES = ("input", "output", "cache_read", "cache_creation")


def sessions() -> list[dict[str, Any]]:
    """The oracle's counts of each session of the projects."""
    if not ORACLE.exists():
        return []
    told = map(json.loads, ORACLE.read_text(encoding="utf-8").splitlines())
    return [one for one in told if one["path"].startswith("claude/")]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """All of them, read."""
    catalogue = tmp_path_factory.mktemp("corpus") / "catalogue.db"
    with Library(catalogue, 1_800_000_000_000_000) as opened:
        opened.stores.choose(beneath([CLAUDE], FORMATS).stores)
        opened.sync()
        yield opened


@pytest.fixture(scope="module")
def timeline(library: Library) -> dict[str, list[tuple[Conversation, int, int]]]:
    """The conversations of each file in order of time, with their spans."""
    rows = list(library.lists.order("conversations", Page()))
    spans: Spans = library.counts.spans(rows)
    records = library.lists.numbered("conversations", rows)
    found: dict[str, list[tuple[Conversation, int, int]]] = {}
    for at in sorted(range(len(rows)), key=spans.begins.__getitem__):
        record = records[rows[at]]
        assert isinstance(record, Conversation)
        path = Path(record.store, record.source).relative_to(CORPUS).as_posix()
        found.setdefault(path, []).append((record, spans.begins[at], spans.ends[at]))
    return found


@pytest.mark.parametrize("oracle", sessions(), ids=lambda oracle: oracle["path"][-48:])
def test_a_session_adds_up_to_independent_counts(
    oracle: dict[str, Any],
    timeline: dict[str, list[tuple[Conversation, int, int]]],
    library: Library,
) -> None:
    talks = [record for record, _, _ in timeline[oracle["path"]]]
    spent = [Tokens(**dict.fromkeys(NAMES, 0)), *(talk.tokens for talk in talks)]
    told = ("input_tokens", "output_tokens", "cache_read", "cache_creation")

    queued = list(typed_meanwhile(CORPUS / oracle["path"]))
    said = oracle["user_kinds"].get("prompt", 0)
    assert sum(talk.prompts for talk in talks) == said + len(queued)
    assert sum(talk.tools for talk in talks) == oracle["tool_uses"]
    assert sum(talk.tool_errors for talk in talks) == oracle["tool_errors"]
    assert sum(talk.compactions for talk in talks) == oracle["compactions"]
    assert [sum(getattr(one, name) for one in spent) for name in NAMES] == [
        oracle[name] for name in told
    ]
    rows = [row for talk in talks if (row := _row(library, talk)) is not None]
    closeups = library.counts.closeups(rows).values()
    assert sum(n for one in closeups for _, n in one.tools) <= oracle["tool_uses"]
    assert [
        sum(getattr(t, name) for one in closeups for t in (one.spent or {}).values())
        for name in NAMES
    ] == [oracle[name] for name in told]


@pytest.mark.parametrize("oracle", sessions(), ids=lambda oracle: oracle["path"][-48:])
def test_a_session_is_divided_at_pauses_over_an_hour(
    oracle: dict[str, Any], timeline: dict[str, list[tuple[Conversation, int, int]]]
) -> None:
    talks = timeline[oracle["path"]]
    expected = list(divided(CORPUS / oracle["path"]))

    assert all(later - ended > HOUR for (_, _, ended), (_, later, _) in pairwise(talks))
    assert [talk.entries for talk, _, _ in talks] == [len(one) for one in expected]
    whole = instant(oracle["first_ts"]), instant(oracle["last_ts"])
    for (_, begin, end), entries in zip(talks, expected, strict=True):
        assert whole[0] <= begin <= entries[0]
        assert entries[-1] <= end <= whole[1]


def _row(library: Library, talk: Conversation) -> int | None:
    return library.lists.number("conversations", talk.ref)


def divided(path: Path) -> Iterator[list[int]]:
    """The instants of each conversation's entries, by the rule as it is written."""
    instants: list[int] = []
    seen: set[str] = set()
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        for record in values(line):
            uuid = record.get("uuid")
            if uuid in seen or not is_entry(record):
                continue
            seen.add(uuid or "")
            instants.append(instant(record["timestamp"]))
    instants.sort()
    talk: list[int] = []
    for moment in instants:
        if talk and moment - talk[-1] > HOUR:
            yield talk
            talk = []
        talk.append(moment)
    if talk:
        yield talk


def typed_meanwhile(path: Path) -> Iterator[str]:
    """Prompts typed while the agent worked, which have no line of their own."""
    queue: list[str] = []
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        for record in values(line):
            match record.get("operation"):
                case "enqueue":
                    queue.append(record.get("content") or "")
                case "popAll":
                    queue.clear()
                case "dequeue" | "remove" as taken if queue:
                    text = queue.pop(0)
                    if taken == "remove" and not text.startswith(("{", "<")):
                        yield text
                case _:
                    pass


def instant(told: str) -> int:
    """A time, in microseconds since 1970."""
    return round(datetime.fromisoformat(told).timestamp() * 1000) * 1000


def values(line: str) -> Iterator[dict[str, Any]]:
    """The objects of a line, which may hold several."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(line.rstrip()):
        value, at = decoder.raw_decode(line, at)
        if isinstance(value, dict):
            yield value


def is_entry(record: dict[str, Any]) -> bool:
    """Whether the rules of ingestion keep a line."""
    message: dict[str, Any] = record.get("message") or {}
    role = record.get("type")
    if role not in {"user", "assistant"} or message.get("role") != role:
        return False
    if record.get("isSidechain"):
        return False
    content: str | list[dict[str, Any]] = message.get("content") or []
    blocks = [] if isinstance(content, str) else content
    if role == "user" and (
        record.get("isMeta") or any(b.get("type") == "tool_result" for b in blocks)
    ):
        return False
    texts = [b.get("text", "") for b in blocks if b.get("type") == "text"]
    text = content if isinstance(content, str) else "\n\n".join(texts)
    tools = role == "assistant" and any(b.get("type") == "tool_use" for b in blocks)
    return bool(text.strip()) or tools
