"""_index.json kept in agreement with the files, where it agreed with them before."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from store.derive.reindex import indexed
from store.errors import RecollectError
from store.files.beneath import Blob, Stamp
from store.files.json_document import DamagedJsonError, load_map
from store.files.json_members import Edit, Edits, Gone, Within, with_members
from store.files.markdown.bench import Bench, Changed
from store.files.markdown.job import Job
from store.files.moments import moment_like
from store.findings import Claim, Json, MemoryFound, Side
from store.formats.cognitive.edge import read_edge
from store.formats.cognitive.layout import Role, role_of
from store.formats.cognitive.memory import read_memory
from store.formats.cognitive.rebuilding import INDEX, as_map, edge_entry, entry
from store.formats.cognitive.scribe.drift import (
    agrees,
    is_drifted,
    is_drifted_on_disk,
)
from store.formats.cognitive.vocabulary import id_key

_LISTED = frozenset({Role.MEMORY, Role.EDGE})
"""What an index tells of."""

_COPY = "duplicate-id"
_LEFT_ALONE = (
    f"{INDEX} did not agree with the files before, so it is left alone;"
    " `recollect rebuild index` mends it."
)

_Map = Mapping[str, Json]
_Memories = dict[str, tuple[str, MemoryFound]]
_Edges = dict[str, tuple[str, Claim]]


class _DisagreesError(RecollectError):
    """The index does not say what the files say."""


def keep_index(job: Job) -> None:
    """Put into the index what changes in the files, unless it was wrong before."""
    changes = [one for one in job.bench.changed() if role_of(one.path) in _LISTED]
    if not changes or not job.bench.has(INDEX):
        return
    memories = list(job.known.memories())
    doubled = (m for m in memories if m.id and _COPY in m.problems)
    touched = _Touched(changes, {memory.path: memory.id or "" for memory in doubled})
    _keep(job, job.bench, touched, lambda e: is_drifted(memories, job.known.edges(), e))


def keep_index_beside(job: Job, bench: Bench) -> None:
    """The same for another store, of which nothing is known but its files."""
    if bench.has(INDEX):
        touched = _Touched(bench.changed(), {})
        _keep(job, bench, touched, lambda e: is_drifted_on_disk(bench.root, e))


def _keep(
    job: Job, bench: Bench, touched: "_Touched", drifted: Callable[[_Map], bool]
) -> None:
    if touched.is_nothing:
        return
    try:
        before = bench.derived(INDEX) or b""
        says = load_map(before)
    except RecollectError:
        job.warn(_LEFT_ALONE)
        return

    def remade(raw: bytes | None) -> bytes | None:
        """The index as it then has to be; None where that cannot be told."""
        if raw is None:
            return None
        try:
            data = says if raw == before else load_map(raw)
            return with_members(raw, touched.edits(data, job.now), data)
        except (DamagedJsonError, _DisagreesError):
            return None

    if drifted(as_map(says.get("entries"))) or not bench.derive(INDEX, remade):
        job.warn(_LEFT_ALONE)


class _Touched:
    """The memories and edges that a change touches, as they were and as they get."""

    def __init__(self, changes: Iterable[Changed], copies: Mapping[str, str]) -> None:
        """`copies` are the memories, by path, whose identifier another one has."""
        self._memories: tuple[_Memories, _Memories] = ({}, {})
        self._edges: tuple[_Edges, _Edges] = ({}, {})
        self._doubled = set(copies.values())
        for path, *states in changes:
            for then, raw in enumerate(states):
                if raw is not None:
                    found = _memories(path, raw)
                    found.pop(copies.get(path, ""), None)
                    self._memories[then].update(found)
                    self._edges[then].update(_edges(path, raw))

    @property
    def is_nothing(self) -> bool:
        """Whether no memory and no edge differs."""
        return not any(chain(self._memories, self._edges))

    def edits(self, data: Mapping[str, Json], now: int) -> Edits:
        """What has to differ in an index; raises where it disagrees already."""
        entries = as_map(data.get("entries"))
        of_memories = dict(self._of_memories(entries))
        edits: dict[str, Edit] = {"entries": Within(of_memories)}
        if "edges" in data:
            listed = as_map(data.get("edges"))
            edits["edges"] = Within(dict(self._of_edges(listed, entries)))
        if "count" in data:
            edits["count"] = len(entries) + _growth(of_memories, entries)
        updated = data.get("updated")
        if isinstance(updated, str):
            edits["updated"] = moment_like(updated, now)
        return edits

    def _of_memories(self, entries: Mapping[str, Json]) -> Iterator[tuple[str, Edit]]:
        before, after = self._memories
        for identifier, (path, memory) in before.items():
            if not agrees(as_map(entries.get(identifier)), indexed(memory, path)):
                raise _DisagreesError
            stays = after.get(identifier, ("",))[0] == path
            if identifier in self._doubled and not stays:
                raise _DisagreesError
            if identifier not in after:
                yield identifier, Gone.GONE
        for identifier, (path, memory) in after.items():
            if (identifier in before) != (identifier in entries):
                raise _DisagreesError
            old = as_map(entries.get(identifier))
            new = entry(path, memory, old)
            yield identifier, Within(dict(_differing(old, new))) if old else new

    def _of_edges(
        self, listed: Mapping[str, Json], entries: Mapping[str, Json]
    ) -> Iterator[tuple[str, Edit]]:
        before, after = self._edges
        spelt = {id_key(name): name for name in (*entries, *self._memories[1])}
        for identifier, (path, claim) in before.items():
            if not agrees(as_map(listed.get(identifier)), _edge(path, claim, spelt)):
                raise _DisagreesError
            if identifier not in after:
                yield identifier, Gone.GONE
        for identifier, (path, claim) in after.items():
            if (identifier in before) != (identifier in listed):
                raise _DisagreesError
            old, new = as_map(listed.get(identifier)), _edge(path, claim, spelt)
            yield identifier, Within(dict(_differing(old, new))) if old else new


def _memories(path: str, raw: bytes) -> _Memories:
    if role_of(path) is not Role.MEMORY:
        return {}
    found = read_memory(path, Blob(raw, _STAMP, whole=True)).memories
    return {memory.id: (path, memory) for memory in found if memory.id}


def _edges(path: str, raw: bytes) -> _Edges:
    if role_of(path) is not Role.EDGE:
        return {}
    found = read_edge(path, Blob(raw, _STAMP, whole=True)).claims
    edges = (claim for claim in found if claim.side is Side.FILE)
    return {claim.edge_id: (path, claim) for claim in edges if claim.edge_id}


_STAMP = Stamp(0, 0, 0)


def _edge(path: str, claim: Claim, spelt: Mapping[str, str]) -> dict[str, Json]:
    ends = [spelt.get(key, key.removeprefix("id:")) for key in (claim.start, claim.end)]
    return edge_entry(path, claim, *ends)


def _differing(
    old: Mapping[str, Json], new: Mapping[str, Json]
) -> Iterator[tuple[str, Edit]]:
    """What changes in an entry; what it never told of a memory's text, it need not."""
    optional = {"relations", "content_preview"}
    for name, fact in new.items():
        if old.get(name) != fact and (name in old or name not in optional):
            yield name, fact
    for name in ("importance", "confidence", "created", "updated", "type", "strength"):
        if name in old and name not in new:
            yield name, Gone.GONE


def _growth(edits: Mapping[str, Edit], entries: Mapping[str, Json]) -> int:
    gone = sum(edit is Gone.GONE for edit in edits.values())
    return sum(name not in entries for name in edits) - gone
