"""The derived JSON files: index, state, embeddings."""

import math
import re
from array import array
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from math import hypot, isfinite
from typing import cast

from msgspec import Struct, field
from msgspec.structs import replace

from store.derive.memories import indexed
from store.errors import UnreadableError
from store.files.beneath import Blob, Root
from store.files.json_edit import style_of
from store.files.json_read import DamagedJsonError, load, load_map
from store.findings import (
    AccessFound,
    Claim,
    DocumentFound,
    Findings,
    Flaw,
    Flaws,
    IndexEntry,
    MemoryFound,
    Severity,
    Side,
    Value,
)
from store.findings import Json as FindingsJson
from store.formats.cognitive.format import CONFIG, EMBEDDINGS, INDEX, NULLS, id_key
from store.formats.cognitive.memories import ratio
from store.formats.markdown_read import inside
from store.formats.port import Rebuilt, Vectors
from store.times import Instant, parse

# What the store's JSON files have in common: a map with a version, and entries.

Json = Mapping[str, object]


class Derived:
    """A JSON file that holds a map; whatever is odd in it becomes a flaw."""

    __slots__ = ("data", "flaws", "is_damaged")

    def __init__(self, blob: Blob) -> None:
        self.flaws = Flaws()
        self.data: Json = {}
        self.is_damaged = False
        try:
            if blob.whole:
                self.data = load_map(blob.raw)
            else:
                self.flaws.note("too-large", "File too large to read.", Severity.ERROR)
        except DamagedJsonError as error:
            self.flaws.append(error.flaw)
        self.is_damaged = bool(self.flaws)

    def findings(self, path: str, facts: Mapping[str, Value | None]) -> Findings:
        """The file as a document with those facts that are known."""
        documents = () if self.is_damaged else (_document(path, facts),)
        return Findings(documents=documents, flaws=tuple(self.flaws))

    def check_version(self, known: Container[str]) -> None:
        """Note a version that this program knows nothing of."""
        told = scalar(self.data.get("version")) or "none"
        if told not in known:
            message = f"Unknown file version {told:.40}."
            self.flaws.note("unknown-version", message)

    def entries(self, key: str) -> Iterator[tuple[str, Json]]:
        """The maps of a map of maps; what else is in it is noted."""
        value = self.data.get(key)
        if value is None:
            return
        if not isinstance(value, dict):
            message = f"`{key}` must be a map."
            self.flaws.note("damaged-json", message, Severity.ERROR)
            return
        seen: set[str] = set()
        for name, entry in cast("Json", value).items():
            if not isinstance(entry, dict):
                self.flaws.note("bad-entry", f"Entry {name:.80} must be a map.")
            else:
                yield name, cast("Json", entry)
            if name.casefold() in seen:
                self.flaws.note("double-entry", f"Duplicate entry {name:.80}.")
            seen.add(name.casefold())


def _document(path: str, facts: Mapping[str, Value | None]) -> DocumentFound:
    known = {key: fact for key, fact in facts.items() if fact is not None}
    return DocumentFound(title=path, role="document", text="", facts=known)


def scalar(value: object) -> str | None:
    """A scalar as text; None for nothing, maps and lists."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else None


def number(value: object) -> float | None:
    """A finite number, or None for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        finite = math.isfinite(value)
    except OverflowError:
        return None
    return float(value) if finite else None


# _config.json: which program makes embeddings. Its key is a secret and stays one.

HIDDEN = "set, hidden"
"""What is shown in place of a secret."""

_SECRET_NAME = re.compile(r"key|secret|token|password|credential", re.IGNORECASE)
_SECRET_VALUE = re.compile(r"\bsk-\S")
PROVIDERS = ("ollama", "openai")
"""The programs that make embeddings, the default first."""


def read_config(path: str, blob: Blob) -> Findings:
    """The settings, without what is secret."""
    derived = Derived(blob)
    provider = derived.data.get("embedding_provider", PROVIDERS[0])
    if provider not in PROVIDERS:
        message = "`embedding_provider` must be ollama or openai."
        derived.flaws.note("unknown-provider", message, Severity.NOTE)
    facts = {key: _shown(key, value) for key, value in derived.data.items()}
    return derived.findings(path, facts)


