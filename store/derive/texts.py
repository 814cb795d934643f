"""What differs between two texts: unified diff, replaced lines, three-way merge."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from difflib import Match, SequenceMatcher
from typing import NamedTuple

from merge3 import Merge3
from msgspec import Struct

from store.text import regex

# What differs between two texts, as a unified diff in a time that stays in bounds.
#
# `difflib` alone takes minutes for two texts of some hundred thousand lines. Here
# lines that stand once in each text are anchors, and only what lies between two
# anchors is compared line with line; where even that would take long, it is replaced
# as a whole.

_AROUND = 3
"""How many lines that stay are shown around those that do not."""

_COMPARED = 2_000_000
"""How many pairs of lines may be compared in all where there is no anchor."""

_DEEPEST = 12
"""How often anchors are looked for again between anchors."""

Lines = Sequence[bytes]

_UNENDED = "\n\\ No newline at end of file\n"


def difference(
    name: str, before: str | None, after: str | None, new_name: str | None = None
) -> str:
    """A unified diff of a file's two texts; empty where nothing differs."""
    if before == after:
        return ""
    old, new = _lines(before or ""), _lines(after or "")
    groups = _Anchored(old, new).get_grouped_opcodes(_AROUND)
    hunks = (line for group in groups for line in _hunk(group, old, new))
    path, other = name.removeprefix("/"), (new_name or name).removeprefix("/")
    head = (
        f"--- {'/dev/null' if before is None else f'a/{path}'}\n",
        f"+++ {'/dev/null' if after is None else f'b/{other}'}\n",
    )
    return "".join((*head, *hunks))


def note(before: str, after: str, told: str) -> str:
    """A diff that says in words what differs; files are named as diffs name them."""
    return f"--- {before}\n+++ {after}\n\\ {told}\n"


def hidden(name: str) -> str:
    """The diff if only secret values differ."""
    return note(f"a/{name}", f"b/{name}", "the change is in secret values")


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
    """Finds unchanged parts by anchors; the rest is difflib's."""

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
        """The unchanged parts between anchors, if found in reasonable time."""
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


# The lines of a file that were replaced, found without parsing them.

_BLOCK = 1 << 16
_FINER = 1 << 5


class Exchange(Struct, frozen=True):
    """A range of lines that was replaced by others; everything else is unchanged."""

    first: int
    """The number of the first replaced line."""
    offset: int
    """The offset of its first byte."""
    gone: int
    """The number of old lines."""
    came: int
    """The number of new lines."""
    size: int
    """The size of the file now."""

    @property
    def behind(self) -> int:
        """The old number of the next unchanged line."""
        return self.first + self.gone

    @property
    def shift(self) -> int:
        """The change in line number of all lines after the range."""
        return self.came - self.gone


def exchanged(before: bytes, after: bytes) -> Exchange:
    """The difference between two versions of a file, in whole lines."""
    offset = before.rfind(b"\n", 0, _same_at_start(before, after, _BLOCK)) + 1
    least = min(len(before), len(after)) - offset
    kept = min(_same_at_end(before, after, _BLOCK), least)
    old, new = len(before) - kept, len(after) - kept
    if not (_begins(before, old, offset) and _begins(after, new, offset)):
        end = after.find(b"\n", new) + 1 or len(after)
        old, new = old + end - new, end
    return Exchange(
        before.count(b"\n", 0, offset) + 1,
        offset,
        count_lines(before[offset:old]),
        count_lines(after[offset:new]),
        len(after),
    )


def count_lines(raw: bytes) -> int:
    """The number of lines; the last one may lack its newline."""
    return raw.count(b"\n") + (raw != b"" and not raw.endswith(b"\n"))


def _begins(raw: bytes, at: int, offset: int) -> bool:
    """Whether a line starts at this position."""
    return at == offset or raw[at - 1 : at] == b"\n"


def _same_at_start(one: bytes, other: bytes, block: int) -> int:
    """The number of bytes that both have in common at the start."""
    least = min(len(one), len(other))
    for start in range(0, least, block):
        end = min(start + block, least)
        pieces = one[start:end], other[start:end]
        if pieces[0] != pieces[1]:
            finer = block // _FINER
            return start + (_same_at_start(*pieces, finer) if finer else 0)
    return least


def _same_at_end(one: bytes, other: bytes, block: int) -> int:
    """The number of bytes that both have in common at the end."""
    least = min(len(one), len(other))
    for start in range(0, least, block):
        end = min(start + block, least)
        pieces = (
            one[len(one) - end : len(one) - start],
            other[len(other) - end : len(other) - start],
        )
        if pieces[0] != pieces[1]:
            finer = block // _FINER
            return start + (_same_at_end(*pieces, finer) if finer else 0)
    return least


# Two texts that come of one, merged: fields one by one, all other text line by line.

MARK = b"<<<<<<<"
"""What begins a place where a person has to decide."""

