"""Parse the text of a query into a tree, with a complaint for each invalid part."""

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct, field

from store.kinds.field import Field, Type
from store.search import fields as values
from store.search import tree as patterns
from store.search.fields import FIELDS, fields_of, names
from store.search.tree import (
    ALL,
    EVERYTHING,
    LONGEST,
    All,
    Compared,
    Complaint,
    Either,
    Fuzzy,
    Kinds,
    Named,
    Node,
    Not,
    Part,
    Pattern,
    Query,
    Span,
    Start,
    Text,
    Value,
    What,
)
from store.text import guess, near, regex

# A text, and how far it has been read.

_SPACE = regex(r"\s*")


class Scanner(Struct):
    """Reads a text once and records its parts."""

    text: str
    """The text the user typed."""
    is_finished: bool
    """Whether the user has stopped typing."""
    position: int = 0
    """How far the text has been read."""
    depth: int = 0
    """How many groups are open."""
    parts: list[Part] = field(default_factory=list[Part])
    """The parts found so far."""
    complaints: list[Complaint] = field(default_factory=list[Complaint])
    """What could not be understood so far."""

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left."""
        return self.position >= len(self.text)

    def peek(self, ahead: int = 0) -> str:
        """The character `ahead` of the position; empty after the end."""
        at = self.position + ahead
        return self.text[at : at + 1]

    def is_boundary(self, ahead: int = 0) -> bool:
        """Whether a term ends before the character `ahead` of the position."""
        char = self.peek(ahead)
        return not char or char.isspace() or char == "|" or self._closes(char)

    def is_closing(self) -> bool:
        """Whether the group ends here."""
        return self._closes(self.peek())

    def is_typing(self) -> bool:
        """Whether the user is probably still typing at this position."""
        return self.is_at_end and not self.is_finished

    def space(self) -> None:
        """Skip blanks."""
        match = _SPACE.match(self.text, self.position)
        self.position = match.end() if match else self.position

    def take(self, length: int, what: What) -> Span:
        """Consume some characters that form one part."""
        span = Span(self.position, self.position + length)
        self.position = span.end
        self.parts.append(Part(span, what))
        return span

    def run(self, stops: str = "") -> int:
        """The length up to the next boundary or one of `stops`.

        A parenthesis opened within it is closed within it.
        """
        length = opened = 0
        while not (
            self.is_boundary(length) and not (opened and self.peek(length) == ")")
        ):
            char = self.peek(length)
            if char in stops:
                break
            opened += (char == "(") - (char == ")" and opened > 0)
            length += 1
        return length

    def quoted(self, what: What) -> str:
        """Consume quoted text and return its content; the last quote may be missing."""
        end = self.position + 1
        while (end := self.text.find('"', end)) >= 0:
            if self.text[end + 1 : end + 2] != '"':
                break
            end += 2
        inner = self.text[self.position + 1 : end if end >= 0 else None]
        whole = (end + 1 if end >= 0 else len(self.text)) - self.position
        self.take(whole, what)
        return inner.replace('""', '"')

    def said(self, span: Span) -> str:
        """The text of a span."""
        return self.text[span.start : span.end]

    def complain(self, complaint: Complaint) -> None:
        """Record a complaint."""
        self.complaints.append(complaint)

    def spoil(self) -> None:
        """Mark the last consumed part as invalid."""
        self.parts[-1] = Part(self.parts[-1].span, What.BAD)

    def _closes(self, char: str) -> bool:
        return char == ")" and self.depth > 0


# Messages about what could not be understood.

_SHOWN = 40
"""Characters of the typed text that a message repeats."""

_NAMED = 5
"""The most candidates that a message lists."""

_TOGETHER = 2
"""The most kinds that a message names."""

_EXPECTED = {
    Type.NUMBER: "a number such as .7",
    Type.SECONDS: "a length such as 90s, 30m or 2h",
    Type.TIME: "an age such as 30d or a day such as 2026-02-14",
    Type.DAYS: "a day, a month or a year such as 2026-02",
    Type.SINCE: "an age such as 30d, a day such as 2026-02-14, or last",
}
"""A description of the expected value."""


def no_field(span: Span, word: str, kinds: Kinds) -> Complaint:
    """None of the kinds has a field with this name."""
    fields = fields_of(kinds)
    known = _called(fields)
    best = near(word.casefold(), known)
    if len(kinds) <= _TOGETHER and any(word.casefold() in _called([f]) for f in FIELDS):
        whose = " and ".join(sorted(kinds)).capitalize()
        reason = f"{whose} have no field {_shown(word)}."
        return Complaint(span, reason, best, is_of_field=True)
    meant = guess(word.casefold(), known, ".")
    reason = f"Unknown field {_shown(word)}{meant}"
    return Complaint(span, reason, best, is_of_field=True)


def no_value(span: Span, name: str) -> Complaint:
    """A field's name is followed by nothing."""
    return Complaint(span, f"No value after {name!r}.")


