"""A field's name and an operator, told apart from text that only looks so.

People look for text that holds colons and comparison signs. So what is an address
(`https://…`), a path (`C:/x`), a place in code (`a::b`), a time or a port (`10:30`,
`localhost:8080`) is text, and so is what ends in a colon (`TypeError:`) and most of
what code compares (`a=b`, `i<10`, `List<int>`). What nearly goes by a field's name is
taken for it mistyped, and any other name with a colon and a value for a field that
there is none of; in quotes, all of it is text.
"""

import re

from msgspec import Struct

from store.search.language import values
from store.search.language.fields import FIELDS, Field, fields_of, names
from store.search.language.kinds import Kinds
from store.search.language.scanning import Scanner
from store.search.nearest import near

_HEAD = re.compile(r"([A-Za-z][A-Za-z_]*)(<=|>=|[:<>=])")
_PORT = re.compile(r"\d[\d.]*(?:[/:].*)?", re.DOTALL)
_IDENTIFIER = 2
"""Letters of a name that may be anything in a piece of code."""


class Head(Struct, frozen=True):
    """A name and an operator, and the fields that they may mean."""

    word: str
    """The name as typed."""
    operator: str
    """`: < <= > >= =`."""
    found: tuple[str, ...]
    """The whole names that it may stand for."""
    fields: tuple[Field, ...]
    """The fields that go by these names."""
    is_whole: bool
    """Whether it is one of these names, or another name for it."""


def head(scanner: Scanner, kinds: Kinds) -> Head | None:
    """The name and operator that come, unless they are a piece of text."""
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
    """Whether a name, a colon and what follows are text."""
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
    """Whether a name, a comparison and what follows are text."""
    if rest.startswith(("=", "<", ">")):
        return True
    if one.is_whole:
        return False
    is_value = bool(values.compared(rest, _COMPARED)) or (not rest and bool(one.found))
    if len(one.found) == 1:
        return not (is_value or values.read(rest, one.fields))
    if len(one.word) <= _IDENTIFIER:
        return True
    if one.operator != "=":
        return not is_value
    return bool(one.found) or not _is_mistyped(one.word, kinds)


def _is_mistyped(word: str, kinds: Kinds) -> bool:
    """Whether a name that no field has was likely meant for one."""
    name = word.casefold()
    if any(name in field.called for field in FIELDS):
        return True
    called = [other for field in fields_of(kinds) for other in field.called]
    return near(name, called) is not None


_COMPARED = tuple(field for field in FIELDS if field.is_compared)
