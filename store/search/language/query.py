"""What became of a text: the tree, what could not be understood, and its parts."""

from enum import StrEnum

from msgspec import Struct

from store.search.language.tree import EVERYTHING, Node, Span

LONGEST = 4000
"""Characters of a query that are looked at."""


class What(StrEnum):
    """What a part of the text is; all that is not part of anything is space."""

    WORD = "word"
    PHRASE = "phrase"
    FIELD = "field"
    OPERATOR = "operator"
    VALUE = "value"
    NEGATION = "negation"
    EITHER = "either"
    GROUP = "group"
    FUZZY = "fuzzy"
    START = "start"
    PATTERN = "pattern"
    BAD = "bad"


class Part(Struct, frozen=True):
    """A stretch of the text that has one meaning."""

    span: Span
    """Where it is."""
    what: What
    """What it is."""


class Complaint(Struct, frozen=True):
    """What was left out of the tree, and why."""

    span: Span
    """Where it is."""
    reason: str
    """The sentence that says why."""
    nearest: str | None = None
    """What was probably meant."""
    is_cut: bool = False
    """Whether the text merely goes on behind what is understood."""


class Query(Struct, frozen=True):
    """A text, understood as far as it can be."""

    tree: Node
    """What records must hold."""
    complaints: tuple[Complaint, ...]
    """What was left out, in order."""
    parts: tuple[Part, ...]
    """What stands where, in order and without overlap."""


UNASKED = Query(EVERYTHING, (), ())
"""An empty text: it asks for everything, and no parser is needed to tell."""
