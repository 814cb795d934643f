"""An edge, and every place that it is written in."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from store.edits.refusals import NotPossibleError
from store.files.frontmatter.header import Header
from store.files.markdown.job import Job
from store.findings import Side
from store.formats.cognitive.scribe.fields import told
from store.formats.cognitive.scribe.sides import IN, OUT, Relation, Wanted
from store.formats.cognitive.vocabulary import id_key
from store.records.edge import Edge
from store.records.memory import Memory


class End(NamedTuple):
    """A memory that an edge meets, and how its list of relations tells of the edge."""

    memory: Memory
    side: Side
    other: str
    """The key of the memory at the other end."""


def ends_of(job: Job, edge: Edge) -> Iterator[End]:
    """The ends of an edge that are memories."""
    start, end = (_memory(job, ref) for ref in (edge.from_, edge.to))
    keys = _keys(job, edge, start, end)
    if start:
        yield End(start, OUT, keys[1])
    if end:
        yield End(end, IN, keys[0])


def telling(edge: Edge, end: End) -> Wanted:
    """Which relations of the memory at an end tell of the edge.

    Where edge files tell several edges apart that have all else in common, so do the
    identifiers that relations name.
    """

    def is_it(relation: Relation) -> bool:
        same = relation.about == (end.other, edge.type, end.side)
        return same and (
            edge.id is None
            or relation.edge_id in {None, edge.id}
            or not _has_file(edge)
        )

    return is_it


def file_of(edge: Edge) -> str | None:
    """The edge's own file, where it has one."""
    return edge.path if _has_file(edge) else None


def is_written(edge: Edge) -> bool:
    """Whether it stands in a header or a file, not in a text alone."""
    return not {Side.FILE, Side.OUTGOING, Side.INCOMING}.isdisjoint(edge.sides)


def refuse_prose(edge: Edge) -> None:
    """Raise where an edge stands neither in a header nor in a file of its own."""
    if is_written(edge):
        return
    if Side.WIKILINK in edge.sides:
        raise NotPossibleError(
            "That link stands in a text alone; edit the text to change it."
        )
    raise NotPossibleError(
        "That link stands in the index alone; `recollect rebuild index` makes it anew."
    )


def edge_name(edge: Edge) -> str:
    """An edge, as a change names it."""
    return f"{edge.from_title} {edge.type} {edge.to_title}"


def each_side(job: Job, edge: Edge, change: Callable[[Header, Wanted], Header]) -> None:
    """Change the relations at both ends that tell of an edge."""
    for end in ends_of(job, edge):
        wanted = telling(edge, end)
        job.edit(end.memory.path, lambda header, wanted=wanted: change(header, wanted))


def _has_file(edge: Edge) -> bool:
    return Side.FILE in edge.sides


def _memory(job: Job, ref: str | None) -> Memory | None:
    return None if ref is None else job.known.memory(ref)


def _keys(
    job: Job, edge: Edge, start: Memory | None, end: Memory | None
) -> tuple[str, str]:
    """The keys of both ends; what dangles is named by the edge's own file, if any."""
    dangles = start is None or end is None
    header = job.header(edge.path) if dangles and _has_file(edge) else None
    found: list[str] = []
    for memory, key, named in (
        (start, "from_id", edge.from_title),
        (end, "to_id", edge.to_title),
    ):
        own = memory.id if memory else told(header, key) if header else named
        found.append(id_key(own or ""))
    return found[0], found[1]
