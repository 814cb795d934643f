"""Where a conversation was taken up anew from an earlier message.

Most conversations have no branches, and long ones have a hundred thousand lines: what
follows what is noted in numbers, and only what begins a branch is read again.
"""

from array import array
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from store.files.jsonl import parse, split_lines
from store.findings import Json, MessageFound
from store.formats.transcripts.bases import Bases
from store.formats.transcripts.memory import number_of
from store.transcript import At, Record, kind_of, message_of, reply_key, word

_LONGEST = 200
_SAID = ("user", "assistant")
_NOBODY = -1


class _Branch(NamedTuple):
    """Something that was said after what something else was said after too."""

    begin: int
    """The line that both were said after."""
    name: int
    """The number of the identifier of the line that begins it."""


class _Tree:
    """Which line follows which; lines that nobody speaks are stepped over."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}
        """By the number of an identifier: what was said there, or last before it."""
        self._before = _NOBODY
        self._lines, self._names, self._messages = array("q"), array("Q"), array("Q")
        self._results = bytearray()
        self._first = array("q")
        """What was said first after each thing that was said."""
        self._several: dict[int, list[int]] = {}
        """All that was said after one thing, where that is more than one."""

    def add(self, record: Record, at: At) -> None:
        """Take in a line; the first one with an identifier counts."""
        uuid = word(record, "uuid")
        if uuid is None or (name := number_of(uuid)) in self._above:
            return
        parent = word(record, "parentUuid")
        above = _NOBODY
        if parent:
            above = self._above.get(number_of(parent), self._before)
        if record.get("type") in _SAID:
            above = self._said(record, at, name, above)
        self._above[name] = self._before = above

    def branches(self) -> Iterator[_Branch]:
        """What begins a branch, in order of what it was said after."""
        for parent in sorted(self._several):
            for child in self._forked(parent):
                yield _Branch(self._lines[parent], self._names[child])

    def _said(self, record: Record, at: At, name: int, above: int) -> int:
        """Note that something was said; its place among all of that."""
        here = len(self._lines)
        self._lines.append(at.line)
        self._names.append(name)
        self._messages.append(_message(record, at))
        self._results.append(kind_of(record) == "tool_result")
        self._first.append(_NOBODY)
        if above != _NOBODY:
            first = self._first[above]
            if first == _NOBODY:
                self._first[above] = here
            else:
                self._several.setdefault(above, [first]).append(here)
        return here

    def _forked(self, parent: int) -> list[int]:
        """The branches after a line; calls of several tools at once are none.

        Of those, one child is a result and another the next line of the same message.
        """
        children, message = self._several[parent], self._messages[parent]
        others = [one for one in children if self._messages[one] != message]
        if len(others) < len(children):
            children = [one for one in others if not self._results[one]]
        return children if len(children) > 1 else []


def branches(bases: Bases, path: str) -> Iterator[Mapping[str, Json]]:
    """Every line that more than one other was said after, with those."""
    tree = _Tree()
    for record, at in _records(bases, path):
        tree.add(record, at)
    found = list(tree.branches())
    said = _said(bases, path, frozenset(branch.name for branch in found))
    for branch in found:
        message = said.get(branch.name)
        if message:
            yield {
                "from": branch.begin,
                "line": message.line,
                "kind": message.kind,
                "text": message.text[:_LONGEST],
            }


def _records(bases: Bases, path: str) -> Iterator[tuple[Record, At]]:
    """The objects in a transcript, and where they stand."""
    with bases.opened(path) as file:
        for line in split_lines(file):
            for value in parse(line.raw).values if line.raw else ():
                if isinstance(value, dict):
                    yield value, At(line.number, line.offset, line.size)


def _said(
    bases: Bases, path: str, names: frozenset[int]
) -> Mapping[int, MessageFound | None]:
    """The messages of the lines with some identifiers."""
    found: dict[int, MessageFound | None] = {}
    for record, at in _records(bases, path) if names else ():
        uuid = word(record, "uuid")
        if uuid and (name := number_of(uuid)) in names and name not in found:
            found[name] = message_of(record, at)
    return found


def _message(record: Record, at: At) -> int:
    """A number that all lines of one message have in common."""
    if record.get("type") == "assistant":
        return number_of(reply_key(record, at))
    return number_of(word(record, "uuid") or at.key)
