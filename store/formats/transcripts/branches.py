"""Where a conversation was taken up anew from an earlier message."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from store.files.jsonl import parse, split_lines
from store.findings import Json
from store.formats.transcripts.bases import Bases
from store.transcript import At, Record, message_of, word

_LONGEST = 200
_SAID = ("user", "assistant")
_STEPS = 10_000


class _Said(NamedTuple):
    """A line of somebody who speaks."""

    line: int
    kind: str
    message: str
    text: str


class _Tree:
    """Which line follows which; lines that nobody speaks are stepped over."""

    def __init__(self) -> None:
        self.said: dict[str, _Said] = {}
        self._parents: dict[str, str | None] = {}
        self._before: str | None = None

    def add(self, record: Record, at: At) -> None:
        """Take in a line; the first one with an identifier counts."""
        uuid = word(record, "uuid")
        if uuid is None or uuid in self._parents:
            return
        parent = word(record, "parentUuid")
        if parent and parent not in self._parents:
            parent = self._before
        self._parents[uuid] = parent
        self._before = uuid
        found = message_of(record, at) if record.get("type") in _SAID else None
        if found:
            text = found.text[:_LONGEST]
            self.said[uuid] = _Said(at.line, found.kind, found.key, text)

    def children(self) -> Mapping[str, list[_Said]]:
        """What was said after each thing that was said."""
        children: dict[str, list[_Said]] = defaultdict(list)
        for uuid, said in self.said.items():
            above = self._parents[uuid]
            for _ in range(_STEPS):
                if above is None or above in self.said:
                    break
                above = self._parents.get(above)
            if above in self.said:
                children[above].append(said)
        return children


def branches(bases: Bases, path: str) -> Iterator[Mapping[str, Json]]:
    """Every line that more than one other was said after, with those."""
    tree = _Tree()
    with bases.opened(path) as file:
        for line in split_lines(file):
            for value in parse(line.raw).values if line.raw else ():
                if isinstance(value, dict):
                    tree.add(value, At(line.number, line.offset, line.size))
    for parent, children in tree.children().items():
        before = tree.said[parent]
        for child in _forked(before, children):
            yield {
                "from": before.line,
                "line": child.line,
                "kind": child.kind,
                "text": child.text,
            }


def _forked(before: _Said, children: list[_Said]) -> list[_Said]:
    """The branches after a line; calls of several tools at once are none.

    Of those, one child is a result and another the next line of the same message.
    """
    if any(child.message == before.message for child in children):
        children = [
            child
            for child in children
            if child.message != before.message and child.kind != "tool_result"
        ]
    return children if len(children) > 1 else []