def is_secret(key: str, value: object) -> bool:
    """Whether a setting is never shown: for its name, or for how it begins."""
    if value is None:
        return False
    told = scalar(value) or ""
    return bool(_SECRET_NAME.search(key) or _SECRET_VALUE.search(told))


def _shown(key: str, value: object) -> Value:
    """A setting as it may be seen."""
    if value is None:
        return "not set"
    if is_secret(key, value):
        return HIDDEN
    if isinstance(value, dict):
        inner = cast("Mapping[str, object]", value)
        return {name: _shown(name, part) for name, part in inner.items()}
    if isinstance(value, list):
        return [_shown(key, part) for part in cast("list[object]", value)]
    return scalar(value) or ""


# _index.json: the writer's derived copy of every header, and of every edge.

_SCHEMAS = {"1": "2, without edge files", "2": "3, with edge files"}
"""The generation of the format that writes a version of the index."""

_TEXTS = ("title", "type", "created", "updated")
_NUMBERS = ("importance", "confidence")


def read_index(path: str, blob: Blob) -> Findings:
    """What the index says of each memory and edge, and of itself."""
    derived = Derived(blob)
    if derived.is_damaged:
        return derived.findings(path, {})
    derived.check_version(_SCHEMAS)
    entries = [_entry(name, e, derived) for name, e in derived.entries("entries")]
    claims = [_claim(name, e, derived) for name, e in derived.entries("edges")]
    _check_count(len(entries), derived)
    _check_doubles(entries, derived)
    names = ("version", "updated", "count")
    told = {key: scalar(derived.data.get(key)) for key in names}
    schema, edges = _SCHEMAS.get(told["version"] or ""), str(len(claims))
    facts = {**told, "schema": schema, "entries": str(len(entries)), "edges": edges}
    if "edges" in derived.data:
        if told["version"] == "1":
            derived.flaws.note("index-drift", "It has edges, but says version 1.")
        entries.append(IndexEntry(key="count:edges", path=None, facts={"count": edges}))
    return replace(
        derived.findings(path, facts),
        index=tuple(entries),
        claims=tuple(claim for claim in claims if claim),
    )


def _entry(name: str, entry: Json, derived: Derived) -> IndexEntry:
    path = _path(f"Entry {name:.80}", entry, derived)
    tags = entry.get("tags")
    items = cast("list[object]", tags) if isinstance(tags, list) else [tags]
    facts: dict[str, str | None] = {key: scalar(entry.get(key)) for key in _TEXTS}
    for key in _NUMBERS:
        value = number(entry.get(key))
        facts[key] = scalar(entry.get(key)) if value is None else str(value)
    facts["tags"] = ", ".join(tag for tag in map(scalar, items) if tag)
    facts["path"] = path or scalar(entry.get("path"))
    relations = entry.get("relations")
    if isinstance(relations, list):
        facts["relations"] = _listed_relations(cast("list[object]", relations))
    facts["preview"] = scalar(entry.get("content_preview"))
    told = {key: fact for key, fact in facts.items() if fact is not None}
    return IndexEntry(key=id_key(name), path=path, facts=told)


def _listed_relations(relations: list[object]) -> str:
    """The relations of an entry, each by its side, its type and its other end."""
    told: list[str] = []
    for relation in relations:
        entry = cast("Json", relation if isinstance(relation, dict) else {})
        target = scalar(entry.get("target"))
        if target and target not in NULLS:
            side = (scalar(entry.get("direction")) or "").strip().lower()
            side = Side.INCOMING if side == Side.INCOMING else Side.OUTGOING
            kind = scalar(entry.get("type")) or "RELATED_TO"
            told.append(f"{side} {kind} {id_key(target)}")
    return ", ".join(sorted(told))


def _path(whose: str, entry: Json, derived: Derived) -> str | None:
    """Where the index says that a file lies, if that is within the store."""
    value = entry.get("path")
    if value is None:
        return None
    path = inside("", value) if isinstance(value, str) else None
    if path is None:
        told = str(value)[:80]
        message = f"{whose}: {told!r} isn't a path inside the store."
        derived.flaws.note("link-leads-out", message)
    return path


