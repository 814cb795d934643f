"""Edit the text of a query: print a tree, toggle a value, complete a word."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from store.kinds.field import Field, Type
from store.search import fields as values
from store.search import tree as patterns
from store.search.fields import fields_of, names
from store.search.parse import parse
from store.search.tree import (
    ALL,
    EVERYTHING,
    All,
    Compared,
    Either,
    Fuzzy,
    Kinds,
    Leaf,
    Named,
    Node,
    Not,
    Part,
    Pattern,
    Span,
    Start,
    Text,
    Value,
    What,
)
from store.text import fold, regex

# Print a query tree as text.
#
# Parsing the text yields the same tree again, whatever kinds the tree came from.

_PLAIN = regex(r"""[^\s|():<>="~^/!-][^\s|():<>="]*""")
"""A word that is read as a plain word wherever it occurs."""


def written(tree: Node) -> str:
    """The text of a tree."""
    if isinstance(tree, All):
        return " ".join(_term(term) for term in tree.terms)
    return _term(tree)


def _term(node: Node) -> str:
    """A term between spaces."""
    if isinstance(node, Either):
        return "|".join(_branch(term) for term in node.terms)
    return _branch(node)


def _branch(node: Node) -> str:
    """A term between `|`."""
    if isinstance(node, Not):
        inner = _grouped(node.term) if isinstance(node.term, Not) else None
        return f"-{inner or _branch(node.term)}"
    if isinstance(node, All | Either):
        return _grouped(node)
    return _leaf(node)


def _grouped(node: Node) -> str:
    return f"({written(node)})"


def _leaf(leaf: Leaf) -> str:
    """The text of a leaf."""
    match leaf:
        case Text(text):
            return _word(text)
        case Fuzzy(text):
            return f"~{_word(text)}"
        case Start(text):
            return f"^{_word(text)}"
        case Pattern(text):
            return patterns.escaped(text)
        case Named(name, alternatives):
            told = values.USUAL.get(name, name)
            return f"{told}:{','.join(map(values.written, alternatives))}"
        case Compared(name, operator, value):
            return f"{name}{operator}{values.written(value)}"


def _word(text: str) -> str:
    """A word, or a quoted phrase."""
    return text if _PLAIN.fullmatch(text) else values.quoted(text)


# Add a field value to the text of a query, or remove it.
#
# This is what choosing a row in the filters does. Everything else stays as the user
# typed it.


def toggled(
    text: str,
    kinds: Iterable[str] | None,
    field: str,
    value: Value,
    *,
    negated: bool = False,
) -> str:
    """The text with a value added, or removed if it was there.

    If the text has the value with the opposite sign, the sign is flipped. A value joins
    others of its field: `type:fix` becomes `type:fix,solution`.
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
    """A top-level term with a field and its values, possibly negated."""

    index: int
    """Its index among the terms."""
    span: Span
    """Its position, sign included."""
    named: Named
    """The field and its values."""
    is_negated: bool
    """Whether it is negated."""

    def saying(self, alternatives: tuple[Value, ...]) -> Node:
        """The same term with other values."""
        return _signed(
            replace(self.named, values=alternatives), negated=self.is_negated
        )


def _understood(field: str, value: Value, kinds: frozenset[str]) -> Value:
    """A value in the form it has in a tree."""
    fields = [one for one in fields_of(kinds & ALL) if one.name == field]
    if isinstance(value, str):
        return next(iter(values.read(value, fields)), value)
    return value


def _same(one: Value, other: Value) -> bool:
    """Whether two values are equal, ignoring case."""
    if isinstance(one, str) and isinstance(other, str):
        return one.casefold() == other.casefold()
    return one == other


def _terms(tree: Node) -> tuple[Node, ...]:
    """The terms that must all match."""
    return tree.terms if isinstance(tree, All) else (tree,)


def _tokens(text: str, kinds: frozenset[str] | None, field: str) -> list[_Token]:
    """The top-level terms of a text that are about a field."""
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
    """The text with fewer values in a term, or without the term."""
    before, behind = text[: token.span.start], text[token.span.end :]
    if rest:
        return before + written(token.saying(rest)) + behind
    if not behind.strip():
        return _ended(before.rstrip(), kinds)
    if before[-1:].strip():
        return before + " " * (not behind[0].isspace()) + behind
    return before + behind.removeprefix(behind[0] if behind[0].isspace() else "")


