"""The rows of the facets: values under their fields, queues, saved queries."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from store.search.language.editing import toggled
from tui.browser.facets.gathered import Counted, Gathered
from tui.browser.facets.standing import Stand, Standing, toggled_query
from tui.browser.popups.rows import Heading
from widgets.columns.types import GLYPHS, code
from widgets.lines.pieces import Piece

_MOST = 12
"""Values of a field that are told at most; the query can name any other."""

_TITLES = {"tags": "tag", "event_class": "class"}
"""Fields that a heading calls otherwise."""

_ORDER = (
    "stage",
    "status",
    "severity",
    "role",
    "type",
    "kind",
    "code",
    "event_class",
    "tool",
    "tags",
    "project",
    "store",
    "year",
    "month",
)
"""The fields that are counted, in the order in which they are told."""

_TIMES = frozenset({"year", "month"})
"""Fields whose values are told from the newest to the oldest."""

_MARKS: dict[str, Piece] = {
    "tags": ("#", "tag"),
    "store": ("◈", "muted"),
    "project": ("◈", "muted"),
    "severity": ("!", "warning"),
    "code": ("!", "warning"),
}
_QUEUE: Piece = ("!", "warning")
_SAVED: Piece = ("◈", "brand")
_ANY: Piece = ("·", "faint")


class Facet(Struct, frozen=True):
    """Something that a part of the result has in common."""

    field: str
    """The field that it is a value of; empty where it is a query."""
    value: str
    """The value, or the query."""
    name: str
    """What it is called."""
    count: int
    share: float
    """How much of the result it is."""
    mark: Piece
    stand: Stand

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from all others."""
        return self.field, self.value, "" if self.field else self.name

    def toggled(self, text: str, kind: str, *, is_negated: bool) -> str:
        """The query, once this is asked for, or no more."""
        if self.field:
            return toggled(text, [kind], self.field, self.value, negated=is_negated)
        return toggled_query(text, kind, self.value, is_negated=is_negated)


def facets(gathered: Gathered, text: str) -> list[Facet | Heading]:
    """All rows; what the query names is there even where nothing of it is left."""
    standing = Standing(text, gathered.kind)
    rows: list[Facet | Heading] = []
    for field in _ORDER:
        found = list(_values(gathered, field, standing))
        if found:
            rows += [Heading(_TITLES.get(field, field)), *found]
    queues = _queries(gathered, gathered.queues, _QUEUE, standing)
    saved = _queries(gathered, gathered.saved, _SAVED, standing)
    for title, queries in (("review queues", queues), ("saved queries", saved)):
        found = list(queries)
        rows += [Heading(title), *found] if found else []
    return rows


def _values(gathered: Gathered, field: str, standing: Standing) -> Iterator[Facet]:
    """The values of a field, the most frequent first; stages and times in order."""
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
            value,
            count,
            _part(count, gathered.total),
            _mark(field, value),
            standing.to_value(field, value),
        )


def _queries(
    gathered: Gathered, queries: Iterable[Counted], mark: Piece, standing: Standing
) -> Iterator[Facet]:
    for one in queries:
        share = _part(one.count, gathered.total)
        stand = standing.to_query(one.query)
        yield Facet("", one.query, one.name, one.count, share, mark, stand)


def _stage(stage: str) -> int:
    stages: Sequence[str] = list(GLYPHS)
    return stages.index(stage) if stage in stages else len(stages)


def _mark(field: str, value: str) -> Piece:
    """The glyph before a value."""
    if field == "stage" and value in GLYPHS:
        return GLYPHS[value], value
    if field == "type":
        return "•", code(value)[1]
    return _MARKS.get(field, _ANY)


def _part(count: int, total: int) -> float:
    return count / total if total else 0.0