def _claim(name: str, edge: Json, derived: Derived) -> Claim | None:
    whose = f"Edge {name:.80}"
    path = _path(whose, edge, derived)
    start, end, kind = (scalar(edge.get(key)) for key in ("from_id", "to_id", "type"))
    if not start or not end:
        derived.flaws.note(
            "edge-without-ends", f"{whose} doesn't name both of its memories."
        )
        return None
    return Claim(
        start=id_key(start),
        end=id_key(end),
        type=kind or "RELATED_TO",
        side=Side.INDEX,
        edge_id=name,
        strength=_strength(name, edge.get("strength"), derived),
        path=path,
    )


def _strength(name: str, value: object, derived: Derived) -> float | None:
    if value is None:
        return None
    strength = number(value)
    if strength is None or not 0 <= strength <= 1:
        derived.flaws.note(
            "bad-strength", f"Invalid strength of {name:.80}: not a number from 0 to 1."
        )
        return None
    return strength


def _check_count(entries: int, derived: Derived) -> None:
    told = derived.data.get("count")
    if told is None:
        return
    if number(told) is None:
        derived.flaws.note("bad-count", "`count` must be a number.", Severity.ERROR)
    elif told != entries:
        message = f"The index says {scalar(told):.40} entries; it has {entries}."
        derived.flaws.note("index-count", message)


def _check_doubles(entries: list[IndexEntry], derived: Derived) -> None:
    """Note memories that the index names twice."""
    seen: set[str] = set()
    for entry in entries:
        if entry.path is not None and entry.path in seen:
            message = f"Duplicate entry for {entry.path[:80]!r}."
            derived.flaws.note("double-entry", message)
        seen.add(entry.path or "")


# _state.json: how often each memory was recalled, and when last.


_UNCOUNTED = "Until it is repaired, memories count as never used, so many seem to fade."


def read_state(path: str, blob: Blob) -> Findings:
    """What the state file says of each memory, and of itself."""
    derived = Derived(blob)
    if derived.is_damaged:
        found = derived.findings(path, {})
        flaws = [replace(f, message=f"{f.message} {_UNCOUNTED}") for f in found.flaws]
        return replace(found, flaws=tuple(flaws))
    derived.check_version({"1"})
    accesses = [_access(name, e, derived) for name, e in derived.entries("entries")]
    told = {key: scalar(derived.data.get(key)) for key in ("version", "updated")}
    facts = {**told, "entries": str(len(accesses))}
    return replace(derived.findings(path, facts), accesses=tuple(accesses))


def _access(name: str, entry: Json, derived: Derived) -> AccessFound:
    return AccessFound(
        key=id_key(name),
        count=_count(name, entry.get("access_count"), derived),
        last=_last(name, entry.get("last_accessed"), derived),
        score=_score(name, entry.get("decay_score"), derived),
    )


def _count(name: str, value: object, derived: Derived) -> int:
    if value is None:
        return 0
    count = number(value)
    if count is None or count < 0 or not count.is_integer():
        derived.flaws.note(
            "bad-count", f"Invalid access count of {name:.80}: not a number."
        )
        return 0
    return value if isinstance(value, int) else int(count)


def _last(name: str, value: object, derived: Derived) -> Instant | None:
    if value is None or (isinstance(value, str) and not value):
        return None
    told = value if isinstance(value, str) else number(value)
    last = None if told is None else parse(told)
    if last is None or last.micros is None:
        derived.flaws.note(
            "bad-time", f"Invalid last access of {name:.80}: not a time."
        )
        return None
    return last


def _score(name: str, value: object, derived: Derived) -> float | None:
    if value is None:
        return None
    score = number(value)
    if score is None:
        derived.flaws.note(
            "bad-score", f"Invalid decay score of {name:.80}: not a number."
        )
    return score


# _embeddings.json: known by its beginning, for vectors are tens of megabytes.

HEAD = 128 * 1024
"""How much of the file is read: room for the head and the largest vector."""

DIMENSIONS = {"nomic-embed-text": 768, "text-embedding-3-small": 1536}
"""How long the vectors of each known model are."""

