"""The graph around one record: above it what leads to it, beneath it where it leads.

    ┌◀─REQUIRES───────  PRC Deploy to production            .50
    ◉ SOL Fixed Redis connection timeouts
    ├━SOLVES━━━━━━━━━▶  PRB Redis connection drops          .80 ✎
    │  └─CAUSES──────▶  ERR ECONNRESET                      .50
    └─FOLLOWS────────▶  FIX Discord bot reconnection        .60

Of many links of one type the strongest are shown. A record that is shown already is
shown again where a link leads to it, but not what lies beyond.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct, field

from widgets.graph.arrow import Arrow, Node

SHOWN = 5
"""Links of one type and direction that are shown; the others are counted."""

_TRUNK, _GAP = "│  ", "   "

Grown = Mapping[str, Sequence[Arrow]]
"""What lies beyond, by the refs of the records that are to be followed further."""


class GraphLine(Struct, frozen=True):
    """One line of the graph."""

    key: Hashable
    """Tells it from all others, whatever else is shown."""
    branch: str
    """What ties it to the lines around it."""
    node: Node
    """The record that it leads to; the one in the middle on its own line."""
    arrow: Arrow | None = None
    """The link; None for the record in the middle."""
    more: int = 0
    """How many links like this one are not shown, where the line tells of them."""
    is_again: bool = False
    """Whether the record is shown above already."""


class _Walk(Struct):
    """What is known while lines are made."""

    grown: Grown
    seen: set[str] = field(default_factory=set[str])
    keys: Counter[Hashable] = field(default_factory=Counter[Hashable])

    def key(self, *parts: Hashable) -> tuple[Hashable, ...]:
        """A key that no other line has, though two links may be alike."""
        self.keys[parts] += 1
        return (*parts, self.keys[parts])

    def is_new(self, ref: str | None) -> bool:
        """Whether a record is shown for the first time."""
        is_new = ref is None or ref not in self.seen
        if ref:
            self.seen.add(ref)
        return is_new


class _Cut(Struct, frozen=True):
    """An arrow, or the number of those like it that are left out."""

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
    """A link, and what lies beyond it where that was asked for."""
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
    """Links, the strongest types and of each the strongest first, cut where many."""
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
