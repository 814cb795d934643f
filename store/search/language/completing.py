"""What somebody who types a query may want to type next."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from store.search.language import values
from store.search.language.fields import Field, Type, fields_of, names
from store.search.language.kinds import ALL, Kinds
from store.search.language.parsing import parse
from store.search.language.query import Part, What
from store.search.language.tree import Span

Asked = Callable[[str, str], Sequence[tuple[str, int]]]
"""The values that a field has, by its whole name, and that begin with a text; and how
many records have each."""

_OPEN = frozenset({What.NEGATION, What.EITHER, What.GROUP})
"""The parts behind which a field may stand at once."""

_BEHIND = frozenset({What.VALUE, What.BAD, What.OPERATOR})
"""The parts of which values consist."""

_SIGNS = {
    Type.NUMBER: (">=", "<=", "="),
    Type.SECONDS: (">", "<"),
    Type.TIME: ("<", ">"),
}
"""What stands behind the name of a field that can be compared."""


class Completion(Struct, frozen=True):
    """A text to put in place of a stretch of what was typed."""

    span: Span
    """What it takes the place of."""
    text: str
    """What to put there."""
    help: str
    """What it is, in a few words."""
    count: int | None = None
    """How many records have it, where that is known."""


def completions(
    text: str, cursor: int, kinds: Iterable[str] | None, asked: Asked
) -> Sequence[Completion]:
    """What may stand where the cursor is, in the order to be offered in."""
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
    """The fields that begin with what was typed; their operators once one is whole."""
    word = begun.casefold()
    seen: set[str] = set()
    for field in fields_of(kinds):
        name = next((name for name in field.called if name.startswith(word)), None)
        if name is None or name in seen:
            continue
        seen.add(name)
        signs = _signs(field)
        for sign in signs if name == word else signs[:1]:
            yield Completion(span, f"{name}{sign}", field.help)


def _signs(field: Field) -> tuple[str, ...]:
    """The operators that make sense behind a field's name, the likeliest first."""
    found = next((_SIGNS[kind] for kind in field.types if kind in _SIGNS), ())
    return (*found, ":")


def _values(
    text: str, parts: Sequence[Part], kinds: Kinds, asked: Asked
) -> Sequence[Completion]:
    """The values that may stand behind a field's name and an operator."""
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
    """The choices of a field, or the values that the stores have."""
    counts = dict(asked(fields[0].name, begun))
    choices = dict.fromkeys(c for field in fields for c in field.choices or ())
    word = begun.casefold()
    for value in choices or counts:
        if value.casefold().startswith(word):
            count = counts.get(value)
            yield Completion(span, values.written(value), fields[0].help, count)