_TEXT = rb'"%s"\s*:\s*"((?:[^"\\]|\\.)*)"'
_MODEL = re.compile(_TEXT % b"model")
_UPDATED = re.compile(_TEXT % b"updated")
_VECTOR = re.compile(rb'"[^"]*"\s*:\s*\[([^\[\]"{}]*)\]\s*,?\s*')


def read_embeddings(path: str, blob: Blob) -> Findings:
    """The model, and how many vectors of which length, without reading them."""
    if not blob.raw.lstrip().startswith(b"{"):
        message = "The file must contain a map."
        flaw = Flaw(code="damaged-json", message=message, severity=Severity.ERROR)
        return Findings(flaws=(flaw,))
    model, updated = (_text(name.search(blob.raw)) for name in (_MODEL, _UPDATED))
    first = _VECTOR.search(blob.raw)
    length = _length(first[1]) if first else None
    facts = {
        "model": model,
        "updated": updated,
        "vectors": _count_embeddings(blob, first),
        "dimensions": None if length is None else str(length),
        "bytes": str(blob.stamp.size),
    }
    flaws = _flaws(blob, model, length)
    return Findings(documents=(_document(path, facts),), flaws=tuple(flaws))


def _text(found: re.Match[bytes] | None) -> str | None:
    return found[1].decode(errors="replace") if found else None


def _length(vector: bytes) -> int:
    return vector.count(b",") + 1 if vector.strip() else 0


def _count_embeddings(blob: Blob, first: re.Match[bytes] | None) -> str | None:
    """How many vectors there are; estimated by the first where the file is long."""
    if blob.whole:
        return str(sum(1 for _ in _VECTOR.finditer(blob.raw)))
    if first is None:
        return None
    return f"about {blob.stamp.size // (first.end() - first.start())}"


def _flaws(blob: Blob, model: str | None, length: int | None) -> Flaws:
    flaws = Flaws()
    expected = DIMENSIONS.get((model or "").partition(":")[0], length)
    if length is not None and length != expected:
        message = f"Vectors of {model} have {expected} dimensions; these have {length}."
        flaws.note("dimensions", message, Severity.NOTE)
    if blob.whole and not blob.raw.rstrip().endswith(b"}"):
        flaws.note("damaged-json", "The file is incomplete.", Severity.ERROR)
    return flaws


# The vectors in _embeddings.json, read whole and only for semantic search.

_LIMIT = 128 * 1024 * 1024


def read_vectors(root: Root) -> Vectors | None:
    """The vectors of a store, None where it has none; raises UnreadableError."""
    if all(entry.path != EMBEDDINGS for entry in root.entries()):
        return None
    blob = root.read(EMBEDDINGS, limit=_LIMIT)
    if not blob.whole:
        raise UnreadableError(f"{EMBEDDINGS} is larger than {_LIMIT // 1024**2} MiB.")
    try:
        data = load_map(blob.raw)
    except DamagedJsonError as error:
        raise UnreadableError(f"{EMBEDDINGS} is damaged: {error}") from error
    entries = data.get("entries")
    if not isinstance(entries, dict):
        raise UnreadableError(f"{EMBEDDINGS} has no `entries` map.")
    model, updated = data.get("model"), data.get("updated")
    found = _vectors(model if isinstance(model, str) else None, entries)
    at = parse(updated).micros if isinstance(updated, str) else None
    return replace(found, path=EMBEDDINGS, updated=at, wanted=_model_wanted(root))


def _model_wanted(root: Root) -> str | None:
    """The model that the store's settings name; None if they are missing or damaged."""
    try:
        data = load_map(root.read(CONFIG).raw)
    except (UnreadableError, DamagedJsonError):
        return None
    return scalar(data.get(f"{data.get('embedding_provider', PROVIDERS[0])}_model"))


def _vectors(model: str | None, entries: dict[str, FindingsJson]) -> Vectors:
    """The vectors of the length that most of them have."""
    found = dict(_usable(entries))
    lengths = Counter(map(len, found.values())).most_common(1)
    usual = lengths[0][0] if lengths else 0
    kept = {key: vector for key, vector in found.items() if len(vector) == usual}
    return Vectors(model, kept, len(entries) - len(kept))


def _usable(entries: dict[str, FindingsJson]) -> Iterator[tuple[str, "array[float]"]]:
    """Every vector that has a direction."""
    for name, values in entries.items():
        vector = _vector(values)
        length = hypot(*vector) if vector else 0.0
        if vector is not None and length > 0 and isfinite(length):
            yield id_key(name), vector


