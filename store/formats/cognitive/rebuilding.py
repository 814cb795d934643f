"""_index.json made anew: what the memories and edge files say, and nothing else.

Nothing is asked of the clock, so the same files always give the same index. `updated`
is the old index's if that was right; else it is the newest instant that the old index
or a memory tells. Entries and their relations stay in the old index's order; new ones
follow, in order of their paths. A preview that still begins its memory's text is kept.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from msgspec import Struct, field

from store.derive.reindex import indexed
from store.errors import UnreadableError
from store.files.json_document import load
from store.files.json_style import style_of
from store.findings import Claim, Findings, Json, MemoryFound, Severity, Side, Value
from store.formats.cognitive.header import ratio
from store.formats.cognitive.vocabulary import NULLS, id_key
from store.formats.port import Rebuilt
from store.times import parse

INDEX = "_index.json"

PREVIEW = 160
"""How many characters of its text a memory's entry shows."""

_VERSION = 2
_RELATION = ("target", "type", "direction", "strength", "context")
"""What an entry repeats of a relation, in the order of the file."""

_Map = dict[str, Json]


def rebuild_index(before: str | None, read: Iterable[tuple[str, Findings]]) -> Rebuilt:
    """The index as its files would have it; `read` tells each file and what it says."""
    found = _Found()
    for path, findings in read:
        found.take(path, findings)
    old = _old(before)
    whole: _Map = {
        "version": _VERSION,
        "updated": None,
        "count": len(found.memories),
        "edges": _ordered(found.edges(), old.get("edges")),
        "entries": _ordered(dict(found.entries(old)), old.get("entries")),
    }
    whole["updated"] = _updated(whole, old, found.memories.values())
    if whole["updated"] is None:
        del whole["updated"]
    after = style_of(before).dumps(old | whole)
    return Rebuilt(INDEX, before, after, tuple(found.warnings))


class _Found(Struct):
    """What the files of a store hold, each identifier once."""

    memories: dict[str, tuple[str, MemoryFound]] = field(
        default_factory=dict[str, tuple[str, MemoryFound]]
    )
    claims: dict[str, tuple[str, Claim]] = field(
        default_factory=dict[str, tuple[str, Claim]]
    )
    warnings: list[str] = field(default_factory=list[str])

    def take(self, path: str, findings: Findings) -> None:
        """Note a file's memory or edge; what cannot be indexed becomes a warning."""
        edges = [claim for claim in findings.claims if claim.side is Side.FILE]
        for memory in findings.memories:
            self._memory(path, memory, findings)
        for claim in edges:
            self._edge(path, claim)
        if not findings.memories and not edges:
            reason = findings.flaws[0].message if findings.flaws else "It is empty."
            self.warnings.append(f"{path} is left out: {reason}")

    def _memory(self, path: str, memory: MemoryFound, findings: Findings) -> None:
        if memory.id is None:
            self.warnings.append(f"{path} is left out: it has no id.")
            return
        kept, _ = self.memories.setdefault(id_key(memory.id), (path, memory))
        self._doubt(path, kept)
        for flaw in findings.flaws:
            if flaw.severity is Severity.ERROR:
                self.warnings.append(f"{path} is damaged: {flaw.message}")

    def _edge(self, path: str, claim: Claim) -> None:
        if claim.edge_id is None:
            self.warnings.append(f"{path} is left out: it has no id.")
            return
        kept, _ = self.claims.setdefault(id_key(claim.edge_id), (path, claim))
        self._doubt(path, kept)

    def _doubt(self, path: str, kept: str) -> None:
        if path != kept:
            self.warnings.append(f"{path} is left out: {kept} has the same id.")

    def entries(self, old: _Map) -> Iterator[tuple[str, Json]]:
        """The entry of each memory, by its identifier."""
        known = as_map(old.get("entries"))
        for path, memory in self.memories.values():
            identifier = cast("str", memory.id)
            yield identifier, entry(path, memory, as_map(known.get(identifier)))

    def edges(self) -> _Map:
        """The entry of each edge file, by its identifier."""
        return {
            cast("str", claim.edge_id): self._claimed(path, claim)
            for path, claim in self.claims.values()
        }

    def _claimed(self, path: str, claim: Claim) -> _Map:
        ends = self._spelt(claim.start), self._spelt(claim.end)
        return edge_entry(path, claim, *ends)

    def _spelt(self, key: str) -> str:
        """An identifier as its memory spells it."""
        known = self.memories.get(key)
        return (known[1].id if known else None) or key.removeprefix("id:")


def edge_entry(path: str, claim: Claim, start: str, end: str) -> _Map:
    """The entry of an edge file; `start` and `end` as their memories spell them."""
    told: _Map = {
        "type": claim.type,
        "from_id": start,
        "to_id": end,
        "strength": claim.strength,
        "path": path,
    }
    return {name: fact for name, fact in told.items() if fact is not None}


def entry(path: str, memory: MemoryFound, old: _Map) -> _Map:
    """The entry of a memory, in the order of the old one."""
    new = indexed(memory, path)
    relations = [_relation(relation) for relation in memory.relations]
    new["relations"] = _in_order(relations, old.get("relations"))
    new["content_preview"] = _preview(memory.body, old.get("content_preview"))
    return {name: new[name] for name in old if name in new} | new


def _relation(relation: Mapping[str, Value]) -> _Map:
    told: _Map = {}
    for name in _RELATION:
        value = relation.get(name)
        if isinstance(value, str) and value not in NULLS:
            number = ratio(value) if name == "strength" else None
            told[name] = value if number is None else number
    return told


def _in_order(relations: list[_Map], old: Json) -> list[Json]:
    """The relations; those that the old entry has too come in its order."""
    known = old if isinstance(old, list) else []
    at = {index: known.index(r) for index, r in enumerate(relations) if r in known}
    order = sorted(range(len(relations)), key=lambda i: at.get(i, len(known)))
    return [relations[index] for index in order]


def _preview(body: str, old: Json) -> str:
    flat = " ".join(body.split())
    texts = (flat, body.strip())
    if isinstance(old, str) and old and any(text.startswith(old) for text in texts):
        return old
    return flat[:PREVIEW]


def _old(before: str | None) -> _Map:
    """What the index holds now; nothing where it is damaged."""
    try:
        return as_map(
            cast("Json", load((before or "").encode(errors="surrogateescape")))
        )
    except UnreadableError:
        return {}


def as_map(value: Json) -> _Map:
    """A map, or an empty one in the place of anything else."""
    return value if isinstance(value, dict) else {}


def _ordered(new: _Map, old: Json) -> _Map:
    """The new entries; those that the old index has come in its order."""
    return {name: new[name] for name in as_map(old) if name in new} | new


def _updated(
    whole: _Map, old: _Map, memories: Iterable[tuple[str, MemoryFound]]
) -> Json:
    said = old.get("updated")
    if {**whole, "updated": said} == {**old, "updated": said}:
        return said
    told = [memory.updated for _, memory in memories if memory.updated]
    told += [parse(said)] if isinstance(said, str) else []
    known = [instant for instant in told if instant.micros is not None]
    return max(known).text if known else None
