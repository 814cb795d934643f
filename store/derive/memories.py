"""The decay of memories, and the merging of claims into edges."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, cast

from store.findings import Json, MemoryFound, Side, Value

# Decay of memories, and a number that sorts them the same on every day.
#
# strength = importance × e^(−λ·days since the last access) × usage × weight
#
# λ is the same for all memories, so the part that does not depend on today,
# `ln(importance × usage × weight) + λ·(day of the last access)`, can be stored and
# indexed. It is called vigour here; strength and stage can be computed from it at any
# time.

LAMBDA = 0.03
"""Decay per day: half of a memory's strength is gone after ln 2 / λ ≈ 23 days."""

PINNED = 999.0
"""The strength of a pinned memory (in the vault)."""

UNUSED = 0.5
"""The usage factor of a memory that was never recalled."""

WEIGHTS = {
    "procedure": 1.4,
    "decision": 1.3,
    "insight": 1.25,
    "solution": 1.2,
    "code_pattern": 1.1,
    "configuration": 1.1,
    "fix": 1.0,
    "workflow": 1.0,
    "problem": 0.9,
    "error": 0.8,
    "general": 0.8,
}
"""How long each type of memory lasts; other types weigh 1."""

STAGES = (("active", 0.5), ("fading", 0.2), ("dormant", 0.05))
"""The stages and their minimum strengths; below the last is `archived`."""

MICROS_PER_DAY = 86_400_000_000

_LARGEST_EXPONENT = 700.0

_DECIMALS = 9
"""Further decimals are noise of the logarithm, which must not change a stage."""


def usage(access_count: int) -> float:
    """The factor by which recalls strengthen a memory."""
    return math.log2(access_count + 1) if access_count > 0 else UNUSED


def force(importance: float, access_count: int, kind: str | None) -> float:
    """The strength on the day of the last access, as a logarithm.

    A memory without importance has none.
    """
    product = importance * usage(access_count) * WEIGHTS.get(kind or "", 1.0)
    return math.log(product) if product > 0 else -math.inf


def vigour(
    importance: float, access_count: int, kind: str | None, last_access: int
) -> float:
    """The part of the strength that does not change with time, as a logarithm.

    `last_access` is in microseconds since 1970. A memory without importance sorts
    below all others.
    """
    days = last_access / MICROS_PER_DAY
    return force(importance, access_count, kind) + LAMBDA * days


def strength(
    vigour_of_memory: float, now: int, most: float = _LARGEST_EXPONENT
) -> float:
    """The decay score at `now` (microseconds since 1970).

    `most` is the memory's force: an access that is dated in the future makes it no
    stronger than one right now.
    """
    exponent = vigour_of_memory - LAMBDA * (now / MICROS_PER_DAY)
    return round(math.exp(min(exponent, most, _LARGEST_EXPONENT)), _DECIMALS)


def stage(score: float) -> str:
    """The stage of decay for a score."""
    return next((name for name, floor in STAGES if score >= floor), "archived")


Fading = tuple[int, int, float | None, float | str | None, int, str | None]
"""Whether a memory fades and is pinned, its vigour, importance, uses and type."""


def faded(now: int, cells: Fading) -> tuple[float | None, str | None]:
    """Strength and stage; null if nothing fades or no score is known.

    What is pinned has that stage in stores without decay, too.
    """
    fades, pinned, vigour, importance, uses, kind = cells
    if not fades:
        return None, "vault" if pinned else None
    if pinned:
        return PINNED, "vault"
    if vigour is None or not isinstance(importance, int | float):
        return None, None
    score = strength(vigour, now, force(importance, uses, kind))
    return score, stage(score)


def fades_in(now: int, cells: Fading) -> float | None:
    """The days until the next stage, without a recall; null for the last stage."""
    score, name = faded(now, cells)
    floor = dict(STAGES).get(name or "")
    if not score or floor is None:
        return None
    return round(math.log(score / floor) / LAMBDA, 1)


# Merge the claims of several files into one edge.
#
# A link between two memories is written in up to three places: its own edge file, the
# list of the start memory and the list of the end memory. Each is a claim. Claims with
# the same ends and type are about the same edge, unless edge files have different
# identifiers.

_TRUST = {side.value: rank for rank, side in enumerate(Side)}


class Word(NamedTuple):
    """What one side says about an edge, or all sides once merged.

    A tuple with plain strings, because a large store has a million of them.
    """

    sides: tuple[str, ...]
    """Where it is written, most trusted first."""
    edge_id: str | None
    """The edge's own identifier."""
    strength: float | None
    """The strength, 0…1."""
    context: str | None
    """The reason, in the writer's words."""
    created: str | None
    """When it was created, as written."""
    created_at: int | None
    """The same in microseconds since 1970."""
    start_title: str | None
    """The title of the start, as copied by the writer."""
    end_title: str | None
    """The title of the end, as copied by the writer."""
    source: int
    """The source of the claim; of several, the most trusted."""
    line: int | None
    """The line in the source."""


def agree(words: Iterable[Word]) -> list[Word]:
    """Merge the claims about one pair of ends and one type, in order."""
    ordered = sorted(words, key=_trust)
    if len(ordered) == 1:
        return ordered
    files = [[word] for word in ordered if word.sides[0] == Side.FILE]
    if not files:
        return [_merge(ordered)]
    named = {file[0].edge_id: file for file in reversed(files)}
    for word in ordered[len(files) :]:
        named.get(word.edge_id, files[0]).append(word)
    return [_merge(heard) for heard in files]


def _trust(word: Word) -> int:
    return _TRUST[word.sides[0]]


def _merge(words: Sequence[Word]) -> Word:
    """Take each fact from the most trusted claim that has it."""
    best = words[0]
    edge_id, strength, context = best.edge_id, best.strength, best.context
    dated, start_title, end_title = best, best.start_title, best.end_title
    for word in words[1:]:
        edge_id = edge_id or word.edge_id
        strength = word.strength if strength is None else strength
        context = context or word.context
        dated = word if dated.created is None else dated
        start_title = start_title or word.start_title
        end_title = end_title or word.end_title
    return Word(
        tuple(dict.fromkeys(word.sides[0] for word in words)),
        edge_id,
        strength,
        context,
        dated.created,
        dated.created_at,
        start_title,
        end_title,
        best.source,
        best.line,
    )


# What a rebuilt index would contain for a memory, according to its file.


def indexed(memory: MemoryFound, path: str) -> dict[str, Json]:
    """The memory's entry in a rebuilt index."""
    facts: dict[str, Json] = {
        "title": memory.title,
        "type": memory.type,
        "tags": cast("list[Json]", list(memory.tags)),
        "importance": memory.importance,
        "confidence": memory.confidence,
        "created": memory.created.text if memory.created else None,
        "updated": memory.updated.text if memory.updated else None,
        "path": path,
    }
    return {name: fact for name, fact in facts.items() if fact is not None}


def entry(memory: MemoryFound, path: str) -> Mapping[str, Value]:
    """The facts of the memory's `IndexEntry`; an index that differs is outdated."""
    return {name: _as_read(fact) for name, fact in indexed(memory, path).items()}


def _as_read(fact: Json) -> str:
    """A fact in the form that the reader of an index returns."""
    if isinstance(fact, list):
        return ", ".join(map(str, fact))
    return str(float(fact)) if isinstance(fact, int | float) else str(fact)
