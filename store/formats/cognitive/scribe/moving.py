"""Memories taken to another graph, with the edges among them; or copied there."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.markdown.job import Job, memories_of
from store.files.markdown.saying import counted, said
from store.formats.cognitive.scribe.deleting import let_go
from store.formats.cognitive.scribe.index import keep_index_beside
from store.formats.cognitive.scribe.links import file_of
from store.formats.cognitive.scribe.naming import base_of
from store.formats.cognitive.scribe.sides import relations_of, without_relations
from store.formats.cognitive.sniff import sniff
from store.formats.cognitive.vocabulary import id_key
from store.records.edge import Edge
from store.records.intents import Move
from store.records.memory import Memory


def take(job: Job, intent: Move, records: Sequence[Changeable]) -> str:
    """Put memories into another graph; what links them to others stays behind."""
    memories = memories_of(records)
    target = Path(intent.to)
    with _opened(target) as root:
        if root.path == job.bench.root.path:
            raise NotPossibleError("They lie in that store already.")
        bench = job.beside(root, root.path)
        edges = list(_among(job, memories))
        for memory in memories:
            bench.create(memory.path, _cut(job, memory, memories))
        for edge in edges:
            path = file_of(edge)
            if path is not None:
                bench.create(path, job.bench.read(path))
        keep_index_beside(job, bench)
    word = "copy" if intent.keeps else "move"
    if not intent.keeps:
        let_go(job, memories)
        job.is_grave |= any(_leaves(job, memory, memories) for memory in memories)
    titles = [memory.title for memory in memories]
    return f"{said(word, titles)} to {target.name or target}"


def _opened(target: Path) -> Root:
    try:
        root = Root(target)
    except UnreadableError as error:
        raise NotPossibleError(str(error)) from error
    if not sniff(root):
        root.close()
        raise NotPossibleError(f"{target} is no store of this format.")
    return root


def _among(job: Job, memories: Sequence[Memory]) -> Iterator[Edge]:
    """The edges both ends of which go along, each once."""
    refs = {memory.ref for memory in memories}
    seen: set[str] = set()
    for memory in memories:
        for edge in job.known.edges_of(memory.ref):
            if {edge.from_, edge.to} <= refs and edge.ref not in seen:
                seen.add(edge.ref)
                yield edge


def _leaves(job: Job, memory: Memory, memories: Sequence[Memory]) -> bool:
    """Whether an edge of a memory leads to one that stays."""
    refs = {each.ref for each in memories}
    edges = job.known.edges_of(memory.ref)
    return any(not {edge.from_, edge.to} <= refs for edge in edges)


def _cut(job: Job, memory: Memory, memories: Sequence[Memory]) -> bytes:
    """A memory's file without its relations to memories that stay."""
    along = {id_key(each.id) for each in memories if each.id}
    raw = job.bench.read(memory.path)
    header = job.header(memory.path)
    lost = [known for known in relations_of(header) if known.target not in along]
    if not lost:
        return raw
    number = counted(len(lost), "relation", "relations")
    job.warn(f"{number} of {base_of(memory.path)} to memories that stay are left out.")
    places = {known.place for known in lost}
    return without_relations(header, lambda known: known.place in places).raw
