"""The question how the lines of a session hang together: each below its parent."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from store.derive.event_classes import OTHER
from store.formats.kei.growing import Record
from store.formats.kei.questions.material import Asked, Rows, traces
from store.formats.kei.questions.records import numbered
from store.formats.kei.questions.words import at_most, first, one_session
from store.formats.kei.traces import session_of
from store.formats.kei.values import text, told
from store.formats.kei.wording import words_of
from store.formats.port import Source

_LONGEST = 120

MISSING = "its parent is not in this trace"
CIRCLE = "it is its own forebear"


class _Node(NamedTuple):
    """A line with an identifier."""

    uuid: str
    parent: str | None
    type: str
    at: str | None
    line: int
    words: str | None


class _Hung(NamedTuple):
    """A node in its place."""

    node: _Node
    depth: int
    note: str | None


def thread(store: Asked, words: Sequence[str], now: int) -> Rows:
    """The lines of a session in a tree, each with how deep it lies."""
    del now
    name = "thread"
    word = first(name, words, "a session")
    at_most(name, words, 1)
    known = {session_of(trace.path): trace for trace in reversed(traces(store))}
    trace = known[one_session(word, known)]

    def rows() -> Rows:
        for hung in _tree(list(_nodes(store, trace))):
            node = hung.node
            yield {
                "depth": hung.depth,
                "type": node.type,
                "at": node.at,
                "text": node.words,
                "note": hung.note,
                "uuid": node.uuid,
                "parent": node.parent,
                "line": node.line,
            }

    return rows()


def _nodes(store: Asked, trace: Source) -> Iterator[_Node]:
    """The lines that have an identifier; the first with each counts."""
    root, path = store.reach.of(trace.path)
    met: set[str] = set()
    for line, record in numbered(root, path):
        uuid = text(record, "uuid")
        if uuid and uuid not in met:
            met.add(uuid)
            yield _node(uuid, line, record)


def _node(uuid: str, line: int, record: Record) -> _Node:
    at, words = told(record, "timestamp", "ts"), words_of(record)
    return _Node(
        uuid,
        text(record, "parentUuid"),
        text(record, "type", "kind") or OTHER,
        at.iso if at else None,
        line,
        " ".join(words[: 4 * _LONGEST].split())[:_LONGEST] if words else None,
    )


def _tree(nodes: list[_Node]) -> Iterator[_Hung]:
    """Every node once, below its parent, in order of lines."""
    known = {node.uuid for node in nodes}
    below = defaultdict[str, list[_Node]](list)
    tops: list[_Hung] = []
    for node in nodes:
        if node.parent in known:
            below[str(node.parent)].append(node)
        else:
            tops.append(_Hung(node, 0, MISSING if node.parent else None))
    met: set[str] = set()
    yield from _descend(tops, below, met)
    for node in nodes:
        if node.uuid not in met:
            yield from _descend([_Hung(node, 0, CIRCLE)], below, met)


def _descend(
    tops: list[_Hung], below: dict[str, list[_Node]], met: set[str]
) -> Iterator[_Hung]:
    pending = tops[::-1]
    while pending:
        hung = pending.pop()
        if hung.node.uuid in met:
            continue
        met.add(hung.node.uuid)
        yield hung
        children = below.get(hung.node.uuid, [])
        pending += [_Hung(node, hung.depth + 1, None) for node in reversed(children)]
