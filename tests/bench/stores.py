"""Generated stores of memories, identical on every machine."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from random import Random
from uuid import UUID

from store.formats.cognitive.format import FOLDERS
from tests.store.formats.claudia_stores import CWD, Claudia, database

# The vocabulary of generated stores: few words are frequent, most are rare.

WORDS = [
    "redis",
    "timeout",
    "pool",
    "retry",
    "queue",
    "worker",
    "deploy",
    "cache",
    "index",
    "query",
    "schema",
    "migration",
    "token",
    "session",
    "cookie",
    "proxy",
    "header",
    "socket",
    "buffer",
    "parser",
    "lexer",
    "thread",
    "lock",
    "signal",
    "container",
    "image",
    "volume",
    "network",
    "certificate",
    "backup",
    "restore",
    "cluster",
    "shard",
    "replica",
]
"""The most frequent words."""

_RARE = 40_000
"""The number of other words."""

_SYLLABLES = [
    consonant + vowel + end
    for consonant in "bdfgklmnprstvz"
    for vowel in "aeiou"
    for end in ("", "n", "r", "s")
]


def _made() -> list[str]:
    """Invented words, in a fixed order."""
    random = Random(1)  # noqa: S311  # reproducible, not secret
    made = ("".join(random.choices(_SYLLABLES, k=3)) for _ in range(_RARE))
    return list(dict.fromkeys((*WORDS, *made)))


VOCABULARY = _made()
"""All words, the most frequent first."""

_OFTEN = list(accumulate(1 / (rank + 2) for rank in range(len(VOCABULARY))))
"""Cumulative frequencies: the second word is half as frequent as the first, the tenth a
tenth, as in natural text."""


def text(random: Random, words: int) -> str:
    """Random words, distributed by frequency."""
    return " ".join(random.choices(VOCABULARY, cum_weights=_OFTEN, k=words))


# A large cognitive store, identical on every machine.

_LINKS = ("SOLVES", "CAUSES", "BUILDS_ON", "REQUIRES", "FOLLOWS", "RELATED_TO")

_EDGES_EACH = 2
"""Links from each memory; each one is written on both sides."""

_FILES_PER = 2
"""One of this many links has its own edge file."""


def make_store(folder: Path, memories: int) -> int:
    """Write a store with memories and edges; returns the number of files."""
    random = Random(20_260_101)  # noqa: S311  # reproducible, not secret
    ids = [str(UUID(int=random.getrandbits(128), version=4)) for _ in range(memories)]
    links = list(_links(random, memories))
    for name in (*FOLDERS.values(), "edges"):
        (folder / "graph" / name).mkdir(parents=True, exist_ok=True)
    _write_memories(folder, random, ids, links)
    files = 0
    for number, (start, end, kind) in enumerate(links):
        if number % _FILES_PER == 0:
            _write_edge(folder, ids, (start, end, kind), number)
            files += 1
    return memories + files


def _links(random: Random, memories: int) -> Iterator[tuple[int, int, str]]:
    for start in range(memories):
        for end in random.sample(range(memories), min(_EDGES_EACH, memories)):
            yield start, end, random.choice(_LINKS)


def _write_memories(
    folder: Path, random: Random, ids: list[str], links: list[tuple[int, int, str]]
) -> None:
    relations: list[list[str]] = [[] for _ in ids]
    for start, end, kind in links:
        relations[start].append(_relation(ids[end], kind, "outgoing"))
        relations[end].append(_relation(ids[start], kind, "incoming"))
    kinds = list(FOLDERS.items())
    for number, own in enumerate(ids):
        kind, place = kinds[number % len(kinds)]
        words = random.sample(WORDS, 8)
        title = " ".join(words[:4]).capitalize()
        body = "\n\n".join(" ".join(random.choices(WORDS, k=60)) for _ in range(3))
        day = f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}T10:{number % 60:02}:00"
        text = (
            f'---\nid: {own}\ntype: {kind}\ntitle: "{title} {number}"\n'
            f"tags: [{', '.join(words[4:7])}]\n"
            f"importance: 0.{number % 9 + 1}\nconfidence: 0.8\n"
            f"created: {day}+00:00\nupdated: {day}+00:00\n"
            f"relations:\n{''.join(relations[number])}---\n\n{body}\n"
        )
        path = folder / "graph" / place / f"{'-'.join(words[:4])}-{own[:6]}.md"
        path.write_text(text, encoding="utf-8")


def _relation(target: str, kind: str, direction: str) -> str:
    return (
        f"  - target: {target}\n    type: {kind}\n    direction: {direction}\n"
        f'    strength: 0.7\n    context: "seen together in production"\n'
    )


def _write_edge(
    folder: Path, ids: list[str], link: tuple[int, int, str], number: int
) -> None:
    start, end, kind = link
    own = str(UUID(int=number + 1, version=4))
    text = (
        f"---\nid: {own}\ntype: {kind}\nfrom_id: {ids[start]}\nto_id: {ids[end]}\n"
        "strength: 0.7\ncreated: 2026-01-01T10:00:00+00:00\n"
        "updated: 2026-01-01T10:00:00+00:00\n---\n\nThe one led to the other.\n"
    )
    name = f"m{start}--{kind}--m{end}-{number:06x}.md"
    (folder / "graph" / "edges" / name).write_text(text, encoding="utf-8")


# A large store of a memory server.

_FILES = {
    "core": "core_memories.jsonl",
    "learning": "learnings.jsonl",
    "task": "tasks.jsonl",
}


def make_lines(folder: Path, memories: int) -> Path:
    """Write a server's store with memories; returns its largest file."""
    random = Random(20_260_102)  # noqa: S311  # reproducible, not secret
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


# A database of Claudia.

_TALK = 500
"""The entries of a conversation."""
_BEGIN = datetime(2026, 1, 5, 8, tzinfo=UTC)


def make_rows(folder: Path, rows: int) -> Path:
    """Write a database with that many entries of conversations; returns its file."""
    with database(folder) as made:
        add_rows(made, range(rows))
    return folder / "anima.db"


def add_rows(made: Claudia, numbers: range) -> None:
    """Add the entries with some numbers, one every five minutes."""
    made.connection.executemany(
        "INSERT INTO memory_transcript_entries "
        "(session_id, source_file, role, content, timestamp, cwd) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (
            (
                session := str(UUID(int=number // _TALK, version=4)),
                f"-home-zoe-src-kilnbook/{session}.jsonl",
                "assistant" if number % 2 else "user",
                text(Random(number), 30),  # noqa: S311  # reproducible, not secret
                f"{_BEGIN + timedelta(minutes=5 * number):%Y-%m-%dT%H:%M:%S.000Z}",
                CWD,
            )
            for number in numbers
        ),
    )
