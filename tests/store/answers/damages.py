"""Stores of each format, and the damage that can be done to them."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from store.formats.agent_memory.format import FORMAT as AGENT_MEMORY
from store.formats.cognitive.format import FORMAT as COGNITIVE
from store.formats.notes.format import FORMAT as NOTES
from store.formats.pages.format import FORMAT as PAGES
from store.formats.port import Format
from tests.store.formats.agent_memory_stores import (
    DOCUMENT,
    NOON,
    lines,
    own_id,
    task,
    thing,
)
from tests.store.formats.agent_memory_stores import make_small_store as make_memories
from tests.store.formats.agent_memory_stores import write as write_private
from tests.store.formats.cognitive_changes import made as make_graph
from tests.store.formats.cognitive_stores import (
    DEPLOY,
    DEPLOY_PATH,
    DROPS,
    DROPS_PATH,
    EDGE,
    EDGE_PATH,
    TIMEOUTS,
    TIMEOUTS_PATH,
    memory_text,
    write,
)
from tests.store.formats.notes_changes import generated, kept
from tests.store.formats.pages_stores import vault

Damage = Callable[[Path], None]
"""Spoils something in a store; does nothing where that is not there any more."""

GONE = "99999999-0000-4000-8000-000000000000"
INDEX, STATE = "_index.json", "_state.json"
CORE, LEARNINGS, TASKS = "core_memories.jsonl", "learnings.jsonl", "tasks.jsonl"


def replaced(path: str, old: str, new: str) -> Damage:
    """Replace the first occurrence of a text."""

    def damage(root: Path) -> None:
        file = root / path
        if file.exists():
            file.write_bytes(file.read_bytes().replace(old.encode(), new.encode(), 1))

    return damage


def appended(path: str, raw: bytes) -> Damage:
    def damage(root: Path) -> None:
        with (root / path).open("ab") as file:
            file.write(raw)

    return damage


def written(path: str, raw: bytes | str) -> Damage:
    def damage(root: Path) -> None:
        write(root, path, raw)

    return damage


def moved(path: str, to: str) -> Damage:
    def damage(root: Path) -> None:
        if (root / path).exists():
            write(root, to, (root / path).read_bytes())
            (root / path).unlink()

    return damage


def removed(path: str) -> Damage:
    return lambda root: (root / path).unlink(missing_ok=True)


def private(path: str, raw: bytes | str) -> Damage:
    """Write a private file."""

    def damage(root: Path) -> None:
        write_private(root, path, raw)

    return damage


def closed(path: str, mode: int) -> Damage:
    """Give a file or folder another mode."""
    return lambda root: (root / path).chmod(mode)


def in_json(path: str, change: Callable[[Any], object]) -> Damage:
    """Change the content of a JSON file."""

    def damage(root: Path) -> None:
        try:
            data = json.loads((root / path).read_bytes())
            change(data)
        except (ValueError, LookupError, AttributeError, OSError):
            return
        (root / path).write_text(json.dumps(data, indent=2), encoding="utf-8")

    return damage


def _relations(path: str) -> Damage:
    """Remove the relations of a memory, or the text after them."""

    def damage(root: Path) -> None:
        text = (root / path).read_text("utf-8") if (root / path).exists() else ""
        if "relations:" in text and "---\n\n" in text:
            start, end = text.index("relations:"), text.index("---\n\n")
            (root / path).write_text(text[:start] + text[end:], "utf-8")

    return damage


def _twice(path: str) -> Damage:
    def damage(root: Path) -> None:
        text = (root / path).read_text("utf-8") if (root / path).exists() else ""
        if "  - target" in text and "---\n\n" in text:
            start, end = text.index("  - target"), text.index("---\n\n")
            (root / path).write_text(text[:end] + text[start:], "utf-8")

    return damage


IN_GRAPHS: Mapping[str, Damage] = {
    "one side": _relations(DROPS_PATH),
    "the other side": _relations(TIMEOUTS_PATH),
    "a relation twice": _twice(DROPS_PATH),
    "a target that is gone": replaced(
        TIMEOUTS_PATH, f"target: {DROPS}", f"target: {GONE}"
    ),
    "an end that is gone": replaced(EDGE_PATH, f"to_id: {DROPS}", f"to_id: {GONE}"),
    "an old title": replaced(EDGE_PATH, "Redis connection drops", "Redis drops"),
    "another title": replaced(DROPS_PATH, 'title: "Redis', 'title: "The Redis'),
    "no edge file": removed(EDGE_PATH),
    "an edge of another name": moved(EDGE_PATH, EDGE_PATH.replace("SOLVES", "CAUSES")),
    "an edge of another type": replaced(EDGE_PATH, "type: SOLVES", "type: CAUSES"),
    "another id": replaced(DROPS_PATH, f"id: {DROPS}", f"id: {DEPLOY}"),
    "a copy": written("graph/solutions/zz-a1b2c3.md", memory_text()),
    "a copy of a copy": written(
        "graph/fixes/aa-a1b2c3.md", memory_text(kind="fix", title="Again")
    ),
    "no id": replaced(DROPS_PATH, f"id: {DROPS}\n", ""),
    "no type": replaced(DROPS_PATH, "type: problem\n", ""),
    "another folder": moved(TIMEOUTS_PATH, TIMEOUTS_PATH.replace("solutions", "fixes")),
    "a colon": replaced(
        DROPS_PATH, 'title: "Redis connection drops"', "title: Redis: x"
    ),
    "quotes within": replaced(
        TIMEOUTS_PATH, "Fixed Redis connection", 'Fixed "Redis" connection'
    ),
    "an open quote": replaced(
        DEPLOY_PATH, 'Deploy to production"', "Deploy to production"
    ),
    "a hash": replaced(
        DROPS_PATH, 'title: "Redis connection drops"', "title: Redis # 1"
    ),
    "brackets": replaced(DROPS_PATH, "tags: [redis", "tags: [[redis"),
    "a title with a bracket": replaced(DEPLOY_PATH, "Deploy to", "Deploy [all] to"),
    "a torn log": appended("episodes/2025-12-13.md", b"\0\0\0"),
    "a torn memory": appended(DROPS_PATH, b"\0\0"),
    "no ignore": removed(".gitignore"),
    "a part of ignore": written(".gitignore", "*.tmp\n_state.json"),
    "no index": removed(INDEX),
    "half an index": written(INDEX, '{"version": 2, "entries": {'),
    "an old entry": in_json(
        INDEX, lambda data: data["entries"][DEPLOY].update(title="Old", tags=["a"])
    ),
    "an entry less": in_json(INDEX, lambda data: data["entries"].pop(TIMEOUTS)),
    "an entry of nothing": in_json(
        INDEX, lambda data: data["entries"].update({GONE: data["entries"][DROPS]})
    ),
    "no edge in the index": in_json(INDEX, lambda data: data["edges"].pop(EDGE)),
    "another count": in_json(INDEX, lambda data: data.update(count=9)),
    "state of nothing": replaced(STATE, TIMEOUTS, GONE),
    "half a state": written(STATE, "{"),
    "a bad score": in_json(
        STATE, lambda data: data["entries"][TIMEOUTS].update(decay_score="high")
    ),
    "a lost link": replaced("CORE.md", TIMEOUTS_PATH, "graph/fixes/gone.md"),
    "another lost link": replaced("REFLECTION.md", DROPS_PATH, "graph/fixes/gone.md"),
}

IN_MEMORIES: Mapping[str, Damage] = {
    "a copy": appended(CORE, lines(thing(1, content="Newer.", updated_at=NOON))),
    "a copy elsewhere": appended(LEARNINGS, lines(thing(5, "learning"))),
    "no fields": appended(CORE, lines({"id": own_id(21), "content": "Bare."})),
    "no id": appended(CORE, lines({"content": "Nobody's.", "type": "core"})),
    "no zone": appended(CORE, lines(thing(22, created_at="2026-01-01T00:00:00"))),
    "bad tags": appended(LEARNINGS, lines(thing(23, "learning", tags="a, b"))),
    "a bad count": appended(LEARNINGS, lines(thing(24, "learning", access_count="5"))),
    "a bad importance": appended(CORE, lines(thing(25, importance="urgent"))),
    "a bad type": appended(CORE, lines(thing(26, "idea"))),
    "another type": appended(CORE, lines(thing(27, "learning"))),
    "a task without a status": appended(
        TASKS, lines(b"", thing(28, "task", task_metadata=...))
    ),
    "a task that is done": appended(TASKS, lines(b"", task(29, "completed"))),
    "a stray date": appended(
        TASKS, lines(b"", task(30, "blocked", blockers=["x"], completed_at=NOON))
    ),
    "half a line": appended(CORE, lines(thing(2))[:90] + b"\n"),
    "half a line of an archived one": appended(
        LEARNINGS, lines(thing(5, "learning"))[:70] + b"\n"
    ),
    "a line of nobody": appended(LEARNINGS, b'{"id": "x", "conte\n'),
    "a line of nothing": appended(CORE, b"nonsense\n"),
    "zeros": replaced(CORE, "{", "\0\0{"),
    "two on a line": lambda root: _glue(root / CORE),
    "garbage": written(LEARNINGS, b"\xff\xfe garbage\n{\n"),
    "garbage with a backup": written(CORE, b"\0\0\0\0"),
    "half a document": private("zoe.json", json.dumps(DOCUMENT)[:-300]),
    "its backup": private("zoe.json.backup", json.dumps(DOCUMENT)),
    "a damaged backup": private(".backup/zoe.json.backup.20260228_100000", "{"),
    "a document": private(
        "yan.json",
        json.dumps(DOCUMENT | {"learnings": [thing(31, "learning", tags="x")]}),
    ),
    "no index": removed("index.json"),
    "half an index": written("index.json", "{"),
    "a bad part": in_json("index.json", lambda data: data.update(tags_index=[])),
    "a bad count in it": in_json(
        "index.json", lambda data: data["statistics"].update(total_memories="4")
    ),
    "an old version": in_json("index.json", lambda data: data.update(version="0.9")),
    "a later version": in_json("index.json", lambda data: data.update(version="9.0")),
    "an entry less": in_json(
        "index.json", lambda data: data["importance_index"]["medium"].pop()
    ),
    "an entry of nothing": in_json(
        "index.json", lambda data: data["tags_index"].update(old=[own_id(9)])
    ),
    "another importance": in_json(
        "index.json", lambda data: data["importance_index"]["low"].append(own_id(1))
    ),
    "an open folder": closed("", 0o755),
    "an open file": closed(CORE, 0o644),
    "a low limit": private(
        ".memory-config.json", '{"max_core_memories": 1, "max_learnings": 1}'
    ),
}


def _glue(file: Path) -> None:
    first, _, rest = file.read_bytes().partition(b"}\n")
    file.write_bytes(first + b"}" + rest)


NOTE = "---\nname: {}\ndescription: {}\ntype: user\n---\n\nText.\n"

IN_NOTES: Mapping[str, Damage] = {
    "a colon": written("style.md", NOTE.format("Style", "Letters: NYC")),
    "quotes within": written("quotes.md", NOTE.format('"The "best" of it"', "x")),
    "an open quote": written("open.md", NOTE.format('"Open', "x: y")),
    "a hash": written("hash.md", NOTE.format("Hash", "Number # 1")),
    "brackets": written("brackets.md", NOTE.format("[[x", "y")),
    "no type": written("untyped.md", "---\nname: A\ndescription: b\n---\n\nText.\n"),
    "not listed": written("more.md", NOTE.format("More", "and more")),
    "a folder": written("deep/down.md", NOTE.format("Down", "deep: down")),
    "put away": written("archive/old.md", NOTE.format("Old", "old: x")),
    "no index": removed("MEMORY.md"),
    "a lost line": appended("MEMORY.md", b"- [Gone](gone.md) - It is gone\n"),
    "a lost link": appended("MEMORY.md", b"\nSee [this](gone.md), [that](lost.md).\n"),
    "lost twice": appended("MEMORY.md", b"* [A](gone.md) and [B](gone.md)\n"),
    "not UTF-8": appended("MEMORY.md", b"\xe9t\xe9\n"),
}


IN_PAGES: Mapping[str, Damage] = {
    "a colon": written("style.md", "---\ntitle: Letters: NYC\n---\n\nText.\n"),
    "a hash": written("deep/hash.md", "---\ntitle: Number # 1\n---\nText.\n"),
    "an open quote": written("open.md", '---\ntitle: "Open\n---\nText.\n'),
    "an open header": written("header.md", "---\ntitle: A: b\n\nText.\n"),
    "a link to nothing": appended("Billing service.md", b"\n[[Gone]], [x](no.md)\n"),
    "not UTF-8": appended("people/Zoe.md", b"\xe9t\xe9\n"),
}


def graph(root: Path) -> Path:
    return make_graph(root)


def memories(root: Path) -> Path:
    root.mkdir(mode=0o700)
    make_memories(root)
    return root


def notes(root: Path) -> Path:
    return kept(root / ".claude" / "memory")


def loop(root: Path) -> Path:
    return generated(root / ".memory")


STORES: Sequence[tuple[Format, Callable[[Path], Path], Mapping[str, Damage]]] = (
    (COGNITIVE, graph, IN_GRAPHS),
    (AGENT_MEMORY, memories, IN_MEMORIES),
    (NOTES, notes, IN_NOTES),
    (NOTES, loop, IN_NOTES),
    (PAGES, vault, IN_PAGES),
)
