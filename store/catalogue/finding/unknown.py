"""Values that a query asks for and that no record has: mistyped, most likely."""

from collections.abc import Iterator, Sequence

from store.catalogue.finding.asked import Asked
from store.catalogue.finding.values import values
from store.catalogue.views import VIEWS
from store.search.language.complaints import unknown_value
from store.search.language.fields import field_of
from store.search.language.leaves import leaves
from store.search.language.query import Complaint
from store.search.language.tree import Named, Node


def unknown(asked: Asked, kinds: Sequence[str], tree: Node) -> Iterator[Complaint]:
    """What to say of each value that a field never has, where the stores choose it."""
    for leaf, is_negated in leaves(tree):
        if isinstance(leaf, Named) and not is_negated:
            yield from _unknown(asked, kinds, leaf)


def _unknown(asked: Asked, kinds: Sequence[str], leaf: Named) -> Iterator[Complaint]:
    """The values of one field that are unknown."""
    fields = {kind: field_of(leaf.name, kind) for kind in kinds}
    having = [kind for kind, field in fields.items() if field and not field.choices]
    chosen = {
        word for field in fields.values() if field for word in field.choices or ()
    }
    known = [value for value, _ in values(asked.reader, having, leaf.name)]
    for value in leaf.values if having and known else ():
        if not isinstance(value, str) or value in chosen:
            continue
        if not _is_there(asked, having, leaf.name, value):
            yield unknown_value(leaf.span, leaf.name, value, known)


def _is_there(asked: Asked, kinds: Sequence[str], field: str, value: str) -> bool:
    """Whether any record has a value."""
    leaf = Named(field, (value,))
    return any(
        asked.reader.count(VIEWS[kind], asked.condition(leaf, kind), 1)
        for kind in kinds
    )
