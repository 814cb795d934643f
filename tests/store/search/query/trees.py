"""Queries typed by people and machines, and the trees they parse to."""

from datetime import date

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from store.kinds.field import Field, Type
from store.search.fields import FIELDS
from store.search.tree import (
    EVERYTHING,
    Age,
    All,
    Compared,
    Days,
    Either,
    Fuzzy,
    Last,
    Named,
    Node,
    Not,
    Pattern,
    Start,
    Text,
    Value,
)

_PIECES = [
    *'"()|/-!~^:,<>= \\.*',
    "type:",
    "stage:fading",
    "imp>=",
    "created<30d",
    "2026-02-30",
    "in:body|",
    "-(",
    "/re(dis|try)/",
    "/usr/bin/",
    "https://a.b/c?d=e",
    "C:\\x",
    "std::map<int>",
    "->",
    "레디스",
    "記憶",
    "💥👩‍💻",
    "\u3000",
    "\0",
    "\ud800",
    "typo:fix",
    "x:y",
    "\x1b[31m",
]
HOSTILE = st.lists(st.sampled_from(_PIECES) | st.text(max_size=5), max_size=40).map(
    "".join
) | st.text(st.characters(codec=None, exclude_categories=[]), max_size=60)
"""Texts of which every piece means something somewhere."""

SAID = st.text(st.characters(), min_size=1, max_size=12) | st.sampled_from(
    ["type:fix", "->", "a b", "(x", 'say "hi"', "-x", "/x/", "don't", "C++", "~", "a|b"]
)
"""What a word or a phrase can say."""

SEEKING: SearchStrategy[Node] = st.one_of(
    SAID.map(Text),
    SAID.map(Fuzzy),
    SAID.map(Start),
    st.sampled_from(["re(dis|try)", "a/b", r"\d+ \w", "x{2,3}", "[/]", r"\\"]).map(
        Pattern
    ),
)

_NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
_SPANS = st.tuples(st.dates(), st.dates()).map(lambda two: Days(min(two), max(two)))
_AGES = st.builds(
    Age, st.floats(min_value=0, max_value=100_000), st.sampled_from("hdwmy")
)
_WHOLE = st.sampled_from(
    [
        Days(date(2026, 2, 1), date(2026, 2, 28)),
        Days(date(2026, 1, 1), date(2026, 12, 31)),
        Days(date(2026, 2, 14), date(2026, 2, 14)),
    ]
)
_VALUES: dict[Type, SearchStrategy[Value]] = {
    Type.TEXT: SAID,
    Type.NUMBER: _NUMBERS,
    Type.SECONDS: st.floats(min_value=0, allow_infinity=False),
    Type.TIME: _SPANS | _WHOLE | _AGES,
    Type.DAYS: _SPANS | _WHOLE,
    Type.SINCE: _SPANS | _AGES | st.just(Last()),
}


def values_of(field: Field) -> SearchStrategy[Value]:
    """The values that a field takes."""
    taken = [_VALUES[kind] for kind in field.types if kind in _VALUES]
    if Type.CHOICE in field.types:
        taken.append(st.sampled_from(field.choices or ()))
    return st.one_of(taken)


def _named(field: Field) -> SearchStrategy[Node]:
    values = st.lists(values_of(field), min_size=1, max_size=3, unique=True)
    return values.map(lambda some: Named(field.name, tuple(some)))


def _compared(field: Field) -> SearchStrategy[Node]:
    kind = next(kind for kind in field.types if kind in _VALUES)
    signs = ["<", "<=", ">", ">="] + ["="] * (kind is not Type.TIME)
    return st.builds(
        Compared, st.just(field.name), st.sampled_from(signs), _VALUES[kind]
    )


def trees(kind: str) -> SearchStrategy[Node]:
    """Trees about a kind of record."""
    fields = [field for field in FIELDS if kind in field.kinds]
    ordered = [field for field in fields if field.is_compared]
    leaves = SEEKING | st.sampled_from(fields).flatmap(_named)
    if ordered:
        leaves |= st.sampled_from(ordered).flatmap(_compared)

    def grown(inner: SearchStrategy[Node]) -> SearchStrategy[Node]:
        several = st.lists(inner, min_size=2, max_size=4).map(tuple)
        return inner.map(Not) | several.map(All) | several.map(Either)

    return st.just(EVERYTHING) | st.recursive(leaves, grown, max_leaves=12)
