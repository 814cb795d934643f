"""What can only be told once every file is read: not asked of some of them."""

from collections.abc import Mapping

from store.search.language.leaves import leaves
from store.search.language.tree import Compared, Named, Node

KINDS = frozenset({"edges", "problems"})
"""The kinds of which one file tells a part at most."""

_FIELDS = frozenset(
    {
        "access_count",
        "accessed",
        "edge",
        "links",
        "links_in",
        "links_out",
        "parent",
        "problems",
        "stage",
        "strength",
    }
)
"""The fields that several files decide."""

_STATES: Mapping[str, frozenset[str]] = {
    "is": frozenset(
        {
            "active",
            "broken",
            "dormant",
            "duplicate",
            "fading",
            "onesided",
            "orphan",
            "subagent",
        }
    ),
    "has": frozenset({"edges", "memory", "parent", "problems"}),
}
"""What several files decide that a record is or has."""


def needs_every_file(tree: Node) -> bool:
    """Whether some of the files cannot tell what a query finds in them."""
    return any(_needs(leaf) for leaf, _ in leaves(tree))


def _needs(leaf: Node) -> bool:
    match leaf:
        case Compared(name):
            return name in _FIELDS
        case Named(name, values):
            return name in _FIELDS or not _STATES.get(name, frozenset()).isdisjoint(
                values
            )
        case _:
            return False