def _vector(values: FindingsJson) -> "array[float] | None":
    """A list of numbers, packed: as floats of their own they take eight times more."""
    if not isinstance(values, list):
        return None
    numbers = [value for value in values if isinstance(value, int | float)]
    if len(numbers) < len(values):
        return None
    try:
        return array("f", numbers)
    except OverflowError:
        return None


# _index.json, rebuilt from the memories and edge files alone.
#
# It doesn't depend on the clock, so the same files always give the same index.
# `updated` stays if the old index was correct; otherwise it becomes the newest time in
# the old index or a memory. Entries and their relations keep the old order; new ones
# follow, sorted by path. A preview stays if its memory's text still starts with it.

PREVIEW = 160
"""Characters of the text in a memory's entry."""

_VERSION = 2
_RELATION = ("target", "type", "direction", "strength", "context")
"""What an entry repeats of a relation, in the order of the file."""

_Map = dict[str, FindingsJson]


def rebuild_index(before: str | None, read: Iterable[tuple[str, Findings]]) -> Rebuilt:
    """The index rebuilt from files; `read` yields each file's path and findings."""
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
            reason = (
                findings.flaws[0].message if findings.flaws else "The file is empty."
            )
            self.warnings.append(f"{path} is skipped: {reason}")

    def _memory(self, path: str, memory: MemoryFound, findings: Findings) -> None:
        if memory.id is None:
            self.warnings.append(f"{path} is skipped: no id.")
            return
        key = id_key(memory.id)
        kept, first = self.memories.setdefault(key, (path, memory))
        if first.archived and not memory.archived:
            kept, path = path, kept
            self.memories[key] = kept, memory
        self._doubt(path, kept)
        for flaw in findings.flaws:
            if flaw.severity is Severity.ERROR:
                self.warnings.append(f"{path} is damaged: {flaw.message}")

    def _edge(self, path: str, claim: Claim) -> None:
        if claim.edge_id is None:
            self.warnings.append(f"{path} is skipped: no id.")
            return
        kept, _ = self.claims.setdefault(id_key(claim.edge_id), (path, claim))
        self._doubt(path, kept)

    def _doubt(self, path: str, kept: str) -> None:
        if path != kept:
            self.warnings.append(f"{path} is skipped: {kept} has the same id.")

    def entries(self, old: _Map) -> Iterator[tuple[str, FindingsJson]]:
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


def _in_order(relations: list[_Map], old: FindingsJson) -> list[FindingsJson]:
    """The relations; those that the old entry has too come in its order."""
    known = old if isinstance(old, list) else []
    at = {index: known.index(r) for index, r in enumerate(relations) if r in known}
    order = sorted(range(len(relations)), key=lambda i: at.get(i, len(known)))
    return [relations[index] for index in order]


def _preview(body: str, old: FindingsJson) -> str:
    flat = " ".join(body.split())
    texts = (flat, body.strip())
    if isinstance(old, str) and old and any(text.startswith(old) for text in texts):
        return old
    return flat[:PREVIEW]


def _old(before: str | None) -> _Map:
    """What the index holds now; nothing where it is damaged."""
    try:
        return as_map(
            cast("FindingsJson", load((before or "").encode(errors="surrogateescape")))
        )
    except UnreadableError:
        return {}


def as_map(value: FindingsJson) -> _Map:
    """The value if it is a map, or else an empty one."""
    return value if isinstance(value, dict) else {}


def _ordered(new: _Map, old: FindingsJson) -> _Map:
    """The new entries; those that the old index has come in its order."""
    return {name: new[name] for name in as_map(old) if name in new} | new


def _updated(
    whole: _Map, old: _Map, memories: Iterable[tuple[str, MemoryFound]]
) -> FindingsJson:
    said = old.get("updated")
    if {**whole, "updated": said} == {**old, "updated": said}:
        return said
    told = [memory.updated for _, memory in memories if memory.updated]
    told += [parse(said)] if isinstance(said, str) else []
    known = [instant for instant in told if instant.micros is not None]
    return max(known).text if known else None
