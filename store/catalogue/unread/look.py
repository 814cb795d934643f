"""The look: newest first, a file's bytes, and what may be meant by way of its format.

It ends when its time is up, however much is left; the sync goes on meanwhile, and what
both come to is told once.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from typing import NamedTuple

from store.catalogue.moved import Moved, what_moved
from store.catalogue.unread.aside import Aside
from store.catalogue.unread.deadline import Deadline
from store.catalogue.unread.raw import may_hold
from store.catalogue.unread.sieve import Sieve
from store.catalogue.unread.unread import Sought, Unread
from store.catalogue.writer import Writer
from store.discover import Found
from store.errors import UnreadableError
from store.files.beneath import Root
from store.formats.port import Source
from store.search.language.tree import Node

LARGE = 32 * 1024 * 1024
"""What has more bytes to be read is left to the sync: even where it comes in pieces,
one line may be as long as all of it."""


class Waiting(NamedTuple):
    """A source that is not read yet, and the store that it is of."""

    source: Source
    moved: Moved

    @property
    def is_large(self) -> bool:
        """Whether what is not read of it is more than a look can take."""
        return self.source.stamp.size - self.moved.since(self.source).offset > LARGE


def moves_of(connection: sqlite3.Connection, stores: Sequence[Found]) -> list[Moved]:
    """What a sync would do for each store, were it to begin now."""
    writer = Writer(connection)
    return [what_moved(found, writer) for found in stores]


def look(moves: Sequence[Moved], sought: Sought, gap: int, seconds: float) -> Unread:
    """Look through what is not read yet for what a query asks for.

    For a list of everything nothing is looked through, nor for what only all files
    together can tell; how much is not read is told for these as well.
    """
    waiting = [Waiting(source, moved) for moved in moves for source in moved.changed]
    waiting.sort(key=lambda one: -one.source.stamp.mtime_ns)
    with ExitStack() as kept_open:
        aside = kept_open.enter_context(Aside(gap))
        looked = 0
        if sought.can_be_told:
            looked = _look_through(waiting, sought.tree, aside, seconds)
        kept_open.pop_all()
    return Unread(
        sought=sought,
        aside=aside,
        files=sum(moved.files for moved in moves),
        unread=len(waiting),
        is_settled=all(moved.still for moved in moves),
        looked=looked,
    )


def _look_through(
    waiting: Sequence[Waiting], tree: Node, aside: Aside, seconds: float
) -> int:
    """Look through as much as there is time for; returns how many files that is."""
    sieve, deadline = Sieve(tree), Deadline.after(seconds)
    looked = 0
    for one, may_be in _sifted(waiting, sieve, deadline):
        if may_be:
            looked += aside.read(one.moved, one.source, deadline)
        elif may_be is not None:
            looked += 1
    aside.settle()
    return looked


def _sifted(
    waiting: Sequence[Waiting], sieve: Sieve, deadline: Deadline
) -> Iterator[tuple[Waiting, bool | None]]:
    """Each source, as long as there is time, and whether it may be what is meant."""
    for path, several in groupby(waiting, key=lambda one: one.moved.found.path):
        with ExitStack() as open_things:
            try:
                root = open_things.enter_context(Root(path))
            except UnreadableError:
                root = None
            for one in several:
                if deadline.is_over:
                    return
                if not one.is_large:
                    yield one, _may_be(root, one, sieve, deadline)


def _may_be(
    root: Root | None, one: Waiting, sieve: Sieve, deadline: Deadline
) -> bool | None:
    """Whether a source may be what is meant; one that lies elsewhere always may."""
    source, since = one.source, one.moved.since(one.source)
    if root is None or sieve.lets_through(()):
        return True
    try:
        with root.opened(source.path) as file:
            return may_hold(file, since.offset, source.path, sieve, deadline)
    except UnreadableError:
        return True
