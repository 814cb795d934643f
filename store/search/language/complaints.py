"""The sentences about what could not be understood."""

from collections.abc import Iterable, Sequence

from store.search.language.fields import FIELDS, Field, Type, fields_of
from store.search.language.kinds import Kinds
from store.search.language.query import Complaint
from store.search.language.tree import Span
from store.search.nearest import nearest

_SHOWN = 40
"""Characters of what somebody typed that a sentence repeats."""

_NAMED = 5
"""How many candidates a sentence lists."""

_TOGETHER = 2
"""How many kinds a sentence speaks of by name."""

_EXPECTED = {
    Type.NUMBER: "a number such as .7",
    Type.SECONDS: "a length such as 90s, 30m or 2h",
    Type.TIME: "an age such as 30d or a day such as 2026-02-14",
    Type.DAYS: "a day, a month or a year such as 2026-02",
    Type.SINCE: "an age such as 30d, a day such as 2026-02-14, or last",
}
"""What a value should have been."""


def no_field(span: Span, word: str, kinds: Kinds) -> Complaint:
    """No field of the kinds asked about goes by a name."""
    fields = fields_of(kinds)
    best = nearest(word.casefold(), _called(fields))
    if len(kinds) <= _TOGETHER and any(word.casefold() in _called([f]) for f in FIELDS):
        whose = " and ".join(sorted(kinds)).capitalize()
        return Complaint(span, f"{whose} have no {_shown(word)}.", best)
    return Complaint(
        span, f"No field is called {_shown(word)}; the nearest is {best!r}.", best
    )


def ambiguous(span: Span, word: str, names: Sequence[str]) -> Complaint:
    """Several fields begin with what was typed."""
    candidates = ", ".join(sorted(names)[:_NAMED])
    more = "" if len(names) <= _NAMED else " and more"
    return Complaint(span, f"{_shown(word)} may mean any of {candidates}{more}.")


def no_value(span: Span, name: str) -> Complaint:
    """Nothing stands behind a field's name."""
    return Complaint(span, f"{name!r} lacks a value right behind it.")


def wrong_value(span: Span, text: str, fields: Sequence[Field]) -> Complaint:
    """What stands behind a field's name is nothing that the field takes."""
    if not any(Type.CHOICE in field.types for field in fields):
        return unlike(span, text, fields)
    choices = [choice for field in fields for choice in field.choices or ()]
    return unknown_value(span, fields[0].name, text, choices)


def unlike(span: Span, text: str, fields: Sequence[Field]) -> Complaint:
    """What stands behind a field's name has not the form that the field takes."""
    wanted = next(_EXPECTED[kind] for kind in fields[0].types)
    return Complaint(
        span, f"{fields[0].name!r} takes {wanted}, which {_shown(text)} is not."
    )


def unknown_value(span: Span, name: str, text: str, values: Iterable[str]) -> Complaint:
    """A field has no such value; for values that stores choose, too."""
    known = list(values)
    best = nearest(text.casefold(), known) if known else None
    hint = f"; the nearest is {best!r}" if best else ""
    return Complaint(span, f"{name!r} is never {_shown(text)}{hint}.", best)


def not_compared(span: Span, name: str, operator: str) -> Complaint:
    """A field has no order."""
    return Complaint(
        span, f"{name!r} cannot be compared by {operator!r}; write '{name}:'."
    )


def broken_pattern(span: Span, text: str, why: str) -> Complaint:
    """A regular expression is none."""
    return Complaint(span, f"The pattern {_shown(text)} is broken: {why}.")


def too_deep(span: Span, deepest: int) -> Complaint:
    """Groups lie in groups that lie in groups."""
    return Complaint(
        span, f"Groups are understood {deepest} deep, this one lies deeper."
    )


def too_many(span: Span, most: int) -> Complaint:
    """There are more terms than anybody waits for."""
    return Complaint(span, f"Only the first {most} terms are understood.", is_cut=True)


def too_long(span: Span) -> Complaint:
    """The text goes on behind what is looked at."""
    return Complaint(
        span, f"Only the first {span.start} characters are understood.", is_cut=True
    )


def _called(fields: Iterable[Field]) -> list[str]:
    """Every name of some fields."""
    return [name for field in fields for name in field.called]


def _shown(text: str) -> str:
    """What somebody typed, in quotes."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
