"""Edges that are half written, misnamed, or lead nowhere."""

import re
from functools import partial

from store.edits.refusals import NotPossibleError
from store.files.frontmatter.header import Header
from store.files.frontmatter.keys import without_key
from store.files.moments import moment_like
from store.formats.cognitive.relations import KEY
from store.formats.cognitive.scribe.calling import follow_title
from store.formats.cognitive.scribe.edges import unlink
from store.formats.cognitive.scribe.fields import told
from store.formats.cognitive.scribe.links import End, ends_of, file_of, telling
from store.formats.cognitive.scribe.mending.mender import Mender
from store.formats.cognitive.scribe.naming import edge_path
from store.formats.cognitive.scribe.setting import share_of
from store.formats.cognitive.scribe.sides import (
    OUT,
    Relation,
    relations_of,
    with_relation,
    without_relations,
)
from store.formats.cognitive.scribe.writing import NewEdge, edge_page
from store.records.edge import Edge
from store.records.memory import Memory
from store.records.problem import Problem

_TYPE_IN_NAME = re.compile(r"--[A-Z][A-Z_]*--")


def unlink_dangling(mender: Mender, problem: Problem) -> None:
    """Take away a link that leads to no memory."""
    unlink(mender.job, [mender.edge(problem)])


def complete(mender: Mender, problem: Problem) -> None:
    """Write a link at the end where it is missing."""
    edge = mender.edge(problem)
    start, end = ends = list(ends_of(mender.job, edge))
    facts = _facts(mender, edge, ends)
    for here, there in ((start, end), (end, start)):
        if there.memory.id is None:
            sentence = f"{there.memory.path} has no id, so nothing can lead to it."
            raise NotPossibleError(sentence)
        if not _telling(mender, edge, here):
            mender.job.edit(
                here.memory.path,
                partial(
                    with_relation,
                    target=there.memory.id,
                    kind=edge.type,
                    side=here.side,
                    facts=facts,
                ),
            )


def make_edge_file(mender: Mender, problem: Problem) -> None:
    """Make the files that relations name, of what these say; else unname them."""
    memory = mender.memory(problem)
    if memory is None:
        raise NotPossibleError(f"No memory goes by {problem.ref!r} any more.")
    for relation in relations_of(mender.job.header(memory.path)):
        edge_id = relation.edge_id
        if edge_id is None or mender.has_edge_file(edge_id):
            continue
        other = mender.identified(relation.target)
        if other is None:
            path = (KEY, relation.place, "edge_id")
            mender.job.edit(memory.path, partial(without_key, path=path))
        else:
            _make(mender, relation, edge_id, memory, other)


def copy_titles(mender: Mender, problem: Problem) -> None:
    """Let an edge file call both its ends by their titles."""
    for end in ends_of(mender.job, mender.edge(problem)):
        header = mender.job.header(end.memory.path)
        title = told(header, "title") or end.memory.title
        follow_title(mender.job, end.memory, title)


def drop_doubles(mender: Mender, problem: Problem) -> None:
    """Keep the first of relations that tell of the same edge."""

    def without_doubles(header: Header) -> Header:
        seen: set[tuple[str, str, str]] = set()
        doubles: set[int] = set()
        for relation in relations_of(header):
            if relation.about in seen:
                doubles.add(relation.place)
            seen.add(relation.about)
        return without_relations(header, lambda known: known.place in doubles)

    mender.job.edit(problem.path, without_doubles)


def name_after_type(mender: Mender, problem: Problem) -> None:
    """Let the name of an edge's file say its type."""
    kind = told(mender.job.header(problem.path), "type")
    named = _TYPE_IN_NAME.findall(problem.path)
    if kind is None or len(named) != 1 or not _TYPE_IN_NAME.fullmatch(f"--{kind}--"):
        raise NotPossibleError(f"{problem.path} cannot be named after its type.")
    mender.job.bench.move(problem.path, problem.path.replace(named[0], f"--{kind}--"))


def _make(
    mender: Mender, relation: Relation, edge_id: str, memory: Memory, other: Memory
) -> None:
    start, end = (memory, other) if relation.side is OUT else (other, memory)
    text = relation.told.get("context")
    strength = relation.told.get("strength")
    moment = moment_like(None, mender.job.now)
    new = NewEdge(
        id=edge_id,
        type=relation.type,
        from_id=start.id or "",
        from_title=start.title,
        to_id=end.id or "",
        to_title=end.title,
        strength=strength if isinstance(strength, str) else None,
        created=moment,
        updated=moment,
    )
    path = edge_path(start.title, relation.type, end.title, edge_id)
    if not mender.job.bench.has(path):
        page = edge_page(new, text if isinstance(text, str) else "")
        mender.job.bench.create(path, page)


def _telling(mender: Mender, edge: Edge, end: End) -> list[Relation]:
    """The relations at an end that tell of an edge."""
    relations = relations_of(mender.job.header(end.memory.path))
    return [relation for relation in relations if telling(edge, end)(relation)]


def _facts(mender: Mender, edge: Edge, ends: list[End]) -> dict[str, str | None]:
    """What the side that is there says of the link, else what the edge's file says."""
    said = next((r for end in ends for r in _telling(mender, edge, end)), None)
    facts: dict[str, str | None] = {
        "strength": None if edge.strength is None else share_of(edge.strength),
        "context": None,
        "edge_id": edge.id if file_of(edge) else None,
    }
    if said is None:
        return facts
    found = {key: said.told.get(key) for key in facts}
    return facts | {k: v for k, v in found.items() if isinstance(v, str) and v}
