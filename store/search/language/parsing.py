"""From text to tree. Any text has one; what cannot be understood is left out of it.

A query is terms with space between: all must hold. `|` stands between terms of which
one must hold, and binds more tightly. `-` and `!` before a term, and parentheses around
several, do what they do everywhere. What somebody has not typed to its end is
understood as far as it goes.
"""

from collections.abc import Callable, Iterable

from store.search.language import complaints, patterns
from store.search.language.fielded import fielded
from store.search.language.heads import head
from store.search.language.kinds import ALL, Kinds
from store.search.language.query import LONGEST, Part, Query, What
from store.search.language.scanning import Scanner
from store.search.language.tree import (
    EVERYTHING,
    All,
    Either,
    Fuzzy,
    Node,
    Not,
    Pattern,
    Span,
    Start,
    Text,
)

MOST = 100
"""How many terms are understood: each of them may have to be looked for everywhere."""

DEEPEST = 20
"""How many groups may lie in one another."""

_CODE = frozenset("-!<>=)")
"""What stands behind `-` or `!` in code: `->`, `--flag`, `!=`."""

_PREFIXES: dict[str, tuple[What, Callable[[str, Span], Node], str]] = {
    "~": (What.FUZZY, Fuzzy, "~/=>"),
    "^": (What.START, Start, "^="),
}
"""What a term may begin with, what it makes of it, and what it is text before."""


def parse(
    text: str, kinds: Iterable[str] | None = None, *, is_finished: bool = False
) -> Query:
    """Understand a query about some kinds of record; about every kind without.

    Where it ends in a value that is not there yet, it is taken for one that is being
    typed; who knows that nobody types on says that it is finished.
    """
    asked = frozenset(ALL if kinds is None else kinds) & ALL or ALL
    scanner = Scanner(text[:LONGEST], is_finished)
    tree = _Parser(scanner, asked).all()
    if len(text) > LONGEST:
        rest = Span(LONGEST, len(text))
        scanner.parts.append(Part(rest, What.BAD))
        scanner.complain(complaints.too_long(rest))
    return Query(tree or EVERYTHING, tuple(scanner.complaints), tuple(scanner.parts))


class _Parser:
    """Takes terms from a scanner."""

    def __init__(self, scanner: Scanner, kinds: Kinds) -> None:
        self.scanner = scanner
        self.kinds = kinds
        self.terms = 0

    def all(self) -> Node | None:
        """The terms up to the end of the group, or of the text."""
        found: list[Node] = []
        start = self.scanner.position
        while self._bar() or not (self.scanner.is_at_end or self.scanner.is_closing()):
            node = self._either()
            if node is not None:
                found.append(node)
        if len(found) > 1:
            return All(tuple(found), Span(start, self.scanner.position))
        return found[0] if found else None

    def _either(self) -> Node | None:
        """Terms with `|` between."""
        start = self.scanner.position
        terms = [self._term()]
        end = self.scanner.position
        while self._bar():
            terms.append(self._term())
            end = self.scanner.position
        found = [term for term in terms if term is not None]
        if len(found) > 1:
            return Either(tuple(found), Span(start, end))
        return found[0] if found else None

    def _bar(self) -> bool:
        """Pass over space, and `|` if there is one."""
        self.scanner.space()
        has_bar = False
        while self.scanner.peek() == "|":
            self.scanner.take(1, What.EITHER)
            self.scanner.space()
            has_bar = True
        return has_bar

    def _term(self) -> Node | None:
        """A term, negated or not."""
        scanner = self.scanner
        if scanner.is_boundary():
            return None
        if scanner.peek() not in ("-", "!") or scanner.peek(1) in _CODE:
            return self._plain()
        start = scanner.take(1, What.NEGATION).start
        node = None if scanner.is_boundary() else self._plain()
        return None if node is None else Not(node, Span(start, scanner.position))

    def _plain(self) -> Node | None:
        """A term that is not negated."""
        self.terms += 1
        if self.terms > MOST:
            return self._too_many()
        match self.scanner.peek():
            case "(":
                return self._group()
            case '"':
                return self._text(Text, What.PHRASE)
            case "/":
                return self._pattern()
            case "~" | "^" as prefix:
                return self._prefixed(prefix)
            case _:
                return self._word()

    def _group(self) -> Node | None:
        """The terms between parentheses, of which the second may be missing."""
        scanner = self.scanner
        if scanner.depth == DEEPEST:
            return self._too_deep()
        scanner.take(1, What.GROUP)
        scanner.depth += 1
        node = self.all()
        if scanner.is_closing():
            scanner.take(1, What.GROUP)
        scanner.depth -= 1
        return node

    def _too_many(self) -> None:
        """Pass over all that is left."""
        scanner = self.scanner
        span = scanner.take(len(scanner.text) - scanner.position, What.BAD)
        scanner.complain(complaints.too_many(span, MOST))

    def _too_deep(self) -> None:
        """Pass over a group that lies too deep."""
        scanner = self.scanner
        start = end = scanner.position
        opened = 0
        while end < len(scanner.text) and (opened or end == start):
            opened += {"(": 1, ")": -1}.get(scanner.text[end], 0)
            end += 1
        span = scanner.take(end - start, What.BAD)
        scanner.complain(complaints.too_deep(span, DEEPEST))

    def _pattern(self) -> Node | None:
        """A regular expression, or a path."""
        scanner = self.scanner
        match = patterns.whole(scanner.text, scanner.position)
        is_whole = match is not None
        if match is None and not scanner.is_finished:
            match = patterns.unfinished(scanner.text, scanner.position)
        if match is None:
            return self._word()
        span = scanner.take(len(match[0]), What.PATTERN)
        text = patterns.unescaped(match[1])
        try:
            patterns.compiled(text)
        except patterns.BrokenPatternError as error:
            if is_whole:
                scanner.spoil()
                scanner.complain(complaints.broken_pattern(span, text, str(error)))
            return None
        return Pattern(text, span)

    def _prefixed(self, prefix: str) -> Node | None:
        """A word or a phrase behind a sign that says how it is meant."""
        what, make, code = _PREFIXES[prefix]
        scanner = self.scanner
        if scanner.is_boundary(1):
            scanner.take(1, what)
            return None
        if scanner.peek(1) in code:
            return self._word()
        return self._text(make, what, 1)

    def _word(self) -> Node | None:
        """A field if it is one, else a word."""
        one = head(self.scanner, self.kinds)
        if one is not None:
            return fielded(self.scanner, one, self.kinds)
        return self._text(Text, What.WORD)

    def _text(
        self, make: Callable[[str, Span], Node], what: What, behind: int = 0
    ) -> Node | None:
        """A word or a phrase, some characters on."""
        scanner = self.scanner
        start = scanner.position
        scanner.position += behind
        if scanner.peek() == '"' and (behind or what is What.PHRASE):
            text = scanner.quoted(what)
        else:
            text = scanner.said(scanner.take(scanner.run(), what))
        span = Span(start, scanner.position)
        scanner.parts[-1] = Part(span, what)
        return make(text, span) if text else None
