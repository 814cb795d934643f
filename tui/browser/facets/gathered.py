"""What the pane of facets tells, gathered away from the screen."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from store.library import Library
from store.search.language.parsing import parse
from store.search.language.tree import EVERYTHING, All, Node

QUEUES: Mapping[str, Sequence[tuple[str, str]]] = {
    "memories": (
        ("orphans", "is:orphan"),
        ("one-sided links", "is:onesided"),
        ("duplicates", "is:duplicate"),
        ("fading, important", "stage:fading importance>=.7"),
    ),
    "edges": (
        ("one-sided", "is:onesided"),
        ("broken", "is:broken"),
    ),
    "conversations": (("with errors", "has:errors"),),
    "events": (("errors", "is:error"),),
}
"""What is worth going through in each kind of record, as queries by name."""


class Counted(Struct, frozen=True):
    """A query by name, and how many of the result it finds."""

    name: str
    query: str
    count: int


class Gathered(Struct, frozen=True):
    """What a result is made of."""

    kind: str = "memories"
    total: int = 0
    """How many records the result has."""
    shares: Mapping[str, Sequence[tuple[str, int]]] = field(
        default_factory=dict[str, Sequence[tuple[str, int]]]
    )
    """How many of them have each value, by the field."""
    queues: tuple[Counted, ...] = ()
    """What is worth going through."""
    saved: tuple[Counted, ...] = ()
    """The saved queries that can be asked about this kind."""


def gather(
    library: Library, kind: str, tree: Node, saved: Mapping[str, str]
) -> Gathered:
    """Count what the records are that a query finds."""
    return Gathered(
        kind,
        library.count(kind, tree),
        library.facets(kind, tree),
        tuple(_counted(library, kind, tree, QUEUES.get(kind, ()))),
        tuple(_counted(library, kind, tree, saved.items())),
    )


def counts_of(
    library: Library, kind: str, queries: Mapping[str, str]
) -> dict[str, int]:
    """How many records of a kind each query finds, by its name."""
    counted = _counted(library, kind, EVERYTHING, queries.items())
    return {one.name: one.count for one in counted}


def _counted(
    library: Library, kind: str, tree: Node, queries: Iterable[tuple[str, str]]
) -> Iterable[Counted]:
    """How many of a result each query finds; what is about other kinds is left out."""
    for name, text in queries:
        query = parse(text, [kind], is_finished=True)
        if not query.complaints and query.tree != EVERYTHING:
            yield Counted(name, text, library.count(kind, All((tree, query.tree))))
