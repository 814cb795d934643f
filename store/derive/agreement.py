"""One edge out of what several files say about it.

A link between two memories is written in up to three places: its own edge file, the
list of the memory it starts at, and the list of the memory it leads to. Each is a
claim; claims with the same ends and type speak of the same edge, unless edge files
with identifiers of their own tell them apart.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from store.findings import Side

_TRUST = {side.value: rank for rank, side in enumerate(Side)}


class Word(NamedTuple):
    """What one side says of an edge, or all sides together once they agreed.

    A tuple, and its sides plain strings, because a large store has a million of them.
    """

    sides: tuple[str, ...]
    """Where it is written, most trusted first."""
    edge_id: str | None
    """The edge's own identifier."""
    strength: float | None
    """How strong, 0…1."""
    context: str | None
    """Why, in the writer's words."""
    created: str | None
    """When it was made, as written."""
    created_at: int | None
    """The same in microseconds since 1970."""
    start_title: str | None
    """The start's title, as the writer copied it."""
    end_title: str | None
    """The end's title, as the writer copied it."""
    source: int
    """The source that says it; of several, the most trusted."""
    line: int | None
    """The line in it."""


def agree(words: Iterable[Word]) -> list[Word]:
    """Put the words about one pair of ends and one type together, in their order."""
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
    """Take each fact from the most trusted word that has it."""
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