def wrong_value(span: Span, text: str, fields: Sequence[Field]) -> Complaint:
    """The field does not accept this value."""
    if not any(Type.CHOICE in field.types for field in fields):
        return unlike(span, text, fields)
    choices = (choice for field in fields for choice in field.choices or ())
    return unknown_value(span, fields[0].name, text, dict.fromkeys(choices))


def unlike(span: Span, text: str, fields: Sequence[Field]) -> Complaint:
    """The value does not have the form that the field takes."""
    wanted = next(_EXPECTED[kind] for kind in fields[0].types)
    return Complaint(span, f"{fields[0].name!r} needs {wanted}, not {_shown(text)}.")


_WORDS = frozenset({"has", "in", "is"})
"""Fields whose names are no nouns."""


_SEVERAL = ("gs", "ls", "es")
"""How names of fields end that are plurals."""


def unknown_value(span: Span, name: str, text: str, values: Iterable[str]) -> Complaint:
    """A field has no such value; also for values that the stores determine."""
    known = list(values)
    best = near(text.casefold(), known)
    rest = f" (choose from {', '.join(known)})." if name in _WORDS else "."
    hint = guess(text.casefold(), known, rest)
    one = name.removesuffix("s") if name.endswith(_SEVERAL) else name
    what = f"There is no {_shown(f'{name}:{text}')}" if name in _WORDS else None
    return Complaint(span, f"{what or f'No {one} {_shown(text)}'}{hint}", best)


def _called(fields: Iterable[Field]) -> list[str]:
    """Every name of some fields."""
    return [name for field in fields for name in field.called]


