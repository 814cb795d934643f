"""Records as the library returns them, with every field set."""

from datetime import UTC, datetime

from msgspec.structs import replace

from store.kinds.edges import Edge
from store.kinds.memories import Memory, MemoryInFull
from store.records.answers import Link

NOW = int(datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp()) * 1_000_000

_MEMORY = Memory(
    ref="m:1",
    store="/stores/cognitive",
    format="cognitive",
    id="1",
    type="solution",
    title="Fixed Redis connection timeouts",
    description=None,
    tags=("redis", "timeout"),
    importance=0.8,
    confidence=0.8,
    created="2026-01-12T09:30:00Z",
    updated="2026-02-01T09:30:00Z",
    accessed="2026-03-01T07:00:00Z",
    access_count=7,
    strength=2.86,
    stage="active",
    pinned=False,
    archived=False,
    path="graph/solutions/fixed-redis-connection-timeouts-a9ec03.md",
    line=None,
    links_in=3,
    links_out=3,
    problems=(),
)

_EDGE = Edge(
    ref="e:1",
    store="/stores/cognitive",
    id="1",
    type="SOLVES",
    from_="m:1",
    to="m:2",
    from_type="solution",
    to_type="problem",
    from_title="Fixed Redis connection timeouts",
    to_title="Redis connection drops under load",
    strength=0.8,
    context="The keepalive fix resolves the idle disconnection",
    created="2026-01-12T09:30:00Z",
    path="graph/edges/1.md",
    sides=("file", "outgoing"),
    problems=(),
)

_LINK = Link(
    direction="out",
    by="edge",
    type="SOLVES",
    ref="m:2",
    title="Redis connection drops under load",
    strength=0.8,
    context=None,
    edge="e:1",
    store="/stores/cognitive",
    path="graph/edges/1.md",
)


def a_memory(**fields: object) -> Memory:
    return replace(_MEMORY, **fields)


def an_edge(**fields: object) -> Edge:
    return replace(_EDGE, **fields)


def a_link(**fields: object) -> Link:
    return replace(_LINK, **fields)


def in_full(memory: Memory = _MEMORY, body: str = "", **fields: object) -> MemoryInFull:
    whole = MemoryInFull(
        memory=memory,
        body=body,
        fields={},
        relations=(),
        steps=(),
        preconditions=(),
        postconditions=(),
    )
    return replace(whole, **fields)
