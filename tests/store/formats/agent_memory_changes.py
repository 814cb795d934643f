"""Changes of agent-memory stores: drafted, applied, and read again strictly."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from store.edits.draft import AppendStep, Changeable, Draft
from store.edits.engine import Engine
from store.findings import MemoryFound, Value
from store.formats.agent_memory.format import FORMAT
from store.formats.port import Refused, Source
from store.kinds.memories import Memory
from store.kinds.pages import Document
from store.kinds.problems import Problem
from store.machine import Places
from store.records.intents import Intent, Set
from store.times import parse
from tests.store.formats.agent_memory_stores import NOON, lines, scanned, write
from tests.store.formats.unknown import Unknown

NOW = parse(NOON).micros or 0

CORE = "core_memories.jsonl"
LEARNINGS = "learnings.jsonl"
TASKS = "tasks.jsonl"
PUT_AWAY = "archive/2026/learnings_2026_Q1.jsonl"
"""Where a learning goes that is put away when the stores are looked at."""

Rows = list[dict[str, Any]]


def places(root: Path) -> Places:
    beside = root.parent / f"{root.name}-own"
    return Places(beside / "cache", beside / "state", beside / "config")


def memories(root: Path) -> list[Memory]:
    """The memories as the format reads them now."""
    found: list[Memory] = []
    with FORMAT.open(root) as store:
        sources = [one for one in store.scan() if isinstance(one, Source)]
        for source in sorted(sources, key=lambda one: one.path.startswith("archive/")):
            found += [
                record(root, source.path, one) for one in store.read(source).memories
            ]
    return found


def record(root: Path, path: str, found: MemoryFound) -> Memory:
    return Memory(
        ref=f"memory:{found.id}",
        store=str(root),
        format="agent-memory",
        id=found.id,
        type=found.type,
        title=found.title,
        description=None,
        tags=found.tags,
        importance=found.importance,
        confidence=None,
        created=found.created.iso if found.created else None,
        updated=found.updated.iso if found.updated else None,
        accessed=found.accessed.iso if found.accessed else None,
        access_count=found.access_count,
        strength=None,
        stage=None,
        pinned=False,
        archived=found.archived,
        path=path,
        line=found.line,
        links_in=0,
        links_out=0,
        problems=(),
    )


def named(root: Path, *numbers: int) -> list[Memory]:
    """The memories with these numbers in their ids."""
    wanted = [f"{number:08x}" for number in numbers]
    everything = memories(root)
    return [
        next(one for one in everything if (one.id or "").startswith(beginning))
        for beginning in wanted
    ]


def problems(root: Path, *codes: str) -> list[Problem]:
    """The problems that the format finds, as in the catalogue."""
    found: list[Problem] = []
    with FORMAT.open(root) as store:
        for one in store.scan():
            told = (one.flaw,) if isinstance(one, Refused) else store.read(one).flaws
            found += [
                Problem(
                    code=flaw.code,
                    severity=flaw.severity,
                    store=str(root),
                    ref=None,
                    path=one.path,
                    line=flaw.line,
                    message=flaw.message,
                    fix=None,
                )
                for flaw in told
                if flaw.code in codes
            ]
    return found


def backup_document(root: Path, path: str) -> Document:
    return Document(
        ref="document:1",
        store=str(root),
        title=path,
        path=path,
        category="backup",
        text_bytes=0,
        role="document",
    )


def drafted(
    root: Path, intent: Intent, records: Sequence[Changeable] = (), now: int = NOW
) -> Draft:
    with FORMAT.scribe(root) as scribe:
        return scribe.draft(intent, records, Unknown(), now)


def changed(
    root: Path, intent: Intent, records: Sequence[Changeable] = (), now: int = NOW
) -> Draft:
    """Draft a change and apply it if it changes anything."""
    draft = drafted(root, intent, records, now)
    if not draft.steps:
        return draft
    with Engine(places(root), lambda: now) as engine:
        engine.apply(root, draft)
    return draft


def set_to(
    root: Path, number: int, name: str, value: Value | None, *, adds: bool = False
) -> Draft:
    intent = Set(name=name, value=value, adds=adds)
    return changed(root, intent, named(root, number))


def steps(draft: Draft) -> dict[str, str]:
    """The effect of a draft on each file."""
    words = {(True, False): "made", (False, False): "changed", (False, True): "gone"}
    return {
        step.path: "changed"
        if isinstance(step, AppendStep)
        else words[step.before is None, step.after is None]
        for step in draft.steps
    }


def undone(root: Path) -> None:
    with Engine(places(root), lambda: NOW) as engine:
        engine.undo()


def rows(root: Path, path: str) -> Rows:
    """Every line of a file as strict JSON."""
    raw = (root / path).read_bytes()
    assert raw == b"" or raw.endswith(b"\n")
    return [json.loads(line) for line in raw.decode().split("\n")[:-1]]


def tree(root: Path) -> Mapping[str, bytes]:
    """Every file of a store, without locks."""
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in sorted(root.rglob("*"))
        if file.is_file() and file.name != ".lock"
    }


def index_agrees(root: Path) -> bool:
    """Whether the index equals a rebuilt one."""
    with FORMAT.open(root) as store:
        (anew,) = store.rebuild("index")
    return json.loads(anew.after) == json.loads((root / "index.json").read_bytes())


def make(root: Path, *things: Any, path: str = "core_memories.jsonl") -> Path:  # noqa: ANN401 - any lines
    write(root, path, lines(*things))
    assert scanned(root)
    return root
