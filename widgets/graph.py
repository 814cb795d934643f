"""The links of a record as a graph, and the places that mention it."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct, field
from textual.message import Message

from store.kinds.edges import Edge
from store.records.answers import Link
from widgets.lines import Face
from widgets.memory_table import code, fraction, stroke
from widgets.rows import Held, Key
from widgets.sheet import PANE, Notice, Piece, Pieces, Sheet, width_of
from widgets.table import fit, named, told

# An arrow: a link as seen from a memory at one of its ends.

_IN_A_FILE = "file"


class Node(Struct, frozen=True, kw_only=True):
    """A record in a graph."""

    ref: str | None
    """Its ref; None for the end of a broken link."""
    title: str | None
    """Its title, or the name that the link uses."""
    type: str | None = None
    """The type of memory, if known."""


class Arrow(Struct, frozen=True, kw_only=True):
    """A link to or from another record."""

    kind: str
    """The type of the link."""
    comes_in: bool
    """Whether it comes from the other record."""
    other: Node
    """The other record."""
    strength: float | None = None
    """Its strength, 0…1."""
    edge: str | None = None
    """The ref of the edge, if the link is one."""
    has_file: bool = False
    """Whether it has an edge file."""
    is_broken: bool = False
    """Whether it is one-sided, or broken."""
    is_mention: bool = False
    """Whether it is a text that names a memory, which lists don't count as a link."""


def of_link(
    link: Link, type_of_other: str | None = None, edge: Edge | None = None
) -> Arrow:
    """A row of `links` as an arrow, with the facts of its edge if it has one."""
    return Arrow(
        kind=said(link),
        comes_in=link.direction == "in",
        other=Node(ref=link.ref, title=link.title, type=type_of_other),
        strength=link.strength,
        edge=link.edge,
        has_file=edge is not None and _IN_A_FILE in edge.sides,
        is_broken=link.ref is None or bool(edge and edge.problems),
        is_mention=link.by in _TEXTS,
    )


_TEXTS = frozenset({"episode", "document"})


def said(link: Link) -> str:
    """The type of a link in words."""
    return "mentions" if link.by in _TEXTS else link.type


# The graph around a record: incoming links above, outgoing links beneath.
#
#    ┌◀─REQUIRES─────── PRC Deploy to production        .50
#    ◉ SOL Fixed Redis connection timeouts
#    ├━SOLVES━━━━━━━━━▶ PRB Redis connection drops      .80 ✎
#    │  └─CAUSES──────▶ ERR ECONNRESET                  .50
#    └─FOLLOWS────────▶ FIX Discord bot reconnection    .60
#
# Of many links of one type, the strongest are shown. A record that is already shown is
# repeated for another link to it, but not expanded again.

SHOWN = 5
"""The most links shown per type and direction; the others are counted."""

_TRUNK, _GAP = "│  ", "   "

Grown = Mapping[str, Sequence[Arrow]]
"""The links of expanded records, by ref."""


class GraphLine(Struct, frozen=True):
    """One line of the graph."""

    key: Hashable
    """A unique key, independent of what else is shown."""
    branch: str
    """The branch that connects it with the lines around it."""
    node: Node
    """The record at the end of the link, or the one in the middle."""
    arrow: Arrow | None = None
    """The link; None for the record in the middle."""
    more: int = 0
    """The number of further links of this type, if the line is about them."""
    is_again: bool = False
    """Whether the record is already shown above."""


class _Walk(Struct):
    """State while lines are made."""

    grown: Grown
    seen: set[str] = field(default_factory=set[str])
    keys: Counter[Hashable] = field(default_factory=Counter[Hashable])

    def key(self, *parts: Hashable) -> tuple[Hashable, ...]:
        """A unique key, even for identical links."""
        self.keys[parts] += 1
        return (*parts, self.keys[parts])

    def is_new(self, ref: str | None) -> bool:
        """Whether a record is shown for the first time."""
        is_new = ref is None or ref not in self.seen
        if ref:
            self.seen.add(ref)
        return is_new


class _Cut(Struct, frozen=True):
    """An arrow, or the number of similar ones left out."""

    arrow: Arrow
    more: int = 0


