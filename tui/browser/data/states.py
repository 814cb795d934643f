"""How a result stands: how many of each stage, type or status there are."""

from collections.abc import Mapping

from store.library import Library
from tui.browser.data.found import Found
from widgets.columns.types import GLYPHS

_FIELDS = {
    "memories": "stage",
    "edges": "type",
    "conversations": "status",
}
"""What records of a kind are told apart by at a glance."""


def states(library: Library, found: Found) -> Mapping[str, int]:
    """How many of what was found are in each state: stages in their order."""
    kind = found.wish.kind
    field = _FIELDS.get(kind)
    if field is None:
        return {}
    counts = dict(library.facets(kind, found.tree, {field}).get(field, ()))
    if field == "stage":
        return {stage: counts[stage] for stage in GLYPHS if stage in counts}
    return counts
