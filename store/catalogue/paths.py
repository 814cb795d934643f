"""The shortest way from one memory to another, along edges whichever way they point."""

import orjson

from store.catalogue.reader import Reader

_FARTHEST = 12
"""Steps after which two memories have nothing to do with one another."""

_ENDS = 2

_NEIGHBOURS = (
    'SELECT start, "end" FROM edges WHERE start IN (SELECT value FROM json_each(?1)) '
    'AND "end" IS NOT NULL UNION ALL '
    'SELECT "end", start FROM edges WHERE "end" IN (SELECT value FROM json_each(?1)) '
    "AND start IS NOT NULL"
)


def way(reader: Reader, *ends: int) -> list[int]:
    """The rows on the way, both ends included; nothing where there is none."""
    if len(ends) != _ENDS:
        return []
    begin, end = ends
    before: dict[int, int] = {begin: begin}
    edge = [begin]
    for _ in range(_FARTHEST):
        if end in before or not edge:
            break
        asked = (orjson.dumps(edge).decode(),)
        edge = list[int]()
        for here, there in reader.connection.execute(_NEIGHBOURS, asked):
            if there not in before:
                before[there] = here
                edge.append(there)
    return _back(before, begin, end) if end in before else []


def _back(before: dict[int, int], begin: int, end: int) -> list[int]:
    """The way, found backwards."""
    found = [end]
    while found[-1] != begin:
        found.append(before[found[-1]])
    return found[::-1]
