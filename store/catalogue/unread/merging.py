"""Two answers to one query made one: from the catalogue, and from what is not in it.

What both tell of is told once, as it is in the files now.
"""

from collections.abc import Iterator
from heapq import merge
from itertools import islice
from typing import NamedTuple

from store.catalogue.conditions.condition import Condition
from store.catalogue.finding.search import Best
from store.catalogue.reader import Page, Reader
from store.catalogue.rows.cells import Cell
from store.catalogue.views import Record, View

_Key = tuple[bool, int, Cell]
"""Whether it is blank, what it is, and it: so that all can be compared."""


class Part(NamedTuple):
    """Where one of the answers comes from."""

    reader: Reader
    condition: Condition
    """What a row must meet there."""


class _Placed(NamedTuple):
    """A record, and what its place in the list goes by."""

    key: _Key
    record: Record


def merged_best(best: Best, fresh: Best) -> Best:
    """The hits of both, best first; nothing that is only similar beside what is not."""
    if _worth(best) != _worth(fresh):
        return max(best, fresh, key=_worth)
    refs = {hit.record.ref for hit in fresh.hits}
    kept = [hit for hit in best.hits if hit.record.ref not in refs]
    doubles = len(best.hits) - len(kept)
    return best._replace(
        hits=list(merge(kept, fresh.hits, key=lambda hit: -hit.score)),
        total=best.total + fresh.total - doubles,
        is_more=best.is_more or fresh.is_more,
    )


def _worth(best: Best) -> int:
    """Nothing was found, or what is similar, or what holds the words."""
    return (1 if best.is_similar else 2) if best.total else 0


def merged_page(
    view: View[Record], page: Page, now: int, catalogue: Part, aside: Part
) -> Iterator[Record]:
    """The records of both, in the order that the page asks for."""
    end = None if page.limit is None else page.offset + page.limit
    fresh = list(_placed(view, page, now, aside, end))
    refs = {one.record.ref for one in fresh}
    enough = None if end is None else end + len(fresh)
    known = _placed(view, page, now, catalogue, enough)
    kept = (one for one in known if one.record.ref not in refs)
    both = merge(kept, fresh, key=lambda one: one.key, reverse=_is_down(view, page))
    return (one.record for one in islice(both, page.offset, end))


def _placed(
    view: View[Record], page: Page, now: int, part: Part, limit: int | None
) -> Iterator[_Placed]:
    """The first records of one part, in order."""
    reader, condition = part
    column, is_down = view.sorts[_sort(view, page)], _is_down(view, page)
    rows = reader.ask(
        f"SELECT {column} AS sort_key, {view.columns} FROM {view.table} {view.joins} "
        f"WHERE {view.shown} AND {condition.sql} AND {reader.within('stores.id')} "
        f"{view.order(page.sort, reverse=page.reverse)} LIMIT ?",
        (*condition.values, *reader.stores_seen, -1 if limit is None else limit),
    )
    for row in rows:
        key = _key(row["sort_key"], is_down=is_down)
        yield _Placed(key, view.make(row, now))


def _sort(view: View[Record], page: Page) -> str:
    return page.sort or next(iter(view.sorts))


def _is_down(view: View[Record], page: Page) -> bool:
    """Whether the list begins with the largest."""
    return (_sort(view, page) in view.largest_first) is not page.reverse


def _key(cell: Cell, *, is_down: bool) -> _Key:
    """What a cell is held against others by, as SQLite does it; blanks come last."""
    is_late = (cell is None) is not is_down
    match cell:
        case str():
            return (is_late, 1, cell.lower())
        case bytes():
            return (is_late, 2, cell)
        case _:
            return (is_late, 0, cell or 0)
