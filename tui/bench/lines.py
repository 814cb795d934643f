"""What the table of a memory server promises, in a store of its own format."""

import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from uuid import UUID

from store.library import Page
from store.records.intents import Create, Delete, Set
from tui.bench.changing import make, writable
from tui.bench.floors import once, usual
from tui.bench.measure import Measure
from tui.bench.words import WORDS

_FILES = {
    "core": "core_memories.jsonl",
    "learning": "learnings.jsonl",
    "task": "tasks.jsonl",
}
_TIMES = 5
_FEWEST = 24
"""So many are there to be changed and deleted, whatever was asked for."""

_APPEND, _UPDATE, _DELETE = 0.005, 0.1, 0.1
"""Seconds that the server promises, of a thousand memories."""

_FLOOR = "writing that file once, durably"


def measure_lines(store: Path, catalogue: Path, memories: int) -> Iterator[Measure]:
    """Add, change and delete memories of a store that holds so many."""
    memories = max(memories, _FEWEST)
    made = make_lines(store, memories)
    with writable(store, catalogue) as library:
        library.sync()
        page = library.page("memories", Page(limit=2 * _TIMES + 1))
        first, *rest = [str(memory.ref) for memory in page]
        do = partial(make, library, store)
        do(Set(name="category", value="first"), first)  # what is loaded at first
        floor = usual([once(partial(_write, made)) for _ in range(_TIMES)])
        for word, intent, names, bound in (
            ("add", Create(title="One more"), [None] * _TIMES, _APPEND),
            ("change", Set(name="category", value="other"), rest[:_TIMES], _UPDATE),
            ("delete", Delete(), rest[_TIMES:], _DELETE),
        ):
            times = [once(partial(do, intent, name)) for name in names]
            yield Measure(
                name=f"{word} one of {memories} lines, with backup and journal",
                value=usual(times),
                unit="s",
                floor=_FLOOR,
                floor_value=floor,
                bound=bound,
            )


def make_lines(folder: Path, memories: int) -> Path:
    """Write a server's store with so many memories; its largest file."""
    random = Random(20_260_102)  # noqa: S311  # reproducible, nothing secret
    folder.mkdir(parents=True)
    limits = dict.fromkeys(("max_core_memories", "max_learnings", "max_tasks"), 10**9)
    settings = {**limits, "enable_auto_archival": False}
    (folder / ".memory-config.json").write_text(json.dumps(settings), "utf-8")
    for kind, name in _FILES.items():
        lines = (_line(random, kind) for _ in range(memories // len(_FILES)))
        (folder / name).write_text("".join(lines), encoding="utf-8")
    for path in (*folder.iterdir(), folder):
        path.chmod(0o700 if path == folder else 0o600)
    return folder / _FILES["learning"]


def _line(random: Random, kind: str) -> str:
    words = random.choices(WORDS, k=40)
    moment = f"2026-01-{random.randint(1, 28):02}T10:00:00Z"
    thing: dict[str, object] = {
        "id": str(UUID(int=random.getrandbits(128), version=4)),
        "type": kind,
        "content": " ".join(words),
        "category": words[0],
        "created_at": moment,
        "updated_at": moment,
        "accessed_at": moment,
        "access_count": random.randint(0, 9),
        "tags": words[1:4],
        "importance": random.choice(["high", "medium", "low"]),
        "archived": False,
    }
    if kind == "task":
        thing["task_metadata"] = {"status": "in-progress"}
    return json.dumps(thing, separators=(",", ":")) + "\n"


def _write(path: Path) -> None:
    """Read a file, and write it beside itself."""
    raw = path.read_bytes()
    new = path.with_suffix(".tmp")
    with new.open("wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    new.unlink()
