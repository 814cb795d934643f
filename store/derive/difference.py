"""What differs between two texts, as a unified diff in a time that stays in bounds.

`difflib` alone takes minutes for two texts of some hundred thousand lines. Here lines
that stand once in each text are anchors, and only what lies between two anchors is
compared line with line; where even that would take long, it is replaced as a whole.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher
from typing import NamedTuple

_AROUND = 3
"""How many lines that stay are shown around those that do not."""

_COMPARED = 2_000_000
"""How many pairs of lines may be compared in all where there is no anchor."""

_DEEPEST = 12
"""How often anchors are looked for again between anchors."""

_UNENDED = "\n\\ No newline at end of file\n"


def difference(name: str, before: str | None, after: str | None) -> str:
    """A unified diff of a file's two texts; empty where nothing differs."""
    if before == after:
        return ""
    old, new = _lines(before or ""), _lines(after or "")
    groups = _Anchored(old, new).get_grouped_opcodes(_AROUND)
    hunks = (line for group in groups for line in _hunk(group, old, new))
    head = (
        f"--- {'/dev/null' if before is None else f'a/{name}'}\n",
        f"+++ {'/dev/null' if after is None else f'b/{name}'}\n",
    )
    return "".join((*head, *hunks))


def note(before: str, after: str, told: str) -> str:
    """A diff that says in words what differs; files are named as diffs name them."""
    return f"--- {before}\n+++ {after}\n\\ {told}\n"


def hidden(name: str) -> str:
    """What is shown where nothing differs of what may be seen."""
    return note(f"a/{name}", f"b/{name}", "what differs is secret")


def _lines(text: str) -> list[str]:
    """The lines with their ends; only a line feed ends a line."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last + _UNENDED] if last else lines


_Codes = Sequence[tuple[str, int, int, int, int]]


def _hunk(group: _Codes, old: list[str], new: list[str]) -> Iterator[str]:
    first, last = group[0], group[-1]
    yield f"@@ -{_span(first[1], last[2])} +{_span(first[3], last[4])} @@\n"
    for code, start, end, new_start, new_end in group:
        if code == "equal":
            yield from (f" {line}" for line in old[start:end])
            continue
        yield from (f"-{line}" for line in old[start:end])
        yield from (f"+{line}" for line in new[new_start:new_end])


def _span(start: int, end: int) -> str:
    """Where lines stand, as diffs say it: an empty span names the line before it."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


class _Range(NamedTuple):
    """Lines of the old text and of the new one that lie between two anchors."""

    start: int
    end: int
    new_start: int
    new_end: int
    level: int


class _Anchored(SequenceMatcher[str]):
    """Tells what stays by anchors; what follows from that is difflib's."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        super().__init__()
        self.a, self.b = old, new
        self._left = _COMPARED

    def get_matching_blocks(self) -> list[Match]:
        """The stretches that stay, in order, and an empty one at the end."""
        old, new = self.a, self.b
        found: list[Match] = []
        pending = [_Range(0, len(old), 0, len(new), 0)]
        while pending:
            whole = pending.pop()
            part, kept = _trimmed(old, new, whole)
            found += kept
            anchors = _anchors(old, new, part) if part.level < _DEEPEST else []
            if anchors:
                pending += _between(part, anchors)
            else:
                found += self._compared(part)
        found.sort()
        return [*_joined(found), Match(len(old), len(new), 0)]

    def _compared(self, part: _Range) -> Iterator[Match]:
        """What stays of a part without anchors, if that can be told in good time."""
        start, end, new_start, new_end, _ = part
        pairs = (end - start) * (new_end - new_start)
        if not 0 < pairs <= self._left:
            return
        self._left -= pairs
        old, new = self.a[start:end], self.b[new_start:new_end]
        for match in SequenceMatcher(
            a=old, b=new, autojunk=False
        ).get_matching_blocks():
            if match.size:
                yield Match(match.a + start, match.b + new_start, match.size)


def _trimmed(
    old: Sequence[str], new: Sequence[str], part: _Range
) -> tuple[_Range, list[Match]]:
    """The part without what is the same at its beginning and its end."""
    start, end, new_start, new_end, level = part
    while start < end and new_start < new_end and old[start] == new[new_start]:
        start, new_start = start + 1, new_start + 1
    while start < end and new_start < new_end and old[end - 1] == new[new_end - 1]:
        end, new_end = end - 1, new_end - 1
    kept = [
        Match(part.start, part.new_start, start - part.start),
        Match(end, new_end, part.end - end),
    ]
    return _Range(start, end, new_start, new_end, level), [k for k in kept if k.size]


def _anchors(
    old: Sequence[str], new: Sequence[str], part: _Range
) -> list[tuple[int, int]]:
    """Lines that stand once on each side, as many as are in one order on both."""
    places = _once(old, part.start, part.end)
    others = _once(new, part.new_start, part.new_end)
    pairs = [(at, others[line]) for line, at in places.items() if line in others]
    return _rising(pairs)


def _once(lines: Sequence[str], start: int, end: int) -> dict[str, int]:
    """Where the lines stand that stand once."""
    places: dict[str, int] = {}
    twice: set[str] = set()
    for at in range(start, end):
        line = lines[at]
        if line in places:
            twice.add(line)
        places[line] = at
    return {line: at for line, at in places.items() if line not in twice}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest row of pairs in which both numbers rise; the first rises anyway."""
    pairs.sort()
    ends: list[int] = []
    piles: list[int] = []
    before: list[int | None] = []
    for number, (_, at) in enumerate(pairs):
        pile = bisect_left(ends, at)
        before.append(piles[pile - 1] if pile else None)
        if pile == len(ends):
            ends.append(at)
            piles.append(number)
        else:
            ends[pile], piles[pile] = at, number
    row: list[tuple[int, int]] = []
    current = piles[-1] if piles else None
    while current is not None:
        row.append(pairs[current])
        current = before[current]
    return row[::-1]


def _between(part: _Range, anchors: list[tuple[int, int]]) -> Iterator[_Range]:
    """The parts from each anchor to the next; an anchor begins its part."""
    level = part.level + 1
    starts = [(part.start, part.new_start), *anchors]
    ends = [*anchors, (part.end, part.new_end)]
    for (start, new_start), (end, new_end) in zip(starts, ends, strict=True):
        if start < end or new_start < new_end:
            yield _Range(start, end, new_start, new_end, level)


def _joined(matches: list[Match]) -> list[Match]:
    """Stretches that follow one another without a gap are one."""
    joined: list[Match] = []
    for match in matches:
        last = joined[-1] if joined else Match(-1, -1, 0)
        if (match.a, match.b) == (last.a + last.size, last.b + last.size):
            joined[-1] = Match(last.a, last.b, last.size + match.size)
        else:
            joined.append(match)
    return joined
