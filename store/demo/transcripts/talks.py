"""What was said in each sitting, as the story has it."""

from typing import Any

from msgspec import Struct, field

from store.demo.days import Days
from store.demo.source import Source


class Turn(Struct, frozen=True, kw_only=True):
    """A question and what came of it."""

    ask: str | None = None
    """What was asked; the first turn answers the sitting's own prompt."""
    thought: str | None = None
    tool: str | None = None
    input: dict[str, Any] = field(default_factory=dict[str, Any])
    output: str = ""
    error: bool = False
    reply: str | None = None
    agent: str | None = None
    """What a sub-agent was asked."""
    agent_tool: str = "Grep"
    agent_input: dict[str, Any] = field(default_factory=dict[str, Any])
    agent_output: str = ""
    agent_reply: str = ""
    compaction: bool = False
    """Whether what was said before was compacted first."""
    interrupted: bool = False
    """Whether the answer was stopped."""


def read_talks(days: Days) -> dict[str, list[Turn]]:
    """The turns of each sitting, by its key."""
    table = (Source.story(days) / "talks.toml").table()
    return {key: [Turn(**turn) for turn in turns] for key, turns in table.items()}
