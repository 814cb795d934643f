"""The facts below a title, in one line or in three."""

import time

import pytest

from store.derive.conversations import Tokens
from store.derive.statistics import Closeup
from tests.widgets.timeline.made import a_conversation
from widgets.sheet import text_of
from widgets.timeline import fact_lines

TOOLS = Closeup((("Edit", 14), ("Bash", 9), ("Read", 1)))


def told(lines: int, closeup: Closeup = TOOLS, **fields: object) -> list[str]:
    conversation = a_conversation(**fields)
    return [text_of(line) for line in fact_lines(conversation, closeup, "$1.20", lines)]


def test_more_lines_show_more_facts() -> None:
    assert told(1) == ["kiln · main · 12 tools · 87k tokens · $1.20 · claude-opus-4-6"]
    assert told(2) == ["kiln · main · 87k tokens", "Edit ×14 · Bash ×9 · Read"]
    assert told(3) == [
        "kiln · main",
        "Edit ×14 · Bash ×9 · Read",
        "87k tokens · $1.20 · claude-opus-4-6",
    ]


def test_an_active_conversation_says_when_it_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    (line,) = told(1, ready_at="2026-02-20T02:35:00Z")
    assert line.startswith("active until 02:35 · kiln · main · ")


def test_tools_are_counted_until_their_names_are_known() -> None:
    assert told(3, Closeup(), tools=1)[1] == "1 tool"
    assert told(3, Closeup(), tool_errors=2)[1] == "12 tools · ✗ 2 failed"


def test_only_the_most_used_tools_are_named() -> None:
    many = Closeup(tuple((f"T{number}", 1) for number in range(9)))

    assert told(3, many)[1] == "T0 · T1 · T2 · T3 · T4 · T5 · 3 more"


def test_empty_facts_are_left_out() -> None:
    free = Tokens(input=0, output=0, cache_read=0, cache_creation=0)

    assert told(1, project=None, branch=None, tools=0, tokens=free, models=()) == [
        "$1.20"
    ]
