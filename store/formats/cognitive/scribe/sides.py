"""A memory's own list of relations: found, put in, taken out, changed."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from store.files.frontmatter.entries import with_entry, without_entry
from store.files.frontmatter.header import Header
from store.files.frontmatter.nodes import Sequence, value_of
from store.files.frontmatter.wording import Form, Told
from store.findings import Side, Value
from store.formats.cognitive.relations import KEY
from store.formats.cognitive.scribe.fields import ORDER, form_of
from store.formats.cognitive.vocabulary import NULLS, id_key, is_uuid

OUT, IN = Side.OUTGOING, Side.INCOMING


class Relation(NamedTuple):
    """An entry of the list, as far as it tells an edge."""

    place: int
    """Where in the list it stands."""
    target: str
    """The key of the memory that it names."""
    type: str
    side: Side
    edge_id: str | None
    told: Mapping[str, Value]

    @property
    def about(self) -> tuple[str, str, Side]:
        """What no two relations of one memory need share."""
        return self.target, self.type, self.side


Wanted = Callable[[Relation], bool]


def relations_of(header: Header) -> list[Relation]:
    """The entries that name a target, in order."""
    node = header.root.get(KEY)
    items = node.items if isinstance(node, Sequence) else ()
    read = (_read(index, value_of(item)) for index, item in enumerate(items))
    return [relation for relation in read if relation]


def with_relation(
    header: Header,
    target: str,
    kind: str,
    side: Side,
    facts: Mapping[str, str | None],
) -> Header:
    """The header with a relation more; `facts` are strength, context and edge_id."""
    entry = [
        Told("target", target, identifying(target)),
        Told("type", kind),
        Told("direction", side.value),
    ]
    for key, value in facts.items():
        if value is not None:
            form = identifying(value) if key == "edge_id" else form_of(key)
            entry.append(Told(key, value, form))
    return with_entry(header, KEY, entry, ORDER)


def without_relations(header: Header, wanted: Wanted) -> Header:
    """The header without some relations."""
    for relation in reversed(relations_of(header)):
        if wanted(relation):
            header = without_entry(header, KEY, relation.place)
    return header


def identifying(text: str) -> Form:
    """How an identifier is written: plainly, where nothing can mistake it."""
    return Form.AS_IS if is_uuid(text) else Form.AS_NEEDED


def _read(index: int, value: Value) -> Relation | None:
    if not isinstance(value, Mapping):
        return None
    target = _text(value, "target")
    if target is None:
        return None
    direction = (_text(value, "direction") or "").strip().lower()
    return Relation(
        index,
        id_key(target),
        _text(value, "type") or "RELATED_TO",
        IN if direction == IN.value else OUT,
        _text(value, "edge_id"),
        value,
    )


def _text(told: Mapping[str, Value], key: str) -> str | None:
    value = told.get(key)
    return value if isinstance(value, str) and value not in NULLS else None