_MARKS = regex(rb"^(?:<{7}|>{7}) ", re.MULTILINE)
_RULE = b"---"
_MOST_FIELDS = 1000
_KEY = regex(rb"^(?![\s#-])[^:]+:")
_MEMBER = regex(rb'^  "(?:[^"\\]|\\.)*": ')


class Fields(Struct, frozen=True):
    """A text with a header, or one JSON object with a field on each line."""

    head: Lines
    entries: Mapping[bytes, Lines]
    """The lines of each field, by its key, in order."""
    tail: Lines
    is_object: bool
    """Whether a comma, which is not among the lines, ends each field but the last."""


def merged(base: bytes, mine: bytes, theirs: bytes) -> bytes:
    """The text of both, with marks where a person has to decide."""
    return _join(base, mine, theirs)[0]


def merged_cleanly(base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    """The same; None where a person would have to decide."""
    raw, is_clean = _join(base, mine, theirs)
    return raw if is_clean else None


def conflict_marks(raw: bytes) -> list[int]:
    """The lines that begin like the marks of a merge, from 1."""
    return [raw.count(b"\n", 0, mark.start()) + 1 for mark in _MARKS.finditer(raw)]


def three(base: bytes, mine: bytes, theirs: bytes) -> "Merge3[bytes]":
    """What the two have in common with what they come of, line by line."""
    return Merge3(
        base.splitlines(keepends=True),
        mine.splitlines(keepends=True),
        theirs.splitlines(keepends=True),
    )


def _join(base: bytes, mine: bytes, theirs: bytes) -> tuple[bytes, bool]:
    """Both texts, and whether that leaves no conflict."""
    texts = [raw.splitlines(keepends=True) for raw in (base, mine, theirs)]
    found = [fields for fields in map(_fields, texts) if fields]
    is_alike = len(found) == len(texts) and len({one.is_object for one in found}) == 1
    keys = _in_order(*(list(one.entries) for one in found)) if is_alike else None
    if keys is None:
        lines, is_clean = _merged_lines(*texts)
        return b"".join(lines), is_clean
    sides = [[one.entries.get(key, ()) for one in found] for key in keys]
    entries = [_merged_lines(*side) for side in sides]
    if found[0].is_object:
        filled = [number for number, (lines, _) in enumerate(entries) if lines]
        for number in filled[:-1]:
            entries[number] = _merged_lines(*map(_with_comma, sides[number]))
    head = _merged_lines(*(one.head for one in found))
    tail = _merged_lines(*(one.tail for one in found))
    merged_parts = [head, *entries, tail]
    raw = b"".join(line for lines, _ in merged_parts for line in lines)
    return raw, all(is_clean for _, is_clean in merged_parts)


def _with_comma(lines: Lines) -> Lines:
    """The lines of a member of an object that others follow."""
    return [*lines[:-1], lines[-1].removesuffix(b"\n") + b",\n"] if lines else lines


def _merged_lines(base: Lines, mine: Lines, theirs: Lines) -> tuple[list[bytes], bool]:
    """Lines merged, and whether that was possible."""
    if mine == theirs or base in (mine, theirs):
        return list(mine if base == theirs else theirs), True
    both = Merge3(list(base), list(mine), list(theirs))
    lines = both.merge_lines(
        name_a=b"mine",
        name_b=b"theirs",
        start_marker=MARK,
        mid_marker=b"=======",
        end_marker=b">>>>>>>",
    )
    is_clean = all(group[0] != "conflict" for group in both.merge_groups())
    return list(lines), is_clean


def _fields(lines: Lines) -> Fields | None:
    """A text by its fields; None where it has none, or has one twice."""
    rest = [number for number, line in enumerate(lines) if line.rstrip() == _RULE]
    if rest[:1] == [0] and len(rest) > 1:
        end, key, is_object = rest[1], _KEY, False
    elif len(lines) > 1 and (lines[0], lines[-1].rstrip()) == (b"{\n", b"}"):
        end, key, is_object = len(lines) - 1, _MEMBER, True
    else:
        return None
    entries: dict[bytes, list[bytes]] = {}
    name = b""
    for line in lines[1:end]:
        begins = key.match(line)
        if begins and begins[0] in entries:
            return None
        name = begins[0] if begins else name
        entries.setdefault(name, []).append(line)
    if len(entries) > _MOST_FIELDS or (is_object and b"" in entries):
        return None
    if is_object:
        for told in entries.values():
            told[-1] = told[-1].removesuffix(b"\n").removesuffix(b",") + b"\n"
    return Fields(lines[:1], entries, lines[end:], is_object)


def _in_order(
    base: Sequence[bytes], mine: Sequence[bytes], theirs: Sequence[bytes]
) -> list[bytes] | None:
    """All keys, in their order; each key that only mine has follows its neighbour.

    None if either text changed the order of the keys that there were.
    """
    for keys in (mine, theirs):
        if [key for key in base if key in keys] != [key for key in keys if key in base]:
            return None
    order = list(theirs)
    for before, key in zip([b"", *mine], mine, strict=False):
        if key not in order:
            order.insert(order.index(before) + 1 if before in order else 0, key)
    return [*order, *(key for key in base if key not in order)]
