"""The contract of every format, for agent-memory."""

from collections.abc import Mapping
from pathlib import Path

from store.formats.agent_memory.format import FORMAT
from store.formats.port import Format
from tests.store.formats.agent_memory_stores import (
    lines,
    make_small_store,
    thing,
    write,
)
from tests.store.formats.contract import Damage, FormatContract


def torn_line(store: Path) -> str:
    write(store, "tasks.jsonl", lines(thing(4, "task"))[:40])
    return "tasks.jsonl"


def not_utf8(store: Path) -> str:
    raw = lines(thing(1, content="Café.")).replace("é".encode(), b"\xe9")
    write(store, "core_memories.jsonl", raw)
    return "core_memories.jsonl"


def zeros(store: Path) -> str:
    write(store, "learnings.jsonl", lines(thing(3, "learning")) + b"\0" * 500)
    return "learnings.jsonl"


def index_cut_short(store: Path) -> str:
    write(store, "index.json", '{"version": "1.0.0", "statistics": {')
    return "index.json"


def settings_of_another_kind(store: Path) -> str:
    write(store, ".memory-config.json", "[1, 2]")
    return ".memory-config.json"


def stranger(store: Path) -> str:
    write(store, "paulo-memory.json", '{"facts": []}')
    return "paulo-memory.json"


class TestAgentMemory(FormatContract):
    trap = "archive/2026/tasks_2026_Q1.jsonl"
    damages: Mapping[str, Damage] = {
        "a torn line": torn_line,
        "not UTF-8": not_utf8,
        "zeros": zeros,
        "an index cut short": index_cut_short,
        "settings of another kind": settings_of_another_kind,
        "a file of somebody else": stranger,
    }

    @property
    def format(self) -> Format:
        return FORMAT

    def make(self, folder: Path) -> Mapping[str, int]:
        return make_small_store(folder)
