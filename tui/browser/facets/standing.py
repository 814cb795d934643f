"""What of the facets a query asks for: the two are one state, seen from two sides."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from store.search.language import values
from store.search.language.fields import fields_of
from store.search.language.parsing import parse
from store.search.language.printing import written
from store.search.language.tree import EVERYTHING, All, Named, Node, Not, Value


class Stand(StrEnum):
    """How a query stands to something."""

    OPEN = "open"
    ASKED = "asked"
    EXCLUDED = "excluded"


class Standing:
    """How a query stands to values of fields, and to other queries."""

    def __init__(self, text: str, kind: str) -> None:
        self._kind = kind
        self._terms = _terms(parse(text, [kind]).tree)
        self.values: dict[tuple[str, Value], tuple[Stand, Value]] = {}
        """How it stands to each value that it names, and how that is spelt."""
        for term in self._terms:
            named = term.term if isinstance(term, Not) else term
            stand = Stand.EXCLUDED if isinstance(term, Not) else Stand.ASKED
            if isinstance(named, Named):
                for value in named.values:
                    self.values[named.name, _folded(value)] = stand, value

    def to_value(self, field: str, text: str) -> Stand:
        """How it stands to a value of a field."""
        fields = [f for f in fields_of(frozenset({self._kind})) if f.name == field]
        value = next(iter(values.read(text, fields)), text)
        return self.values.get((field, _folded(value)), (Stand.OPEN, value))[0]

    def named(self, field: str) -> Iterator[str]:
        """The values of a field that it names, as they are typed."""
        for (name, _), (_, value) in self.values.items():
            if name == field:
                yield value if isinstance(value, str) else values.written(value)

    def to_query(self, text: str) -> Stand:
        """How it stands to another query."""
        if all(term in self._terms for term in wanted(text, self._kind)):
            return Stand.ASKED
        negated = wanted(text, self._kind, is_negated=True)
        return Stand.EXCLUDED if negated[0] in self._terms else Stand.OPEN


def toggled_query(text: str, kind: str, query: str, *, is_negated: bool) -> str:
    """The text with another query's terms asked for besides, or no more if they were.

    What was asked for the other way round is turned over.
    """
    other = wanted(query, kind, is_negated=not is_negated)
    mine = wanted(query, kind, is_negated=is_negated)
    terms = _terms(parse(text, [kind]).tree)
    if all(term in terms for term in other):
        text = _without(text, kind, other)
        terms = _terms(parse(text, [kind]).tree)
    if all(term in terms for term in mine):
        return _without(text, kind, mine)
    missing = tuple(term for term in mine if term not in terms)
    longer = f"{text} {written(_all(missing))}".lstrip()
    return _if_said(longer, kind, (*terms, *missing))


def wanted(query: str, kind: str, *, is_negated: bool = False) -> tuple[Node, ...]:
    """The terms that ask for a query, or for what it does not find."""
    tree = parse(query, [kind], is_finished=True).tree
    return (Not(tree),) if is_negated else _terms(tree)


def _without(text: str, kind: str, terms: Sequence[Node]) -> str:
    """The text without some terms, all else as it was typed."""
    found = _terms(parse(text, [kind]).tree)
    shorter = text
    for term in reversed(found):
        if term in terms:
            before, behind = shorter[: term.span.start], shorter[term.span.end :]
            shorter = f"{before.rstrip()} {behind.lstrip()}".strip()
    return _if_said(shorter, kind, tuple(one for one in found if one not in terms))


def _if_said(text: str, kind: str, terms: tuple[Node, ...]) -> str:
    """The text if it is understood as some terms; else they are written anew."""
    if _terms(parse(text, [kind]).tree) == terms:
        return text
    return written(_all(terms)) if terms else ""


def _terms(tree: Node) -> tuple[Node, ...]:
    """What must all hold."""
    if tree == EVERYTHING:
        return ()
    return tree.terms if isinstance(tree, All) else (tree,)


def _all(terms: Sequence[Node]) -> Node:
    return terms[0] if len(terms) == 1 else All(tuple(terms))


def _folded(value: Value) -> Value:
    return value.casefold() if isinstance(value, str) else value
