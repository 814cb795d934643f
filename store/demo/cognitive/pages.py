"""Memories and edges as markdown files with a YAML header."""

import json
from collections.abc import Iterator, Sequence

from store.demo.cognitive.edges import Edge
from store.demo.cognitive.placed import Placed
from store.demo.days import iso
from store.demo.identity import identify
from store.demo.model import Blemishes, Link


def memory_page(one: Placed, edges: Sequence[Edge], blemishes: Blemishes) -> str:
    """The file of a memory, with the links that it knows of."""
    memory = one.memory
    title = quoted(memory.title)
    if memory.slug == blemishes.broken_yaml:
        title = title[:-1]
    header = [
        f"id: {one.id}",
        f"type: {memory.type}",
        f"title: {title}",
        f"tags: [{', '.join(memory.tags)}]",
        f"importance: {memory.importance}",
        f"confidence: {memory.confidence}",
        *_block("steps", memory.steps),
        *_block("preconditions", memory.preconditions),
        *_block("postconditions", memory.postconditions),
        f"created: {iso(one.created)}",
        f"updated: {iso(one.updated)}",
    ]
    relations = list(_relations(one, edges, blemishes))
    if relations:
        header += ["relations:", *relations]
    return _page(header, memory.body)


def edge_page(edge: Edge, blemishes: Blemishes) -> str:
    """The file of an edge, with the whole reason for it."""
    ends = (edge.start.memory, edge.end.memory)
    end_title = ends[1].title
    stale = blemishes.stale_edge_title
    if stale and stale[:2] == (ends[0].slug, ends[1].slug):
        end_title = stale[2]
    header = [
        f"id: {edge.id}",
        f"type: {edge.link.type}",
        f"from_id: {edge.start.id}",
        f"from_title: {quoted(ends[0].title)}",
        f"to_id: {edge.end.id}",
        f"to_title: {quoted(end_title)}",
        f"strength: {edge.link.strength}",
        f"created: {iso(edge.created)}",
        f"updated: {iso(edge.created)}",
    ]
    return _page(header, (edge.link.told or "").strip("\n") + "\n")


def quoted(text: str) -> str:
    """Text between double quotes, as YAML and JSON both read it."""
    return json.dumps(text, ensure_ascii=False)


def _relations(
    one: Placed, edges: Sequence[Edge], blemishes: Blemishes
) -> Iterator[str]:
    for edge in edges:
        pair = (edge.start.memory.slug, edge.end.memory.slug)
        if edge.start is one:
            yield from _relation(edge.link, edge.end.id, "outgoing", edge.id)
        elif edge.end is one and pair != blemishes.one_sided:
            yield from _relation(edge.link, edge.start.id, "incoming", edge.id)
    if one.memory.slug == blemishes.dangling:
        gone = {edge.link.to for edge in edges if edge.start is one}
        for link in one.memory.links:
            if link.to not in gone:
                target = identify("memory", link.to)
                yield from _relation(link, target, "outgoing", None)


def _relation(
    link: Link, target: str, direction: str, edge_id: str | None
) -> Iterator[str]:
    yield f"  - target: {target}"
    yield f"    type: {link.type}"
    yield f"    direction: {direction}"
    yield f"    strength: {link.strength}"
    yield f"    context: {quoted(link.context)}"
    if edge_id:
        yield f"    edge_id: {edge_id}"


def _block(key: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"{key}:"
        yield from (f"  - {quoted(line)}" for line in lines)


def _page(header: Sequence[str], body: str) -> str:
    return "\n".join(["---", *header, "---", "", body])