def _shown(text: str) -> str:
    """Typed text in quotes, shortened."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


# Distinguish a field and operator from text that only looks like them.
#
# People search for text that contains colons and comparison signs. URLs (`https://…`),
# paths (`C:/x`), qualified names (`a::b`), times and ports (`10:30`, `localhost:8080`)
# are text, and so are words that end in a colon (`TypeError:`) and most comparisons in
# code (`a=b`, `i<10`, `List<int>`). A name similar to that of a field counts as a typo;
# any other name with a colon and a value counts as an unknown field. In quotes,
# everything is text.

_HEAD = regex(r"([A-Za-z][A-Za-z_]*)(<=|>=|[:<>=])")
_PORT = regex(r"\d[\d.]*(?:[/:].*)?", re.DOTALL)
_IDENTIFIER = 2
"""A name of up to this length may be anything in a piece of code."""


class Head(Struct, frozen=True):
    """A name and an operator, and the fields that they may mean."""

    word: str
    """The name as typed."""
    operator: str
    """`: < <= > >= =`."""
    found: tuple[str, ...]
    """The full names that it may mean."""
    fields: tuple[Field, ...]
    """The fields with these names."""
    is_whole: bool
    """Whether it is a full name or an alias."""


def head(scanner: Scanner, kinds: Kinds) -> Head | None:
    """The name and operator at the position, unless they are part of a text."""
    match = _HEAD.match(scanner.text, scanner.position)
    if match is None:
        return None
    rest = scanner.text[match.end() : scanner.position + scanner.run()]
    word = match[1].casefold()
    found = names(word, fields_of(kinds))
    fields = tuple(field for field in fields_of(kinds) if field.name in found)
    is_whole = any(word in field.called for field in fields)
    one = Head(match[1], match[2], found, fields, is_whole)
    if match[2] == ":":
        is_last = match.end() == len(scanner.text) and not scanner.is_finished
        is_text = _is_text(one, rest, kinds, is_last=is_last)
    else:
        is_text = _is_code(one, rest, kinds)
    return None if is_text else one


def _is_text(one: Head, rest: str, kinds: Kinds, *, is_last: bool) -> bool:
    """Whether a name, a colon and the rest are text."""
    if rest.startswith((":", "=", "\\", "//")):
        return True
    if rest.startswith("/") and len(one.word) == 1:
        return True
    if one.found:
        return not (rest or one.is_whole or is_last)
    if not rest:
        return not _is_mistyped(one.word, kinds)
    if rest.startswith("/") or _PORT.fullmatch(rest):
        return not _is_mistyped(one.word, kinds)
    return False


def _is_code(one: Head, rest: str, kinds: Kinds) -> bool:
    """Whether a name, a comparison sign and the rest are text."""
    if rest.startswith(("=", "<", ">")):
        return True
    if one.is_whole:
        return False
    is_value = bool(values.compared(rest, _COMPARED)) or (not rest and bool(one.found))
    is_short = len(one.word) <= _IDENTIFIER
    if len(one.found) == 1:
        is_field = not is_short and one.operator != "="
        return not (is_field or is_value or values.read(rest, one.fields))
    if is_short:
        return True
    if one.operator != "=":
        return not is_value
    return bool(one.found) or not _is_mistyped(one.word, kinds)


def _is_mistyped(word: str, kinds: Kinds) -> bool:
    """Whether an unknown name is probably a mistyped field."""
    name = word.casefold()
    if any(name in field.called for field in FIELDS):
        return True
    called = [other for field in fields_of(kinds) for other in field.called]
    return near(name, called) is not None


_COMPARED = tuple(field for field in FIELDS if field.is_compared)


# Field conditions: `name:value,value` and `name>=value`.


def fielded(scanner: Scanner, head: Head, kinds: Kinds) -> Node | None:
    """The condition at the position; None if none of it is valid."""
    if len(head.found) != 1:
        return _unknown(scanner, head, kinds)
    start = scanner.take(len(head.word), What.FIELD).start
    operator = scanner.take(len(head.operator), What.OPERATOR)
    if head.operator in (":", "="):
        return _named(scanner, head, start)
    return _compared(scanner, head, start, operator)


def _unknown(scanner: Scanner, head: Head, kinds: Kinds) -> None:
    """Skip a field whose name is unknown or ambiguous."""
    name = scanner.take(len(head.word), What.BAD)
    scanner.take(len(head.operator), What.OPERATOR)
    _pass(scanner, ",")
    while scanner.peek() == ",":
        scanner.take(1, What.OPERATOR)
        _pass(scanner, ",")
    span = Span(name.start, scanner.position)
    if head.found:
        candidates = ", ".join(sorted(head.found)[:_NAMED])
        more = "" if len(head.found) <= _NAMED else " and more"
        reason = f"{_shown(head.word)} is ambiguous: {candidates}{more}."
        scanner.complain(Complaint(span, reason))
    else:
        scanner.complain(no_field(span, head.word, kinds))


def _pass(scanner: Scanner, stops: str = "") -> tuple[str, Span]:
    """Consume a value; return its text and span."""
    start = scanner.position
    if scanner.peek() == '"':
        text = scanner.quoted(What.VALUE)
    elif length := scanner.run(stops):
        text = scanner.said(scanner.take(length, What.VALUE))
    else:
        text = ""
    return text, Span(start, scanner.position)


def _named(scanner: Scanner, head: Head, start: int) -> Node | None:
    """A field with one of several values."""
    has_text, found = _value(scanner, head)
    while scanner.peek() == ",":
        scanner.take(1, What.OPERATOR)
        has_more, more = _value(scanner, head)
        has_text |= has_more
        found += more
    span = Span(start, scanner.position)
    if not (has_text or scanner.is_typing()):
        scanner.complain(no_value(span, scanner.said(span)))
    if not found:
        return None
    if head.operator == "=" and len(found) == 1 and isinstance(found[0], float):
        return Compared(head.found[0], "=", found[0], span)
    return Named(head.found[0], tuple(dict.fromkeys(found)), span)


def _value(scanner: Scanner, head: Head) -> tuple[bool, list[Value]]:
    """Whether there is a value here, and the values it means."""
    text, span = _pass(scanner, ",")
    if not text:
        return False, []
    found = values.read(text, head.fields)
    if not found and not (scanner.is_typing() and values.is_begun(text, head.fields)):
        scanner.spoil()
        scanner.complain(wrong_value(span, text, head.fields))
    return True, list(found)


def _compared(scanner: Scanner, head: Head, start: int, operator: Span) -> Node | None:
    """A field compared with a value."""
    text, place = _pass(scanner)
    span = Span(start, scanner.position)
    fields = [field for field in head.fields if field.is_compared]
    value = values.compared(text, fields)
    if value is not None:
        return Compared(head.found[0], head.operator, value, span)
    if not fields:
        name = head.found[0]
        reason = f"{name!r} can't be compared with {head.operator!r}; write '{name}:'."
        scanner.complain(Complaint(operator, reason))
    elif not (scanner.is_typing() and values.is_begun(text, fields)):
        if not text:
            scanner.complain(no_value(span, scanner.said(span)))
        else:
            scanner.spoil()
            scanner.complain(unlike(place, text, fields))
    return None


# Parse a text into a tree. Every text has one; invalid parts are left out.
#
# Terms are separated by spaces, and all must match. `|` between terms means that one
# must match, and binds more tightly. `-` and `!` negate a term; parentheses group. A
# query that is still being typed is understood as far as it goes.

MOST = 100
"""The most terms that are understood, as each may require a full search."""

DEEPEST = 20
"""The deepest nesting of groups."""

_CODE = frozenset("-!<>=)")
"""Characters that follow `-` or `!` in code: `->`, `--flag`, `!=`."""

_PREFIXES: dict[str, tuple[What, Callable[[str, Span], Node], str]] = {
    "~": (What.FUZZY, Fuzzy, "~/=>"),
    "^": (What.START, Start, "^="),
}
"""The prefixes of terms: the part, the node, and what makes them plain text."""


def parse(
    text: str, kinds: Iterable[str] | None = None, *, is_finished: bool = False
) -> Query:
    """Parse a query about some kinds of record, or about all kinds.

    If the query ends before a value is complete, it counts as still being typed, unless
    `is_finished` is set.
    """
    asked = frozenset(ALL if kinds is None else kinds) & ALL or ALL
    scanner = Scanner(text[:LONGEST], is_finished)
    tree = _Parser(scanner, asked).all()
    if len(text) > LONGEST:
        rest = Span(LONGEST, len(text))
        scanner.parts.append(Part(rest, What.BAD))
        reason = f"Only the first {LONGEST} characters are used."
        scanner.complain(Complaint(rest, reason, is_cut=True))
    return Query(tree or EVERYTHING, tuple(scanner.complaints), tuple(scanner.parts))


class _Parser:
    """Builds a tree from the terms of a scanner."""

    def __init__(self, scanner: Scanner, kinds: Kinds) -> None:
        self.scanner = scanner
        self.kinds = kinds
        self.terms = 0

    def all(self) -> Node | None:
        """The terms up to the end of the group or text."""
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
        """Terms separated by `|`."""
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
        """Skip blanks and any `|`; return whether there was one."""
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
        """The terms in parentheses; the closing one may be missing."""
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
        """Skip the rest of the text."""
        scanner = self.scanner
        span = scanner.take(len(scanner.text) - scanner.position, What.BAD)
        reason = f"Only the first {MOST} terms are used."
        scanner.complain(Complaint(span, reason, is_cut=True))

    def _too_deep(self) -> None:
        """Skip a group that is nested too deeply."""
        scanner = self.scanner
        start = end = scanner.position
        opened = 0
        while end < len(scanner.text) and (opened or end == start):
            opened += {"(": 1, ")": -1}.get(scanner.text[end], 0)
            end += 1
        span = scanner.take(end - start, What.BAD)
        scanner.complain(Complaint(span, f"Groups can be at most {DEEPEST} deep."))

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
                reason = f"Invalid pattern {_shown(text)}: {error}."
                scanner.complain(Complaint(span, reason))
            return None
        return Pattern(text, span)

    def _prefixed(self, prefix: str) -> Node | None:
        """A word or phrase after a prefix such as `~`."""
        what, make, code = _PREFIXES[prefix]
        scanner = self.scanner
        if scanner.is_boundary(1):
            scanner.take(1, what)
            return None
        if scanner.peek(1) in code:
            return self._word()
        return self._text(make, what, 1)

    def _word(self) -> Node | None:
        """A field condition if it is one, else a word."""
        one = head(self.scanner, self.kinds)
        if one is not None:
            return fielded(self.scanner, one, self.kinds)
        return self._text(Text, What.WORD)

    def _text(
        self, make: Callable[[str, Span], Node], what: What, behind: int = 0
    ) -> Node | None:
        """A word or phrase that starts `behind` characters from here."""
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
