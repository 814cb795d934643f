"""The sections of the journals: a kind of record each, perhaps narrowed by a word.

What narrows is a part of the query that anybody can see and change: whoever types
`kind:claim` is in the section of claims.
"""

from msgspec import Struct

from store.search.language.editing import toggled
from store.search.language.parsing import parse
from store.search.language.tree import All, Named, Node, Value


class Section(Struct, frozen=True):
    """One section."""

    name: str
    """What it is called."""
    kind: str
    """The kind of record that it lists."""
    field: str = ""
    """What narrows it, where anything does."""
    value: str = ""
    in_time: bool = False
    """Whether its chart begins with how long all took."""


SECTIONS = (
    Section("all", "measures"),
    Section("tasks", "measures", "kind", "task", in_time=True),
    Section("sessions", "measures", "kind", "session", in_time=True),
    Section("claims", "measures", "kind", "claim"),
    Section("events", "events"),
    Section("errors", "events", "is", "error"),
    Section("agents", "agents"),
    Section("tools", "measures", "kind", "toolstats"),
)
"""In the order in which one turns from each to the next."""

KINDS = tuple(dict.fromkeys(section.kind for section in SECTIONS))
"""The kinds of record that journals hold."""

BY_NAME = {section.name: section for section in SECTIONS}


def section_of(kind: str, tree: Node) -> Section:
    """The section that a query is in."""
    terms = tree.terms if isinstance(tree, All) else (tree,)
    named = {(one.name, one.values) for one in terms if isinstance(one, Named)}
    of_kind = [section for section in SECTIONS if section.kind == kind]
    narrow = (
        one for one in of_kind if one.field and (one.field, (one.value,)) in named
    )
    return next(narrow, next(one for one in of_kind if not one.field))


def turned(text: str, kind: str, section: Section) -> str:
    """The query for another section: what narrowed it goes, what narrows that comes."""
    for field, value in _narrowing(text, kind):
        text = toggled(text, [kind], field, value)
    if section.field:
        text = toggled(text, [section.kind], section.field, section.value)
    return text


def _narrowing(text: str, kind: str) -> list[tuple[str, Value]]:
    """What of a query is about sections."""
    fields = {one.field for one in SECTIONS if one.kind == kind and one.field}
    known = {(one.field, one.value) for one in SECTIONS}
    tree = parse(text, [kind]).tree
    terms = tree.terms if isinstance(tree, All) else (tree,)
    named = (one for one in terms if isinstance(one, Named) and one.name in fields)
    each = ((one.name, value) for one in named for value in one.values)
    return [(name, value) for name, value in each if (name, value) in known]
