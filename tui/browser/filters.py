"""The filter pane: the result by stage, type, tag and other fields."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct, field

from store.library import Library
from store.search import fields as values
from store.search.edit import toggled, written
from store.search.fields import fields_of
from store.search.parse import parse
from store.search.tree import EVERYTHING, All, Named, Node, Not, Value
from tui.browser.popups.popup import Heading, Sections
from widgets.memory_table import GLYPHS, STAGE_WORDS, bar, code
from widgets.rows import Held, Key
from widgets.sheet import PANE, Notice, Piece, Pieces, Sheet, width_of
from widgets.table import brief, fit, named, told

# The pane's message, defined before the pane because handlers need it.


class Toggled(Notice):
    """The query has to change."""

    text: str


# Facets as part of the query: both show the same state.


class Stand(StrEnum):
    """Whether a query requires something, excludes it, or neither."""

    OPEN = "open"
    ASKED = "asked"
    EXCLUDED = "excluded"


class Standing:
    """Which values and which other queries a query requires or excludes."""

    def __init__(self, text: str, kind: str) -> None:
        self._kind = kind
        self._terms = _terms(parse(text, [kind]).tree)
        self.values: dict[tuple[str, Value], tuple[Stand, Value]] = {}
        """For each value in the query: required or excluded, and its spelling."""
        for term in self._terms:
            named = term.term if isinstance(term, Not) else term
            stand = Stand.EXCLUDED if isinstance(term, Not) else Stand.ASKED
            if isinstance(named, Named):
                for value in named.values:
                    self.values[named.name, _folded(value)] = stand, value

    def to_value(self, field: str, text: str) -> Stand:
        """Whether the query requires or excludes a value of a field."""
        fields = [f for f in fields_of(frozenset({self._kind})) if f.name == field]
        value = next(iter(values.read(text, fields)), text)
        return self.values.get((field, _folded(value)), (Stand.OPEN, value))[0]

    def named(self, field: str) -> Iterator[str]:
        """The values of a field in the query, as typed."""
        for (name, _), (_, value) in self.values.items():
            if name == field:
                yield value if isinstance(value, str) else values.written(value)

    def to_query(self, text: str) -> Stand:
        """Whether the query requires or excludes another query."""
        if all(term in self._terms for term in wanted(text, self._kind)):
            return Stand.ASKED
        negated = wanted(text, self._kind, is_negated=True)
        return Stand.EXCLUDED if negated[0] in self._terms else Stand.OPEN


def toggled_query(text: str, kind: str, query: str, *, is_negated: bool) -> str:
    """The text with the terms of another query added, or removed if they are present.

    If the text contains the opposite terms, they are replaced.
    """
    other = wanted(query, kind, is_negated=not is_negated)
    mine = wanted(query, kind, is_negated=is_negated)
    terms = _terms(parse(text, [kind]).tree)
    if all(term in terms for term in other):
        text = _without(text, kind, other)
        terms = _terms(parse(text, [kind]).tree)
    if all(term in terms for term in mine):
        return _without(text, kind, mine)
    missing = tuple(term for term in mine if term not in terms)
    longer = f"{text} {written(_all(missing))}".lstrip()
    return _if_said(longer, kind, (*terms, *missing))


def wanted(query: str, kind: str, *, is_negated: bool = False) -> tuple[Node, ...]:
    """The terms that require a query, or exclude it."""
    tree = parse(query, [kind], is_finished=True).tree
    return (Not(tree),) if is_negated else _terms(tree)


def _without(text: str, kind: str, terms: Sequence[Node]) -> str:
    """The text without some terms; the rest is unchanged."""
    found = _terms(parse(text, [kind]).tree)
    shorter = text
    for term in reversed(found):
        if term in terms:
            before, behind = shorter[: term.span.start], shorter[term.span.end :]
            shorter = f"{before.rstrip()} {behind.lstrip()}".strip()
    return _if_said(shorter, kind, tuple(one for one in found if one not in terms))


def _if_said(text: str, kind: str, terms: tuple[Node, ...]) -> str:
    """The text if it parses to these terms, else the terms written out."""
    if _terms(parse(text, [kind]).tree) == terms:
        return text
    return written(_all(terms)) if terms else ""


def _terms(tree: Node) -> tuple[Node, ...]:
    """The terms of a conjunction."""
    if tree == EVERYTHING:
        return ()
    return tree.terms if isinstance(tree, All) else (tree,)


def _all(terms: Sequence[Node]) -> Node:
    return terms[0] if len(terms) == 1 else All(tuple(terms))


def _folded(value: Value) -> Value:
    return value.casefold() if isinstance(value, str) else value


# The content of the facet pane, computed in a worker.

QUEUES: Mapping[str, Sequence[tuple[str, str]]] = {
    "memories": (
        ("orphans", "is:orphan"),
        ("one-way links", "is:onesided"),
        ("duplicates", "is:duplicate"),
        ("fading, important", "stage:fading importance>=.7"),
        ("suspicious", "is:suspicious"),
    ),
    "edges": (("one-sided", "is:onesided"), ("broken", "is:broken")),
    "conversations": (("with errors", "has:errors"),),
    "events": (("errors", "is:error"),),
}
"""Queries worth reviewing, by kind of record."""


_TOKENS = (
    ("< 10k", "tokens<10000"),
    ("10k – 100k", "tokens>=10000 tokens<100000"),
    ("100k – 1M", "tokens>=100000 tokens<1000000"),
    ("≥ 1M", "tokens>=1000000"),
)
_COST = (
    ("< 0.10", "cost<.1"),
    ("0.10 – 1", "cost>=.1 cost<1"),
    ("1 – 10", "cost>=1 cost<10"),
    ("≥ 10", "cost>=10"),
)
_RANGES = {"tokens": _TOKENS, "cost": _COST}
_MEASURED = frozenset({"conversations", "agents"})
"""The kinds that are also counted by ranges of tokens and cost."""


class Counted(Struct, frozen=True):
    """A named query with its count in the result."""

    name: str
    query: str
    count: int


class Gathered(Struct, frozen=True):
    """A result by fields, review queues and saved queries."""

    kind: str = "memories"
    total: int = 0
    """Number of records in the result."""
    shares: Mapping[str, Sequence[tuple[str, int]]] = field(
        default_factory=dict[str, Sequence[tuple[str, int]]]
    )
    """The count of each value, by field."""
    queues: tuple[Counted, ...] = ()
    """The review queues."""
    saved: tuple[Counted, ...] = ()
    """The saved queries that apply to this kind."""
    ranges: Mapping[str, Sequence[Counted]] = field(
        default_factory=dict[str, Sequence[Counted]]
    )
    """Ranges of numbers, by field."""


def gather(
    library: Library, kind: str, tree: Node, saved: Mapping[str, str]
) -> Gathered:
    """Count the values, queues and saved queries of a result."""
    return Gathered(
        kind,
        library.lists.count(kind, tree),
        _shares(library, kind, tree),
        tuple(_counted(library, kind, tree, QUEUES.get(kind, ()))),
        tuple(_counted(library, kind, tree, saved.items())),
        {
            name: tuple(_counted(library, kind, tree, ranges))
            for name, ranges in _RANGES.items()
            if kind in _MEASURED
        },
    )


def _shares(
    library: Library, kind: str, tree: Node
) -> Mapping[str, Sequence[tuple[str, int]]]:
    """The count of each value, by field.

    The other values of a field that the query names are counted as if it did not, so
    that a second one can be chosen. A record has several tags, but one value of others.
    """
    shares = dict(library.search.facets(kind, tree))
    for name in _named(tree) & (shares.keys() - {_TAGS}):
        others = _beside(tree, name)
        shares |= library.search.facets(kind, others, names=(name,))
    return shares


def _named(tree: Node) -> frozenset[str]:
    """The fields that a query requires a value of."""
    if isinstance(tree, Named):
        return frozenset((tree.name,))
    terms = tree.terms if isinstance(tree, All) else ()
    return frozenset[str]().union(*map(_named, terms))


def _beside(tree: Node, name: str) -> Node:
    """A query without the values that it requires of a field."""
    if isinstance(tree, All):
        return All(tuple(_beside(term, name) for term in tree.terms))
    return EVERYTHING if isinstance(tree, Named) and tree.name == name else tree


def counts_of(
    library: Library, kind: str, queries: Mapping[str, str]
) -> dict[str, int]:
    """The number of records of a kind that each query finds, by name."""
    counted = _counted(library, kind, EVERYTHING, queries.items())
    return {one.name: one.count for one in counted}


def _counted(
    library: Library, kind: str, tree: Node, queries: Iterable[tuple[str, str]]
) -> Iterable[Counted]:
    """The counts of queries within a result; queries about other kinds are left out."""
    for name, text in queries:
        query = parse(text, [kind], is_finished=True)
        if not query.complaints and query.tree != EVERYTHING:
            yield Counted(
                name, text, library.lists.count(kind, All((tree, query.tree)))
            )


# The rows of the facet pane: values by field, review queues, saved queries.

_MOST = 12
"""Maximum values shown of a field; a query can use any other."""

_TAGS = "tags"

_TITLES = {
    _TAGS: "tag",
    "event_class": "class",
    "models": "model",
    "session": "origin session",
}
"""Headings of fields that differ from the field name."""

_ORDER = (
    *("stage", "status", "severity", "role", "type", "category", "kind", "code"),
    *("event_class", "tool", "model", "models", "tags", "project", "branch", "session"),
    *("store", "year", "month"),
)
"""The fields, in display order."""

_TIMES = frozenset({"year", "month"})
"""Fields whose values are shown newest first."""

_MARKS: dict[str, Piece] = {"tags": ("#", "tag"), "store": ("◈", "muted")}
_NONE: Piece = (" ", "")


class Facet(Struct, frozen=True):
    """A value of a field, or a query, with its count in the result."""

    field: str
    """The field; empty for a query."""
    value: str
    """The value or the query."""
    name: str
    """The text shown."""
    count: int
    share: float
    """Its share of the result."""
    mark: Piece
    stand: Stand

    @property
    def key(self) -> tuple[str, str, str]:
        """Identifies the facet."""
        return self.field, self.value, "" if self.field else self.name

    def toggled(self, text: str, kind: str, *, is_negated: bool) -> str:
        """The query with this facet added or removed."""
        if self.field:
            return toggled(text, [kind], self.field, self.value, negated=is_negated)
        return toggled_query(text, kind, self.value, is_negated=is_negated)


def facets(gathered: Gathered, text: str) -> list[Facet | Heading]:
    """All rows; values in the query are included even with a count of zero."""
    standing = Standing(text, gathered.kind)
    rows: list[Facet | Heading] = []
    for name in _ORDER:
        found = list(_values(gathered, name, standing))
        if found:
            rows += [Heading(_TITLES.get(name, name)), *found]
    for name, ranges in gathered.ranges.items():
        found = [*_queries(gathered, ranges, standing)]
        found = [one for one in found if one.count or one.stand is not Stand.OPEN]
        rows += [Heading(name), *found] if found else []
    queues = _queries(gathered, gathered.queues, standing)
    saved = _queries(gathered, gathered.saved, standing)
    for title, queries in (("review queues", queues), ("saved queries", saved)):
        found = list(queries)
        rows += [Heading(title), *found] if found else []
    return rows


def _values(gathered: Gathered, field: str, standing: Standing) -> Iterator[Facet]:
    """The values of a field by frequency; stages and times in their own order."""
    shares = list(gathered.shares.get(field, ()))
    told = {value.casefold() for value, _ in shares[:_MOST]}
    counts = {value.casefold(): count for value, count in shares}
    named = [one for one in standing.named(field) if one.casefold() not in told]
    shown = shares[:_MOST] + [(one, counts.get(one.casefold(), 0)) for one in named]
    if field == "stage":
        shown.sort(key=lambda share: _stage(share[0]))
    elif field in _TIMES:
        shown.sort(reverse=True)
    for value, count in shown:
        yield Facet(
            field,
            value,
            STAGE_WORDS.get(value, value) if field == "stage" else value,
            count,
            _part(count, gathered.total),
            _mark(field, value),
            standing.to_value(field, value),
        )


def _queries(
    gathered: Gathered, queries: Iterable[Counted], standing: Standing
) -> Iterator[Facet]:
    for one in queries:
        share = _part(one.count, gathered.total)
        stand = standing.to_query(one.query)
        yield Facet("", one.query, one.name, one.count, share, _NONE, stand)


def _stage(stage: str) -> int:
    stages: Sequence[str] = list(GLYPHS)
    return stages.index(stage) if stage in stages else len(stages)


def _mark(field: str, value: str) -> Piece:
    if field == "stage" and value in GLYPHS:
        return GLYPHS[value], value
    return _MARKS.get(field, _NONE)


def _part(count: int, total: int) -> float:
    return min(count / total, 1.0) if total else 0.0


# The facet pane: a choice changes the query.

_BEFORE = 3
"""Columns for the sign, the mark and a space."""
_BAR = 6
_COUNT = 5
_SMALL = 24
"""Minimum width at which bars are shown."""

_SIGNS = {
    Stand.OPEN: (" ", ""),
    Stand.ASKED: ("✓", "marked"),
    Stand.EXCLUDED: ("-", "warning"),
}


_WIDEST = 44
"""Maximum cells of a facet, so that its count is near its name."""
_EXPLAINED = 60
"""Minimum width at which the head says how to take filters back."""


class FacetPane(Sections[Facet]):
    """Counts of the current result; only the query knows what is chosen."""

    has_head = True

    def __init__(self, sheet: Sheet) -> None:
        self._gathered = Gathered()
        self._text = ""
        self._hits = (0, 0)
        super().__init__(sheet)

    def tell(self, found: int, total: int) -> None:
        """Show the number of hits in the head."""
        self._hits = found, total
        self.lines.sheet.redraw()

    def head(self, width: int) -> Pieces:
        """The name of the pane, the number of hits, and the way back."""
        found, total = self._hits
        hits = f"{brief(found)} of {brief(total)}"
        name = named([[("Filters", PANE)], [(hits, "head")]], width)
        if width < _EXPLAINED:
            return name
        back = [("esc cancels", "head")]
        return [*fit(name, width - width_of(back)), *back]

    def show(self, gathered: Gathered) -> None:
        """Show the counts of another result."""
        self._gathered = gathered
        self._fill()

    def ask(self, text: str) -> None:
        """Show what another query requires; its counts follow later."""
        if text != self._text:
            self._text = text
            self._fill()

    def draw(self, record: Facet | Heading, width: int) -> Pieces:
        """Draw the state, the name and the count of a facet."""
        width = min(width, _WIDEST)
        if isinstance(record, Heading):
            return fit([(told(record.title), "heading")], width)
        share = [(" ", ""), *bar(record.share, _BAR, "importance")]
        shares = share if width >= _SMALL and record.count else []
        if width >= _SMALL and not record.count:
            shares = [(" " * (_BAR + 1), "")]
        room = max(width - _BEFORE - (_BAR + 1 if shares else 0) - _COUNT, 0)
        return [
            _SIGNS[record.stand],
            record.mark,
            (" ", ""),
            *fit([(told(record.name), _tone(record))], room),
            *shares,
            *fit([(brief(record.count), "muted")], _COUNT, is_right=True),
        ]

    def toggle(self) -> None:
        """Add the facet at the cursor to the query, or remove it."""
        self._toggle(is_negated=False)

    def negate(self) -> None:
        """Exclude the facet at the cursor, or stop excluding it."""
        self._toggle(is_negated=True)

    def clicked(self, line: int, row: int, x: int, times: int) -> None:
        """Toggle a facet with a single click."""
        super().clicked(line, row, x, 1)
        del times
        if not isinstance(self.lines.record(row), Heading):
            self._toggle(is_negated=False)

    def _toggle(self, *, is_negated: bool) -> None:
        facet = self.chosen
        if facet is not None:
            kind = self._gathered.kind
            text = facet.toggled(self._text, kind, is_negated=is_negated)
            self.lines.sheet.post_message(Toggled(text))

    def _fill(self) -> None:
        """Update the rows; the cursor stays at the top unless the user has moved it."""
        lines = self.lines
        is_moved = lines.first > 0 or self.seek(lines.cursor - 1, -1) is not None
        rows = Held(facets(self._gathered, self._text), key=_key)
        lines.set_rows(rows, keeps=is_moved)


def _key(row: Facet | Heading) -> Key:
    return row.title if isinstance(row, Heading) else row.key


def _tone(facet: Facet) -> str:
    """The style: strong for chosen facets, faint for empty ones, colours of types."""
    if facet.stand is not Stand.OPEN:
        return "title strong"
    if facet.field == "type" and facet.count:
        return code(facet.value)[1]
    return "title" if facet.count else "faint"