def ego(center: Node, arrows: Sequence[Arrow], grown: Grown) -> list[GraphLine]:
    """The lines of a graph."""
    walk = _Walk(grown)
    walk.is_new(center.ref)
    above = _cut(arrow for arrow in arrows if arrow.comes_in)
    beneath = _cut(arrow for arrow in arrows if not arrow.comes_in)
    lines: list[GraphLine] = []
    for number, cut in enumerate(above):
        lines += _lines(cut, "├" if number else "┌", _TRUNK, (), walk)
    lines.append(GraphLine((), "", center))
    for number, cut in enumerate(beneath, 1):
        is_last = number == len(beneath)
        corner, trunk = ("└", _GAP) if is_last else ("├", _TRUNK)
        lines += _lines(cut, corner, trunk, (), walk)
    return lines


def _lines(
    cut: _Cut, branch: str, trunk: str, path: tuple[Hashable, ...], walk: _Walk
) -> Iterator[GraphLine]:
    """A link, followed by the links of its record if expanded."""
    arrow = cut.arrow
    end = arrow.other.ref or arrow.other.title
    link = None if cut.more else (end, arrow.edge)
    key = walk.key(*path, arrow.comes_in, arrow.kind, link)
    if cut.more:
        yield GraphLine(key, branch, arrow.other, arrow, cut.more)
        return
    is_new = walk.is_new(arrow.other.ref)
    yield GraphLine(key, branch, arrow.other, arrow, is_again=not is_new)
    if is_new and not path:
        beyond = [
            one
            for one in walk.grown.get(arrow.other.ref or "", ())
            if not _is_way_back(one, arrow)
        ]
        cuts = _cut(beyond)
        for number, one in enumerate(cuts, 1):
            corner = "└" if number == len(cuts) else "├"
            yield from _lines(one, f"{trunk}{corner}", trunk, key, walk)


def _is_way_back(one: Arrow, arrow: Arrow) -> bool:
    """Whether a link of the other record is the one that led to it."""
    if one.edge or arrow.edge:
        return one.edge == arrow.edge
    return one.kind == arrow.kind and one.comes_in != arrow.comes_in


def _cut(arrows: Iterable[Arrow]) -> list[_Cut]:
    """Links by strongest type, then by strength, with long groups cut."""
    cuts: list[_Cut] = []
    for _, found in groupby(_ordered(list(arrows)), _group):
        group = list(found)
        cuts += [_Cut(arrow) for arrow in group[:SHOWN]]
        if len(group) > SHOWN:
            cuts.append(_Cut(group[SHOWN], len(group) - SHOWN))
    return cuts


def _ordered(arrows: Sequence[Arrow]) -> list[Arrow]:
    best: dict[tuple[bool, str], float] = {}
    for arrow in arrows:
        group = _group(arrow)
        best[group] = max(best.get(group, 0.0), arrow.strength or 0.0)
    return sorted(
        arrows,
        key=lambda one: (-best[_group(one)], _group(one), -(one.strength or 0.0)),
    )


def _group(arrow: Arrow) -> tuple[bool, str]:
    return arrow.comes_in, arrow.kind


# A drawn line of a graph: branch, arrow, record, strength, flaws.

_ARROW = 18
"""Cells for branch and arrow together, if there is room."""

_SHARE = 3
"""Branch and arrow take at most this fraction of the width."""

_LEAST = 6

_ROOMY = 24
"""The width from which strength and flaws are shown."""