def _ended(text: str, kinds: frozenset[str] | None) -> str:
    """The text, with a space appended if it would count as unfinished without one."""
    spaced = f"{text} "
    return text if parse(text, kinds).tree == parse(spaced, kinds).tree else spaced


def _with(
    text: str, kinds: frozenset[str] | None, named: Named, *, negated: bool
) -> str:
    """The text with a value added: to an existing term, at the end, or at the start.

    An unfinished end could swallow the new term, so each result is parsed and checked.
    If none is right, the whole query is rewritten.
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
    """Whether a text is parsed as these terms."""
    return _terms(parse(text, kinds).tree) == terms


# Completions for a query that is being typed.

Asked = Callable[[str, str], Sequence[tuple[str, int]]]
"""Looks up the values of a field that start with a text.

Takes the field's full name and the text; returns each value with the number of records
that have it.
"""

_OPEN = frozenset({What.NEGATION, What.EITHER, What.GROUP})
"""Parts after which a field may follow immediately."""

_BEHIND = frozenset({What.VALUE, What.BAD, What.OPERATOR})
"""Parts that values consist of."""

_SIGNS = {
    Type.NUMBER: (">=", "<=", "="),
    Type.SECONDS: (">", "<"),
    Type.TIME: ("<", ">"),
}
"""Operators that may follow the name of a field that can be compared."""


class Completion(Struct, frozen=True):
    """A replacement for a range of the typed text."""

    span: Span
    """The range it replaces."""
    text: str
    """The replacement."""
    help: str
    """A short description."""
    count: int | None = None
    """How many records have this value, if known."""


def completions(
    text: str, cursor: int, kinds: Iterable[str] | None, asked: Asked
) -> Sequence[Completion]:
    """Completions at the cursor, in the order to offer them."""
    known = frozenset(ALL if kinds is None else kinds) & ALL or ALL
    parts = parse(text[:cursor], known).parts
    last = parts[-1] if parts else None
    if last is None or last.span.end < cursor:
        return list(_names(known, Span(cursor, cursor), ""))
    if last.what in _OPEN:
        is_closed = last.what is What.GROUP and text[cursor - 1] == ")"
        return [] if is_closed else list(_names(known, Span(cursor, cursor), ""))
    if last.what is What.WORD:
        return list(_names(known, last.span, text[last.span.start : cursor]))
    return _values(text[:cursor], parts, known, asked)


def _names(kinds: Kinds, span: Span, begun: str) -> Iterator[Completion]:
    """Fields that start with the typed text, with operators once a name is complete."""
    word = begun.casefold()
    seen: set[str] = set()
    for field in fields_of(kinds):
        called = (values.USUAL.get(field.name, field.name), *field.called)
        name = next((name for name in called if name.startswith(word)), None)
        if name is None or name in seen:
            continue
        seen.add(name)
        found = next((_SIGNS[kind] for kind in field.types if kind in _SIGNS), ())
        signs = (*found, ":")
        for sign in signs if name == word else signs[:1]:
            yield Completion(span, f"{name}{sign}", field.help)


def _values(
    text: str, parts: Sequence[Part], kinds: Kinds, asked: Asked
) -> Sequence[Completion]:
    """Values that may follow a field's name and operator."""
    count = 0
    while count < len(parts) and parts[-1 - count].what in _BEHIND:
        count += 1
    if not 0 < count < len(parts) or parts[-1 - count].what is not What.FIELD:
        return []
    name, last = parts[-1 - count].span, parts[-1]
    end = Span(len(text), len(text))
    span = end if last.what is What.OPERATOR else last.span
    begun = text[span.start : span.end].strip('"')
    word = text[name.start : name.end].casefold()
    found = names(word, fields_of(kinds))
    operator = parts[-count].span
    is_order = text[operator.start : operator.end] not in (":", "=")
    fields = [field for field in fields_of(kinds) if field.name in found]
    if is_order or len(found) != 1:
        return []
    return list(_offered(span, begun, fields, asked))


def _offered(
    span: Span, begun: str, fields: Sequence[Field], asked: Asked
) -> Iterator[Completion]:
    """The choices of a field, or else the values found in the stores."""
    counts = dict(asked(fields[0].name, begun))
    choices = dict.fromkeys(c for field in fields for c in field.choices or ())
    word = fold(begun)
    for value in choices or counts:
        if fold(value).startswith(word):
            count = counts.get(value)
            yield Completion(span, values.written(value), fields[0].help, count)
