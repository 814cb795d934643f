"""What a field must hold: `name:value,value` and `name>=value`."""

from store.search.language import complaints, values
from store.search.language.heads import Head
from store.search.language.kinds import Kinds
from store.search.language.query import What
from store.search.language.scanning import Scanner
from store.search.language.tree import Compared, Named, Node, Span, Value


def fielded(scanner: Scanner, head: Head, kinds: Kinds) -> Node | None:
    """The term that comes; nothing where nothing of it can be understood."""
    if len(head.found) != 1:
        return _unknown(scanner, head, kinds)
    start = scanner.take(len(head.word), What.FIELD).start
    operator = scanner.take(len(head.operator), What.OPERATOR)
    if head.operator in (":", "="):
        return _named(scanner, head, start)
    return _compared(scanner, head, start, operator)


def _unknown(scanner: Scanner, head: Head, kinds: Kinds) -> None:
    """Pass over a field that there is none or more than one of."""
    name = scanner.take(len(head.word), What.BAD)
    scanner.take(len(head.operator), What.OPERATOR)
    _pass(scanner, ",")
    while scanner.peek() == ",":
        scanner.take(1, What.OPERATOR)
        _pass(scanner, ",")
    span = Span(name.start, scanner.position)
    if head.found:
        scanner.complain(complaints.ambiguous(span, head.word, head.found))
    else:
        scanner.complain(complaints.no_field(span, head.word, kinds))


def _pass(scanner: Scanner, stops: str = "") -> tuple[str, Span]:
    """Pass over a value; what it says, and where."""
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
        scanner.complain(complaints.no_value(span, scanner.said(span)))
    if not found:
        return None
    if head.operator == "=" and len(found) == 1 and isinstance(found[0], float):
        return Compared(head.found[0], "=", found[0], span)
    return Named(head.found[0], tuple(dict.fromkeys(found)), span)


def _value(scanner: Scanner, head: Head) -> tuple[bool, list[Value]]:
    """Whether a value stands here, and what of it is understood."""
    text, span = _pass(scanner, ",")
    if not text:
        return False, []
    found = values.read(text, head.fields)
    if not found and not (scanner.is_typing() and values.is_begun(text, head.fields)):
        scanner.spoil()
        scanner.complain(complaints.wrong_value(span, text, head.fields))
    return True, list(found)


def _compared(scanner: Scanner, head: Head, start: int, operator: Span) -> Node | None:
    """A field before or behind a value."""
    text, place = _pass(scanner)
    span = Span(start, scanner.position)
    fields = [field for field in head.fields if field.is_compared]
    value = values.compared(text, fields)
    if value is not None:
        return Compared(head.found[0], head.operator, value, span)
    if not fields:
        scanner.complain(
            complaints.not_compared(operator, head.found[0], head.operator)
        )
    elif not (scanner.is_typing() and values.is_begun(text, fields)):
        if not text:
            scanner.complain(complaints.no_value(span, scanner.said(span)))
        else:
            scanner.spoil()
            scanner.complain(complaints.unlike(place, text, fields))
    return None
