"""The shortest way between two memories, and by which link each of them is met."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from store.library import Library
from store.records.link import Link
from store.records.memory import Memory

_ENDS = 2

_BY = "edge"


class Step(Struct, frozen=True):
    """A memory on the way."""

    memory: Memory
    link: Link | None = None
    """The link that leads here, as the memory before has it; none where it begins."""


def way_between(library: Library, rows: Sequence[int]) -> Sequence[Step]:
    """The way between two rows of memories; nothing where there is none."""
    found = library.numbered("memories", rows)
    refs = [record.ref for record in found.values() if record.ref]
    way = library.way(*refs) if len(refs) == _ENDS else []
    return [*map(Step, way[:1]), *_steps(library, way)]


def _steps(library: Library, way: Sequence[Memory]) -> Iterator[Step]:
    """Every memory but the first, with the strongest edge from the one before."""
    for before, memory in pairwise(way):
        links = [
            link
            for link in library.links(before.ref)
            if link.ref == memory.ref and link.by == _BY
        ]
        best = max(links, key=lambda link: link.strength or 0.0, default=None)
        yield Step(memory, best)
