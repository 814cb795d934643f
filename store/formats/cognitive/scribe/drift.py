"""Whether the index says what the files say."""

from collections.abc import Iterable, Iterator, Mapping

from store.derive.reindex import indexed
from store.errors import UnreadableError
from store.files.beneath import Root
from store.findings import Json, MemoryFound
from store.formats.cognitive.layout import Role
from store.formats.cognitive.memory import read_memory
from store.formats.cognitive.rebuilding import as_map
from store.formats.cognitive.scan import scan
from store.formats.port import Source
from store.records.edge import Edge
from store.records.memory import Memory

_DRIFT = "index-drift"


def is_drifted(
    memories: Iterable[Memory], edges: Iterable[Edge], entries: Mapping[str, Json]
) -> bool:
    """Whether it is known to say something else than the files of the store do."""
    identifiers: set[str] = set()
    for memory in memories:
        if _DRIFT in memory.problems:
            return True
        identifiers.add(memory.id or "")
    identifiers.discard("")
    if identifiers != set(entries):
        return True
    return any(_DRIFT in edge.problems for edge in edges)


def is_drifted_on_disk(root: Root, entries: Mapping[str, Json]) -> bool:
    """The same for a store that nothing else is known of: all its memories are read."""
    try:
        read = list(_memories(root))
    except UnreadableError:
        return True
    found = {memory.id: (path, memory) for path, memory in read if memory.id}
    if set(found) != set(entries):
        return True
    return not all(
        agrees(as_map(entries[identifier]), indexed(memory, path))
        for identifier, (path, memory) in found.items()
    )


def agrees(told: Mapping[str, Json], real: Mapping[str, Json]) -> bool:
    """Whether an entry says what it ought to; in which order tags stand is nothing."""
    return bool(told) and all(
        _comparable(told.get(name)) == _comparable(fact) for name, fact in real.items()
    )


def _comparable(fact: Json) -> object:
    return sorted(map(str, fact)) if isinstance(fact, list) else fact


def _memories(root: Root) -> Iterator[tuple[str, MemoryFound]]:
    for source in scan(root):
        if isinstance(source, Source) and source.role == Role.MEMORY:
            findings = read_memory(source.path, root.read(source.path))
            for memory in findings.memories:
                yield source.path, memory
