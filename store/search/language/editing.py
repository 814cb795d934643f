"""Add a value of a field to the text of a query, or take it out again.

What a row of counts beside a list does when it is chosen. All that it is not about
stays as somebody typed it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from msgspec import Struct

from store.search.language import values
from store.search.language.fields import fields_of
from store.search.language.kinds import ALL
from store.search.language.parsing import parse
from store.search.language.printing import written
from store.search.language.tree import (
    EVERYTHING,
    All,
    Named,
    Node,
    Not,
    Span,
    Value,
)


def toggled(
    text: str,
    kinds: Iterable[str] | None,
    field: str,
    value: Value,
    *,
    negated: bool = False,
) -> str:
    """The text with a value asked for, or not any more where it was.

    Where it was asked for the other way round, it is turned over. A value joins others
    of its field: `type:fix` becomes `type:fix,solution`.
    """
    asked = None if kinds is None else frozenset(kinds)
    wanted = _understood(field, value, ALL if asked is None else asked)
    was_there = False
    for token in reversed(_tokens(text, asked, field)):
        rest = tuple(one for one in token.named.values if not _same(one, wanted))
        if rest != token.named.values:
            was_there |= token.is_negated is negated
            text = _without(text, asked, token, rest)
    if was_there:
        return text
    return _with(text, asked, Named(field, (wanted,)), negated=negated)


class _Token(Struct, frozen=True):
    """A field and its values, that must all by themselves hold or not hold."""

    index: int
    """Which of the terms it is."""
    span: Span
    """Where it is, with its sign."""
    named: Named
    """What it says."""
    is_negated: bool
    """Whether that must not hold."""

    def saying(self, alternatives: tuple[Value, ...]) -> Node:
        """The same with other values."""
        return _signed(
            replace(self.named, values=alternatives), negated=self.is_negated
        )


def _understood(field: str, value: Value, kinds: frozenset[str]) -> Value:
    """A value as it stands in a tree."""
    fields = [one for one in fields_of(kinds & ALL) if one.name == field]
    if isinstance(value, str):
        return next(iter(values.read(value, fields)), value)
    return value


def _same(one: Value, other: Value) -> bool:
    """Whether two values are equal, case aside."""
    if isinstance(one, str) and isinstance(other, str):
        return one.casefold() == other.casefold()
    return one == other


def _terms(tree: Node) -> tuple[Node, ...]:
    """What must all hold."""
    return tree.terms if isinstance(tree, All) else (tree,)


def _tokens(text: str, kinds: frozenset[str] | None, field: str) -> list[_Token]:
    """What a text asks of a field."""
    return list(_found(_terms(parse(text, kinds).tree), field))


def _found(terms: tuple[Node, ...], field: str) -> Iterator[_Token]:
    for index, term in enumerate(terms):
        named = term.term if isinstance(term, Not) else term
        if isinstance(named, Named) and named.name == field:
            yield _Token(index, term.span, named, isinstance(term, Not))


def _signed(named: Named, *, negated: bool) -> Node:
    return Not(named) if negated else named


def _without(
    text: str, kinds: frozenset[str] | None, token: _Token, rest: tuple[Value, ...]
) -> str:
    """The text with fewer values in a token, or without it."""
    before, behind = text[: token.span.start], text[token.span.end :]
    if rest:
        return before + written(token.saying(rest)) + behind
    if not behind.strip():
        return _ended(before.rstrip(), kinds)
    if before[-1:].strip():
        return before + " " * (not behind[0].isspace()) + behind
    return before + behind.removeprefix(behind[0] if behind[0].isspace() else "")


def _ended(text: str, kinds: frozenset[str] | None) -> str:
    """The text, with a space behind it where it would be taken for unfinished else."""
    spaced = f"{text} "
    return text if parse(text, kinds).tree == parse(spaced, kinds).tree else spaced


def _with(
    text: str, kinds: frozenset[str] | None, named: Named, *, negated: bool
) -> str:
    """The text with a value more: in a token that is there, behind all, or before it.

    Behind something unfinished it could be swallowed, so what comes of it is looked at;
    where it stands well nowhere, all is written anew.
    """
    tree = parse(text, kinds).tree
    terms = () if tree == EVERYTHING else _terms(tree)
    term = _signed(named, negated=negated)
    token = written(term)
    for one in _tokens(text, kinds, named.name):
        if one.is_negated is negated:
            grown = one.saying(one.named.values + named.values)
            longer = text[: one.span.start] + written(grown) + text[one.span.end :]
            if _says(
                longer, kinds, (*terms[: one.index], grown, *terms[one.index + 1 :])
            ):
                return longer
    behind = f"{text}{' ' if text[-1:].strip() else ''}{token}"
    if _says(behind, kinds, (*terms, term)):
        return behind
    before = f"{token} {text}"
    if _says(before, kinds, (term, *terms)):
        return before
    return written(All((term, *terms)))


def _says(text: str, kinds: frozenset[str] | None, terms: tuple[Node, ...]) -> bool:
    """Whether a text is understood as these terms."""
    return _terms(parse(text, kinds).tree) == terms