def drawn(line: GraphLine, width: int) -> Pieces:
    """The pieces of a line."""
    if line.arrow is None:
        return fit([("◉ ", "center"), *_node(line.node, "title center")], width)
    reach = max(min(_ARROW, width // _SHARE), _LEAST)
    before: list[Piece] = [(line.branch, "stroke"), *_link(line, line.arrow, reach)]
    after = _after(line.arrow) if width >= _ROOMY and not line.more else []
    left = max(width - width_of(before) - width_of(after), 0)
    return [*before, *fit(_end(line), left), *after]


def _link(line: GraphLine, arrow: Arrow, reach: int) -> list[Piece]:
    """The arrow, its end aligned with those of all others."""
    if line.more:
        return [("  ", "")]
    width = max(reach - len(line.branch), 2)
    drawn = stroke(arrow.kind, arrow.strength, width, comes_in=arrow.comes_in)
    return [*drawn, (" ", "")]


def _end(line: GraphLine) -> Pieces:
    """The linked record, or the number of further ones."""
    if line.more and line.arrow:
        return [(f"… {line.more} more {told(line.arrow.kind)}", "muted")]
    if line.is_again:
        return [("↺ ", "faint"), *((text, "faint") for text, _ in _node(line.node, ""))]
    return _node(line.node, "title" if line.node.ref else "faint")


def _node(node: Node, tone: str) -> list[Piece]:
    """The type of a record, if known, and its title."""
    letters, colour = code(node.type)
    known = [(f"{letters} ", colour)] if letters.strip() else []
    return [*known, (told(node.title) or told(node.ref) or "nothing", tone)]


def _after(arrow: Arrow) -> list[Piece]:
    """The strength of a link and its flags, in a fixed width."""
    strength = "" if arrow.strength is None else fraction(arrow.strength)
    return [
        (f" {strength:>4} ", "muted"),
        ("✎" if arrow.has_file else " ", "arrow"),
        ("⚠" if arrow.is_broken else " ", "warning"),
    ]


# The graph around one record, for browsing.

NOBODY = Node(ref=None, title=None)
"""An empty middle."""


class Graph(Face[GraphLine]):
    """Shows the incoming and outgoing links of a record; reports where to go."""

    has_head = True

    TAB = "links"
    """The tab of a reader that it can replace."""

    class Followed(Notice):
        """The record at the end of a link should move to the middle."""

        ref: str

    class WentBack(Notice):
        """The previous record should move back to the middle."""

    class BeyondAsked(Notice):
        """The links of a record should be shown: answer with `grow`."""

        ref: str

    class MoreAsked(Notice):
        """All links of one type should be listed."""

        kind: str
        comes_in: bool

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet)
        self._center = NOBODY
        self._arrows: Sequence[Arrow] = ()
        self._grown: dict[str, Sequence[Arrow]] = {}

    def show(self, center: Node, arrows: Sequence[Arrow]) -> None:
        """Put a record in the middle, with the cursor on its first outgoing link."""
        if center == self._center and arrows == self._arrows:
            return
        is_same = center.ref == self._center.ref
        self._center, self._arrows = center, arrows
        if not is_same:
            self._grown.clear()
        self._fill(keeps=is_same)
        if not is_same:
            middle = sum(arrow.comes_in for arrow in arrows)
            self.lines.to_key(())
            self.lines.move(1 if middle < len(arrows) else -1)

    def grow(self, ref: str, arrows: Sequence[Arrow]) -> None:
        """Show the links of a record, scrolling as far as possible."""
        lines, sheet = self.lines, self.lines.sheet
        before = lines.count()
        self._grown[ref] = arrows
        self._fill(keeps=True)
        last = lines.cursor + lines.count() - before
        if last >= sheet.first + sheet.room:
            sheet.scroll_top(min(last + 1 - sheet.room, lines.cursor))

    def draw(self, record: GraphLine, width: int) -> Pieces:
        """A line of the graph."""
        return drawn(record, width)

    def head(self, width: int) -> Pieces:
        """The name of the pane, and the number of links."""
        parts: list[Pieces] = [[("Links", PANE)]]
        if self._center != NOBODY:
            linked = [arrow for arrow in self._arrows if not arrow.is_mention]
            came = sum(arrow.comes_in for arrow in linked)
            counts = f"{came} in · {len(linked) - came} out"
            if mentions := len(self._arrows) - len(linked):
                counts += f" · {mentions} mention{'s'[: mentions > 1]}"
            parts.append([(counts, "head")])
        return named(parts, width)

    def choose(self, key: Key, row: int) -> None:
        """Ask to follow the link at the cursor, or to list all of its type."""
        del key
        line, sheet = self.lines.record(row), self.lines.sheet
        if line is None or line.arrow is None:
            return
        if line.more:
            arrow = line.arrow
            sheet.post_message(self.MoreAsked(arrow.kind, arrow.comes_in))
        elif line.node.ref:
            sheet.post_message(self.Followed(line.node.ref))

    @property
    def edge(self) -> str | None:
        """The ref of the edge at the cursor, if it is an edge."""
        line = self.lines.at_cursor
        return line.arrow.edge if line and line.arrow and not line.more else None

    def back(self) -> None:
        """Ask to go back."""
        self.lines.sheet.post_message(self.WentBack())

    def toggle(self) -> None:
        """Expand or collapse the link at the cursor."""
        line = self.lines.at_cursor
        ref = line.node.ref if line and line.arrow and not line.more else None
        if ref is None or (line and line.is_again):
            return
        if self._grown.pop(ref, None) is None:
            self.lines.sheet.post_message(self.BeyondAsked(ref))
        else:
            self._fill(keeps=True)

    def _fill(self, *, keeps: bool) -> None:
        is_nobody = self._center == NOBODY
        lines = [] if is_nobody else ego(self._center, self._arrows, self._grown)
        self.lines.set_rows(Held(lines, key=lambda line: line.key), keeps=keeps)


# Places that mention a record, and similar records without a link.


class SightingSheet(Sheet):
    """Reports when it becomes visible, as it is only filled while it is."""

    class Shown(Message):
        """The sheet has become visible."""

    def on_show(self) -> None:
        """Report it, as records may have been opened while it was hidden."""
        self.post_message(self.Shown())


_WHEN = 10
"""Cells for the day, or for the similarity."""

_SIGHTINGS_ROOMY = 32
"""The width from which they are shown."""


class Sighting(Struct, frozen=True):
    """A record that mentions another one, or is similar to it."""

    node: Node
    kind: str
    """The kind of record."""
    when: str = ""
    """Its day, if it has one."""
    likeness: float | None = None
    """The similarity, 0…1; None if it mentions the record."""

    @property
    def key(self) -> Key:
        """The unique key of the row."""
        return self.node.ref, self.likeness is None


class Sightings(Face[Sighting]):
    """One row per sighting; reports where to go."""

    has_head = True

    class Followed(Notice):
        """The user wants to see the record in a row."""

        ref: str

    def show(self, sightings: Sequence[Sighting]) -> None:
        """Show other sightings."""
        self.lines.set_rows(Held(sightings, key=lambda one: one.key), keeps=False)

    def head(self, width: int) -> Pieces:
        """The name of the pane, and the number of each kind."""
        rows = self.lines.rows.page(0, self.lines.count())
        alike = sum(one is not None and one.likeness is not None for one in rows)
        seen = self.lines.count() - alike
        parts: list[Pieces] = [
            [("Related", PANE)],
            [(f"{seen} mention{'s' * (seen != 1)} · {alike} similar", "head")],
        ]
        return named(parts, width)

    def draw(self, record: Sighting, width: int) -> Pieces:
        """The day or similarity, the kind, and the title."""
        before: list[Piece] = [_kind(record)]
        if width >= _SIGHTINGS_ROOMY:
            before = [*fit([_aside(record)], _WHEN), (" ", ""), *before]
        title = told(record.node.title) or told(record.node.ref)
        room = max(width - width_of(before) - 1, 0)
        return [*before, (" ", ""), *fit([(title, "title")], room)]

    def choose(self, key: Key, row: int) -> None:
        """Ask to go there."""
        del key
        sighting, sheet = self.lines.record(row), self.lines.sheet
        if sighting is not None and sighting.node.ref:
            sheet.post_message(self.Followed(sighting.node.ref))


def _kind(record: Sighting) -> Piece:
    """The code of a memory's type, or three letters of another kind."""
    if record.node.type is not None:
        return code(record.node.type)
    return told(record.kind)[:3].ljust(3), "muted"


def _aside(record: Sighting) -> Piece:
    if record.likeness is None:
        return told(record.when)[:_WHEN], "muted"
    return f"~ {record.likeness:.2f}", "arrow"
