"""A large cognitive store, made the same on every machine."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import UUID

from tui.bench.words import WORDS

_TYPES = {
    "solution": "solutions",
    "fix": "fixes",
    "decision": "decisions",
    "configuration": "configurations",
    "problem": "problems",
    "workflow": "workflows",
    "code_pattern": "code-patterns",
    "error": "errors",
    "general": "general",
    "procedure": "procedures",
    "insight": "insights",
}

_LINKS = ("SOLVES", "CAUSES", "BUILDS_ON", "REQUIRES", "FOLLOWS", "RELATED_TO")

_EDGES_EACH = 2
"""Links that start at a memory; each is written on both sides."""

_FILES_PER = 2
"""Every how many-th link has an edge file of its own."""


def make_store(folder: Path, memories: int) -> int:
    """Write a store with so many memories and their edges; returns the files."""
    random = Random(20_260_101)  # noqa: S311  # reproducible, nothing secret
    ids = [str(UUID(int=random.getrandbits(128), version=4)) for _ in range(memories)]
    links = list(_links(random, memories))
    for name in (*_TYPES.values(), "edges"):
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
    kinds = list(_TYPES.items())
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
