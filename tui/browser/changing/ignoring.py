"""Problems that nobody wants to hear of any more, and those heard of again."""

from collections.abc import Iterable

from store.keeping.ignored import Ignored
from store.library import Record
from store.records.problem import Problem
from store.search.language.tree import All, Named, Node


def left_out(ignored: Iterable[Ignored]) -> tuple[Node, ...]:
    """What finds the problems that are ignored."""
    return tuple(
        All(
            (
                Named("code", (one.code,)),
                Named("path", (one.path,)),
                Named("store", (one.store,)),
            )
        )
        for one in sorted(ignored)
    )


def ignorable(records: Iterable[Record | None]) -> list[Ignored]:
    """What tells some problems from all others."""
    return [
        Ignored(one.store, one.code, one.path)
        for one in records
        if isinstance(one, Problem)
    ]
