"""Which lines of the files that a change writes are other than the catalogue knows."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from store.catalogue.holding import Lines, Place, is_known
from store.derive.exchange import Exchange, count_lines, exchanged
from store.edits.draft import AppendStep, FileStep, Step
from store.errors import UnreadableError
from store.files.beneath import Root
from store.planning import Planned

_BLOCK = 1 << 20


class Exchanges(Struct, frozen=True):
    """What a change exchanges."""

    by_place: Mapping[Place, Exchange]

    def of_store(self, root: Path) -> dict[str, Exchange]:
        """In the files of one store."""
        return {
            path: one for (place, path), one in self.by_place.items() if place == root
        }

    def lines(self, place: Place, *, is_done: bool) -> Lines | None:
        """The lines of a file that go or, where it `is_done`, came; None of all."""
        one = self.by_place.get(place)
        if one is None:
            return None
        return one.first, one.first + (one.came if is_done else one.gone)


def exchanges(connection: sqlite3.Connection, planned: Planned) -> Exchanges:
    """What a change exchanges, as far as the catalogue knows the files as they are.

    To be asked before the change is made: it is refused if a file is another by then.
    """
    return Exchanges(dict(_exchanges(connection, planned)))


def _exchanges(
    connection: sqlite3.Connection, planned: Planned
) -> Iterator[tuple[Place, Exchange]]:
    for step, place in zip(planned.draft.steps, planned.places, strict=True):
        exchange = _exchange(step, place)
        if exchange and is_known(connection, place):
            yield place, exchange


def _exchange(step: Step, place: Place) -> Exchange | None:
    """The lines that a step exchanges, where it is about some alone."""
    if isinstance(step, AppendStep):
        return _added(place, step)
    if not isinstance(step, FileStep) or step.remake is not None:
        return None
    if step.before is None or step.after is None:
        return None
    return exchanged(step.before, step.after)


def _added(place: Place, step: AppendStep) -> Exchange | None:
    """Lines behind the last; None where that lacks its newline."""
    end = step.end
    if end.tail and not end.tail.endswith(b"\n"):
        return None
    try:
        number = sum(piece.count(b"\n") for piece in _pieces(place, end.size))
    except UnreadableError:
        return None
    came = count_lines(step.lines)
    return Exchange(number + 1, end.size, 0, came, end.size + len(step.lines))


def _pieces(place: Place, size: int) -> Iterable[bytes]:
    """A file up to a size, a piece at a time; raises UnreadableError."""
    root, path = place
    with Root(root) as opened, opened.opened(path) as file:
        for start in range(0, size, _BLOCK):
            yield file.at(start, min(_BLOCK, size - start))
