"""How a query looks while it is typed: what each part is, and what is wrong with it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from store.search.language.query import Complaint, Part, What
from store.search.language.tree import Span

if TYPE_CHECKING:
    from store.search.language.fields import Field

Known = Mapping[str, Sequence[tuple[str, int]]]
"""The values that a field has, by its whole name, and how many records have each."""

_WHOLE = 50
"""Values that are fewer are all there are: no more of a field are counted at most."""

_TONES = {
    What.WORD: "marked",
    What.PHRASE: "marked",
    What.FIELD: "tag",
    What.OPERATOR: "muted",
    What.VALUE: "arrow",
    What.NEGATION: "warning",
    What.EITHER: "muted",
    What.GROUP: "muted",
    What.FUZZY: "marked italic",
    What.START: "marked italic",
    What.PATTERN: "ok",
    What.BAD: "",
}


class Coloured(NamedTuple):
    """A stretch of the text, and the tones that it is in."""

    span: Span
    tones: str


class Said(NamedTuple):
    """A value that is asked for, and the field that it is of."""

    span: Span
    value: str
    field: "Field"


class Understanding(Struct, frozen=True):
    """What a text comes to in one view."""

    parts: tuple[Coloured, ...]
    """What stands where."""
    bad: tuple[Complaint, ...]
    """What nobody could understand."""
    foreign: tuple[Complaint, ...]
    """What other views understand: it is left out here, and is no mistake."""

    is_begun: bool = False
    """Whether the last value is the beginning of one that there is, and none itself."""

    @property
    def is_finished(self) -> bool:
        """Whether it can be asked; else what was found last stays."""
        return not (self.bad or self.is_begun)

    @property
    def reason(self) -> Complaint | None:
        """What is to be told, mistakes before all else."""
        return next(iter((*self.bad, *self.foreign)), None)


NOTHING = Understanding((), (), ())
"""What an empty text comes to."""


@lru_cache(maxsize=16)
def _parsed(
    text: str, kind: str
) -> tuple[tuple[Part, ...], tuple[Complaint, ...], frozenset[int]]:
    """The parts of a text, the complaints, and where fields of other kinds stand."""
    from store.search.language.parsing import parse

    here = parse(text, [kind])
    if not here.complaints:
        return here.parts, (), frozenset()
    fields = (part for part in parse(text).parts if part.what is What.FIELD)
    return here.parts, here.complaints, frozenset(part.span.start for part in fields)


def understand(text: str, kind: str, known: Known) -> Understanding:
    """Understand a text as a query about a kind of record."""
    if not text:
        return NOTHING
    parts, complained, elsewhere = _parsed(text, kind)
    begun = {part.span.start for part in parts if part.what is What.BAD}
    foreign = tuple(
        one
        for one in complained
        if one.span.start in begun and one.span.start in elsewhere
    )
    said = tuple(_said(text, kind, parts))
    unknown = tuple(one for value in said for one in _unheard(value, known, text))
    bad = tuple(one for one in complained if one not in foreign) + unknown
    return Understanding(
        tuple(Coloured(part.span, _TONES[part.what]) for part in parts),
        bad,
        foreign,
        is_begun=any(_is_begun(value, known, text) for value in said),
    )


def _said(text: str, kind: str, parts: Sequence[Part]) -> Iterator[Said]:
    """The values of fields that stores give values to."""
    from store.search.language.fields import Match, fields_of, names

    fields: list[Field] = []
    for part in parts:
        said = text[part.span.start : part.span.end]
        if part.what is What.FIELD:
            all_fields = fields_of(frozenset({kind}))
            found = names(said.casefold(), all_fields)
            fields = [field for field in all_fields if field.name in found]
        elif part.what is What.VALUE:
            is_listed = len(fields) == 1 and fields[0].match is Match.IS
            if is_listed and fields[0].choices is None and '"' not in said:
                yield Said(part.span, said, fields[0])
        elif part.what is not What.OPERATOR:
            fields = []


def _unheard(said: Said, known: Known, text: str) -> Iterator[Complaint]:
    """A complaint about a value that is none of those known, where all are known.

    The last one may still grow, so nothing is said where one of them begins so.
    """
    from store.search.language import complaints

    values = [value for value, _ in known.get(said.field.name, ())]
    folded = [value.casefold() for value in values]
    if not 0 < len(values) < _WHOLE or said.value.casefold() in folded:
        return
    if not _is_begun(said, known, text):
        yield complaints.unknown_value(said.span, said.field.name, said.value, values)


def _is_begun(said: Said, known: Known, text: str) -> bool:
    """Whether a value ends the text that others begin with, and that is none itself."""
    word = said.value.casefold()
    folded = [value.casefold() for value, _ in known.get(said.field.name, ())]
    is_last = said.span.end == len(text)
    return (
        is_last and word not in folded and any(one.startswith(word) for one in folded)
    )
