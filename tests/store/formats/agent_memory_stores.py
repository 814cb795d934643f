"""Agent-memory stores on disk, and the format's findings in them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from store.files.beneath import Root
from store.findings import Findings, Flaw, Json
from store.formats.agent_memory.format import FORMAT
from store.formats.port import Rebuilt, Refused, Source
from store.times import parse

Thing = dict[str, Any]

NOON = "2026-03-01T12:00:00Z"
"""When the stores are looked at."""

EARLIER = "2026-02-20T10:00:00Z"


def own_id(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def thing(number: int, kind: str = "core", **fields: Any) -> Thing:  # noqa: ANN401 - any value of JSON
    """A valid memory; a field that is None is left out."""
    whole: Thing = {
        "id": own_id(number),
        "type": kind,
        "content": f"Memory {number}.",
        "category": "fact",
        "created_at": EARLIER,
        "updated_at": EARLIER,
        "accessed_at": EARLIER,
        "access_count": number,
        "tags": ["python", "testing"],
        "importance": "medium",
        "archived": False,
    }
    if kind == "task":
        whole["task_metadata"] = {"status": "in-progress"}
    return {key: value for key, value in (whole | fields).items() if value is not ...}


def task(number: int, status: str = "in-progress", **more: Any) -> Thing:  # noqa: ANN401 - any value of JSON
    """A task; other arguments go into its metadata."""
    return thing(number, "task", task_metadata={"status": status, **more})


def lines(*things: Json | Thing | bytes) -> bytes:
    """A file of lines; bytes are used unchanged."""
    raw = (
        one
        if isinstance(one, bytes)
        else json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode()
        for one in things
    )
    return b"\n".join(raw) + b"\n"


def write(root: Path, path: str, content: bytes | str) -> Path:
    """Write a private file in private folders."""
    file = root / path
    for folder in reversed(file.relative_to(root).parents):
        (root / folder).mkdir(mode=0o700, exist_ok=True)
    root.chmod(0o700)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    file.chmod(0o600)
    return file


def scanned(root: Path) -> dict[str, Source | Refused]:
    with FORMAT.open(root) as store:
        return {found.path: found for found in store.scan()}


def refusals(root: Path) -> dict[str, Flaw]:
    return {p: one.flaw for p, one in scanned(root).items() if isinstance(one, Refused)}


def read(root: Path, path: str, content: bytes | str | None = None) -> Findings:
    """The findings in one file, written first if its content is given."""
    if content is not None:
        write(root, path, content)
    source = scanned(root)[path]
    assert isinstance(source, Source)
    with FORMAT.open(root) as store:
        return store.read(source)


def flaws(findings: Findings) -> list[tuple[str, int | None]]:
    return [(flaw.code, flaw.line) for flaw in findings.flaws]


def ask(
    root: Path, question: str, *words: str, now: str = NOON
) -> list[Mapping[str, Json]]:
    micros = parse(now).micros
    assert micros is not None
    with FORMAT.open(root) as store:
        return list(store.ask(question, words, micros))


def titles(rows: list[Mapping[str, Json]]) -> list[Json]:
    return [row["title"] for row in rows]


def rebuilt(root: Path) -> Rebuilt:
    with FORMAT.open(root) as store:
        (one,) = store.rebuild("index")
    return one


def sniffs(folder: Path) -> bool:
    with Root(folder) as root:
        return FORMAT.sniff(root)


INDEX: Thing = {
    "version": "1.0.0",
    "last_updated": "2026-02-21T00:00:00Z",
    "statistics": {
        "total_memories": 4,
        "by_type": {"core": 2, "learning": 1, "task": 1},
        "archived_count": 1,
        "total_storage_bytes": 0,
    },
    "tags_index": {
        tag: [own_id(1), own_id(2), own_id(3), own_id(4)]
        for tag in ("python", "testing")
    },
    "category_index": {"fact": [own_id(1), own_id(2), own_id(3), own_id(4)]},
    "importance_index": {
        "high": [own_id(2)],
        "medium": [own_id(1), own_id(3), own_id(4)],
        "low": [],
    },
}

DOCUMENT: Thing = {
    "core_memories": [thing(11)],
    "learnings": [thing(12, "learning")],
    "tasks": [thing(13, "task", task_metadata=..., category="completed")],
    "metadata": {"created_at": EARLIER, "updated_at": EARLIER},
}


def make_small_store(root: Path) -> dict[str, int]:
    """A healthy store with one of everything; returns its counts."""
    for path, content in {
        "core_memories.jsonl": lines(thing(1), thing(2, importance="high")),
        "learnings.jsonl": lines(thing(3, "learning")),
        "tasks.jsonl": lines(task(4)).rstrip(b"\n"),
        "archive/2025/learnings_2025_Q4.jsonl": lines(
            thing(5, "learning", archived=True)
        ),
        ".backup/core_memories.jsonl.backup.20260101_100000": lines(thing(1)),
        ".memory-config.json": '{"max_core_memories": 100}',
    }.items():
        write(root, path, content)
    index = json.loads(json.dumps(INDEX))
    size = sum(file.stat().st_size for file in root.rglob("*.jsonl"))
    index["statistics"]["total_storage_bytes"] = size
    write(root, "index.json", json.dumps(index, indent=2))
    return {"memories": 5, "documents": 3, "index": 9}
