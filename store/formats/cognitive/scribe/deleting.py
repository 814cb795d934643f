"""Memories deleted for good, with their edges and with what points back to them."""

from collections.abc import Sequence

from store.edits.port import Changeable
from store.files.markdown.job import Job, memories_of
from store.files.markdown.saying import counted, named, said
from store.formats.cognitive.scribe.links import file_of
from store.formats.cognitive.scribe.sides import without_relations
from store.formats.cognitive.scribe.told import tell_of_old_paths
from store.formats.cognitive.vocabulary import id_key
from store.records.edge import Edge
from store.records.memory import Memory

_WIKILINK = "wikilink"


def delete(job: Job, records: Sequence[Changeable]) -> str:
    """Delete memories, their edge files and the relations of others to them."""
    memories = memories_of(records)
    job.is_grave = True
    let_go(job, memories)
    return said("delete", [memory.title for memory in memories])


def let_go(job: Job, memories: Sequence[Memory]) -> None:
    """Take memories away, and all that only makes sense with them."""
    going = {memory.ref for memory in memories}
    for memory in memories:
        edges = job.known.edges_of(memory.ref)
        for edge in edges:
            drop_file(job, edge)
        for other in neighbours(job, memory, edges):
            if other.ref not in going:
                forget(job, memory, other)
        tell_of_texts(job, memory, [edge for edge in edges if edge.from_ not in going])
        tell_of_old_paths(job, memory, breaks=True)
    for memory in memories:
        job.bench.remove(memory.path)


def drop_file(job: Job, edge: Edge) -> None:
    """Take an edge's own file away."""
    path = file_of(edge)
    if path is not None and job.bench.has(path):
        job.bench.remove(path)


def neighbours(job: Job, memory: Memory, edges: Sequence[Edge]) -> list[Memory]:
    """The memories at the other ends of edges, each once."""
    refs = dict.fromkeys(ref for edge in edges for ref in (edge.from_, edge.to))
    found = (job.known.memory(ref) for ref in refs if ref and ref != memory.ref)
    return [other for other in found if other]


def forget(job: Job, memory: Memory, other: Memory) -> None:
    """Take from another memory every relation to one that goes."""
    if memory.id is None:
        return
    own = id_key(memory.id)
    job.edit_beside(
        other.path,
        lambda header: without_relations(header, lambda known: known.target == own),
        f"What {named(other.title)} says of it",
    )


def tell_of_texts(job: Job, memory: Memory, edges: Sequence[Edge]) -> None:
    """Warn of texts that go on naming a memory between brackets."""
    linking = {
        edge.from_
        for edge in edges
        if edge.to == memory.ref and edge.from_ != memory.ref
        and _WIKILINK in edge.sides
    }  # fmt: skip
    if linking:
        texts = counted(len(linking), "text names", "texts name")
        job.warn(f"{texts} {named(memory.title)} in [[brackets]] and will go on.")
