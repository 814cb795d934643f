"""At which places what was meant is listed."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from tui.bench.finding.items import Finder
from tui.bench.finding.queries import Query

LOOKED_AT = 10
"""So many of what is listed are looked at."""


class Score(Struct, frozen=True, kw_only=True):
    """How well a way of searching answers queries of one kind."""

    way: str
    """The way in which the queries were made."""
    finder: str
    """The way of searching."""
    queries: int
    """How many there were."""
    reciprocal_rank: float
    """The mean of one through the place at which it stood, 0 where it did not."""
    recall: float
    """The part of the queries for which it was among the first."""


def measure(name: str, finder: Finder, queries: Iterable[Query]) -> Iterator[Score]:
    """How well a finder does, way by way."""
    for way, made in groupby(queries, key=lambda query: query.way):
        places = [_place(finder, query) for query in made]
        yield Score(
            way=way,
            finder=name,
            queries=len(places),
            reciprocal_rank=sum(1 / place for place in places if place) / len(places),
            recall=sum(place > 0 for place in places) / len(places),
        )


def _place(finder: Finder, query: Query) -> int:
    """The place of what was meant, from 1; 0 where it is not listed."""
    listed = list(finder(query.text, LOOKED_AT))[:LOOKED_AT]
    return listed.index(query.ref) + 1 if query.ref in listed else 0
