"""One edge out of what several files say about it.

A link between two memories is written in up to three places: its own edge file, the
list of the memory it starts at, and the list of the memory it leads to. Each is a
claim; claims with the same ends and type speak of the same edge, unless edge files
with identifiers of their own tell them apart.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from store.findings import Side

_TRUST = {side: rank for rank, side in enumerate(Side)}


@dataclass(frozen=True, slots=True)
class Word:
    """A claim whose ends were looked up, as the catalogue holds it."""

    side: Side
    edge_id: str | None
    strength: float | None
    context: str | None
    created: str | None
    created_at: int | None
    start_title: str | None
    end_title: str | None
    source: int
    line: int | None


@dataclass(frozen=True, slots=True)
class Agreed:
    """An edge, each fact taken from the side that knows it best."""

    edge_id: str | None
    strength: float | None
    context: str | None
    created: str | None
    created_at: int | None
    start_title: str | None
    end_title: str | None
    source: int
    line: int | None
    sides: tuple[Side, ...]


def agree(words: Iterable[Word]) -> list[Agreed]:
    """Put the words about one pair of ends and one type together."""
    ordered = sorted(words, key=lambda word: _TRUST[word.side])
    files = [[word] for word in ordered if word.side is Side.FILE]
    if not files:
        return [_merge(ordered)]
    named = {file[0].edge_id: file for file in reversed(files)}
    for word in ordered[len(files) :]:
        named.get(word.edge_id, files[0]).append(word)
    return [_merge(heard) for heard in files]


def _merge(words: Sequence[Word]) -> Agreed:
    """Take each fact from the most trusted word that has it."""
    best = words[0]
    if len(words) == 1:
        return Agreed(
            best.edge_id,
            best.strength,
            best.context,
            best.created,
            best.created_at,
            best.start_title,
            best.end_title,
            best.source,
            best.line,
            (best.side,),
        )
    dated = next((word for word in words if word.created is not None), best)
    return Agreed(
        next((word.edge_id for word in words if word.edge_id), None),
        next((word.strength for word in words if word.strength is not None), None),
        next((word.context for word in words if word.context), None),
        dated.created,
        dated.created_at,
        next((word.start_title for word in words if word.start_title), None),
        next((word.end_title for word in words if word.end_title), None),
        best.source,
        best.line,
        tuple(dict.fromkeys(word.side for word in words)),
    )
