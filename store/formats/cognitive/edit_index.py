"""The JSON files: index and access state kept in step, settings changed."""

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from store.derive.memories import PINNED, strength, vigour
from store.edits.draft import Changeable
from store.errors import NotPossibleError, RecollectError
from store.files.beneath import in_memory
from store.files.json_edit import Edit, Edits, Gone, Within, with_members
from store.files.json_read import DamagedJsonError, load_map
from store.findings import Claim, Json, MemoryFound, Side, Value
from store.formats.cognitive.derived import (
    HIDDEN,
    PROVIDERS,
    as_map,
    edge_entry,
    entry,
    is_secret,
    number,
    read_vectors,
)
from store.formats.cognitive.format import (
    CONFIG,
    EMBEDDINGS,
    INDEX,
    STATE,
    Role,
    id_key,
    role_of,
)
from store.formats.cognitive.memories import read_edge, read_memory
from store.formats.markdown import (
    Changed,
    Job,
    PendingFiles,
    counted,
    memories_of,
    said,
)
from store.formats.port import Vectors
from store.kinds.memories import Memory
from store.machine import Places
from store.records.intents import Set
from store.settings import read_settings
from store.times import moment_like, parse

# The entries of _index.json that a change is about, updated with it.

_LISTED = frozenset({Role.MEMORY, Role.EDGE})
"""What an index lists."""

_UNREADABLE = (
    f"{INDEX} is damaged and stays as it is. Run `recollect rebuild index` to fix it."
)

_Memory = tuple[str, MemoryFound]
_Edge = tuple[str, Claim]
_Map = Mapping[str, Json]


def keep_index(job: Job) -> None:
    """Update the entries of what changes in the files; the others stay as they are."""
    changes = [one for one in job.files.changed() if role_of(one.path) in _LISTED]
    if changes and job.files.has(INDEX):
        _keep(job, job.files, _Touched(job.files, changes, job.known.memories()))


def keep_index_beside(job: Job, files: PendingFiles) -> None:
    """The same for another store, of which nothing is known but its files."""
    if files.has(INDEX):
        _keep(job, files, _Touched(files, files.changed(), ()))


def _keep(job: Job, files: PendingFiles, touched: "_Touched") -> None:
    """Update an index."""
    if touched.is_nothing:
        return

    def remade(raw: bytes | None) -> bytes | None:
        """The index with these entries; None where it cannot be read."""
        if raw is None:
            return None
        try:
            data = load_map(raw)
            return with_members(raw, touched.edits(data, job.now), data)
        except DamagedJsonError:
            return None

    if not files.derive(INDEX, remade):
        job.warn(_UNREADABLE)


class _Touched:
    """The affected memories and edges, before and after."""

    def __init__(
        self, files: PendingFiles, changes: Iterable[Changed], known: Iterable[Memory]
    ) -> None:
        """`known` are the memories of the store before the change."""
        self._memories: dict[str, list[_Memory]] = {}
        self._edges: dict[str, list[_Edge]] = {}
        paths: set[str] = set()
        for path, *states in changes:
            paths.add(path)
            for then, raw in enumerate(states):
                if raw is not None:
                    self._take(path, raw, is_left=bool(then))
        self._take_copies(files, known, paths)

    @property
    def is_nothing(self) -> bool:
        """Whether no memory and no edge differs."""
        return not (self._memories or self._edges)

    def edits(self, data: Mapping[str, Json], now: int) -> Edits:
        """What has to differ in an index, whatever it says."""
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

    def _take(self, path: str, raw: bytes, *, is_left: bool) -> None:
        """Note whose entries a file is about, and what it will hold if it `is_left`."""
        blob = in_memory(raw)
        if role_of(path) is Role.MEMORY:
            for memory in read_memory(path, blob).memories:
                if memory.id:
                    found = self._memories.setdefault(memory.id, [])
                    found += [(path, memory)] if is_left else []
        if role_of(path) is Role.EDGE:
            for claim in read_edge(path, blob).claims:
                if claim.side is Side.FILE and claim.edge_id:
                    listed = self._edges.setdefault(claim.edge_id, [])
                    listed += [(path, claim)] if is_left else []

    def _take_copies(
        self, files: PendingFiles, known: Iterable[Memory], paths: Collection[str]
    ) -> None:
        """Note what files besides these hold the same identifiers."""
        keys = frozenset(map(id_key, self._memories))
        for memory in known:
            is_shared = memory.id is not None and id_key(memory.id) in keys
            if is_shared and memory.path not in paths:
                self._take(memory.path, files.read(memory.path), is_left=True)

    def _of_memories(self, entries: Mapping[str, Json]) -> Iterator[tuple[str, Edit]]:
        spelt = {id_key(name): name for name in entries}
        for identifier, found in self._memories.items():
            name = spelt.get(id_key(identifier), identifier)
            if found:
                path, memory = min(found, key=_active_first)
                old = as_map(entries.get(name))
                yield name, _updated(old, entry(path, memory, old))
            elif name in entries:
                yield name, Gone.GONE

    def _of_edges(
        self, listed: Mapping[str, Json], entries: Mapping[str, Json]
    ) -> Iterator[tuple[str, Edit]]:
        known = (name for name, found in self._memories.items() if found)
        spelt = {id_key(name): name for name in (*entries, *known)}
        for identifier, found in self._edges.items():
            if found:
                path, claim = min(found, key=_by_path)
                old = as_map(listed.get(identifier))
                yield identifier, _updated(old, _edge(path, claim, spelt))
            elif identifier in listed:
                yield identifier, Gone.GONE


def _active_first(found: _Memory) -> tuple[bool, bytes]:
    """Of several files with one identifier the first that is not archived is listed."""
    return found[1].archived, _by_path(found)


def _by_path(found: _Memory | _Edge) -> bytes:
    """Of several edge files with one identifier the first is listed."""
    return os.fsencode(found[0])


def _edge(path: str, claim: Claim, spelt: Mapping[str, str]) -> dict[str, Json]:
    ends = [spelt.get(key, key.removeprefix("id:")) for key in (claim.start, claim.end)]
    return edge_entry(path, claim, *ends)


def _updated(old: _Map, new: dict[str, Json]) -> Edit:
    return Within(dict(_differing(old, new))) if old else new


def _differing(
    old: Mapping[str, Json], new: Mapping[str, Json]
) -> Iterator[tuple[str, Edit]]:
    """What changes in an entry; optional facts that it lacked stay missing."""
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


# _state.json: count an access, or recompute all scores. Written only on request.

_DIGITS = 4
_VERSION = 1

_Entries = Mapping[str, Json]


def touch(job: Job, records: Sequence[Changeable]) -> str:
    """Note that memories were recalled: once more, and now."""
    memories = memories_of(records)
    for memory in memories:
        if memory.id is None:
            sentence = f"{memory.path} has no id, so recalls can't be recorded."
            raise NotPossibleError(sentence)

    def accessed(entries: _Entries) -> Edits:
        return dict(_accessed(job, memory, entries) for memory in memories)

    _put(job, job.files, accessed)
    return said("touch", [memory.title for memory in memories])


def forget_use(job: Job, memories: Sequence[Memory]) -> None:
    """Count no use of memories that go, unless one that stays has the same id."""
    going = {memory.ref for memory in memories}
    gone = {id_key(memory.id) for memory in memories if memory.id}
    if not gone.isdisjoint(_used(job)):
        stay = (one for one in job.known.memories() if one.ref not in going)
        gone.difference_update(id_key(one.id) for one in stay if one.id)
        _put_beside(job, job.files, lambda entries: dict(_without(entries, gone)))


def unite_use(job: Job, kept: Memory, others: Sequence[Memory]) -> None:
    """Count the use of memories that were merged as that of the one that stays."""
    own = id_key(kept.id or "")
    gone = {id_key(other.id) for other in others if other.id} - {own}
    if gone.isdisjoint(_used(job)):
        return

    def united(entries: _Entries) -> Edits:
        key, old = _of(entries, kept)
        taken = dict(_without(entries, gone))
        uses = [old, *(as_map(entries[name]) for name in taken)]
        count = sum(int(number(one.get("access_count")) or 0) for one in uses)
        new: dict[str, Edit] = {"access_count": count}
        last = _latest(uses)
        if last is not None:
            new["last_accessed"] = last
            score = _score(kept, count, parse(last).micros or 0, job.now)
            new |= {} if score is None else {"decay_score": score}
        return {**taken, key: Within(new)}

    _put_beside(job, job.files, united)


def take_use(job: Job, files: PendingFiles, memories: Sequence[Memory]) -> None:
    """Have another store know how often the memories that it gets were used."""
    used = _used(job)
    keys = [id_key(memory.id) for memory in memories if memory.id]
    taken = {used[key][0]: used[key][1] for key in keys if key in used}
    if taken:
        _put_beside(job, files, lambda entries: _over(entries, taken))


def rebuild_state(job: Job) -> None:
    """Recompute every score; entries without a memory are removed, counts stay."""
    scores = {
        memory.id: round(memory.strength, _DIGITS)
        for memory in job.known.memories()
        if memory.id is not None and memory.strength is not None
    }

    def scored(entries: _Entries) -> Edits:
        return _scored(entries, scores)

    _put(job, job.files, scored)


def _accessed(job: Job, memory: Memory, entries: _Entries) -> tuple[str, Edit]:
    """A memory's entry with an access more."""
    key, old = _of(entries, memory)
    last = old.get("last_accessed")
    count = int(number(old.get("access_count")) or 0) + 1
    new: dict[str, Edit] = {
        "access_count": count,
        "last_accessed": moment_like(last if isinstance(last, str) else None, job.now),
    }
    score = _score(memory, count, job.now, job.now)
    if score is not None:
        new["decay_score"] = score
    return key, Within(new)


def _scored(entries: _Entries, scores: Mapping[str, float]) -> Edits:
    spelt = _spelt(entries)
    edits: dict[str, Edit] = {}
    for identifier, score in scores.items():
        key = spelt.pop(id_key(identifier), None)
        if key is None:
            edits[identifier] = {"access_count": 0, "decay_score": score}
        elif as_map(entries[key]).get("decay_score") != score:
            edits[key] = Within({"decay_score": score})
    return {**edits, **dict.fromkeys(spelt.values(), Gone.GONE)}


def _used(job: Job) -> dict[str, tuple[str, Json]]:
    """What the state file says of each memory, and how it spells its identifier."""
    try:
        entries = as_map(load_map(job.files.derived(STATE) or b"{}").get("entries"))
    except RecollectError:
        job.warn(f"{STATE} is damaged, so it won't be touched.")
        return {}
    return {id_key(name): (name, told) for name, told in entries.items()}


def _of(entries: _Entries, memory: Memory) -> tuple[str, Mapping[str, Json]]:
    """The key and the entry of a memory; the entry is empty if missing."""
    identifier = memory.id or ""
    key = _spelt(entries).get(id_key(identifier), identifier)
    return key, as_map(entries.get(key))


def _without(entries: _Entries, gone: Collection[str]) -> Iterator[tuple[str, Edit]]:
    yield from ((name, Gone.GONE) for name in entries if id_key(name) in gone)


def _over(entries: _Entries, taken: _Entries) -> Edits:
    """Entries that replace those of the same memories."""
    spelt = _spelt(entries)
    return {spelt.get(id_key(name), name): told for name, told in taken.items()}


def _latest(uses: Sequence[Mapping[str, Json]]) -> str | None:
    """When any of some memories was recalled last, as it is written."""
    told = [one.get("last_accessed") for one in uses]
    read = [parse(last) for last in told if isinstance(last, str)]
    known = [instant for instant in read if instant.micros is not None]
    return max(known).text if known else None


def _put_beside(
    job: Job, files: PendingFiles, change: Callable[[_Entries], Edits]
) -> None:
    """The same where the state file only goes along: a damaged one is left."""
    try:
        _put(job, files, change)
    except NotPossibleError as error:
        job.warn(str(error))


def _put(job: Job, files: PendingFiles, change: Callable[[_Entries], Edits]) -> None:
    """Change the entries of the state file, creating it if necessary."""

    def remade(raw: bytes | None) -> bytes | None:
        if raw is None:
            raw = _empty(moment_like(None, job.now))
        try:
            data = load_map(raw)
            entries = as_map(data.get("entries"))
            updated = data.get("updated")
            moment = moment_like(updated if isinstance(updated, str) else None, job.now)
            inner = Within(change(entries))
            return with_members(raw, {"updated": moment, "entries": inner})
        except DamagedJsonError:
            return None

    if not files.derive(STATE, remade):
        raise NotPossibleError(f"{STATE} is damaged and can't be changed.")


def _empty(moment: str) -> bytes:
    whole: dict[str, Json] = {"version": _VERSION, "updated": moment, "entries": {}}
    return f"{json.dumps(whole, indent=2)}\n".encode()


def _spelt(entries: Iterable[str]) -> dict[str, str]:
    """How each identifier is spelt in the file, by its key."""
    return {id_key(name): name for name in entries}


def _score(memory: Memory, count: int, last: int, now: int) -> float | None:
    """The score of a memory that was recalled so often, and last at a time."""
    if memory.pinned:
        return PINNED
    if not isinstance(memory.importance, float | int):
        return None
    lasting = vigour(memory.importance, count, memory.type, min(last, now))
    return round(strength(lasting, now), _DIGITS)


# _embeddings.json: our vectors go in, and what is out of date goes.

_ROUNDED = 7


def rebuild_embeddings(job: Job) -> None:
    """Write the vectors of `recollect embed`; keep others that may still be right."""
    raw = job.files.derived(EMBEDDINGS)
    old = None if raw is None else read_vectors(job.files.root)
    made = (old and old.model) or ""
    model = read_settings(Places.usual()).semantic.model or made
    own, former = job.known.vectors(model)
    if old is None and not own:
        raise NotPossibleError("No vectors to write; run `recollect embed` first.")
    memories = {id_key(one.id): one for one in job.known.memories() if one.id}
    own = {key: vector for key, vector in own.items() if key in memories}
    kept = _kept(old, memories, model if own else made) - own.keys()
    kept -= {key for key in kept if old and old.holds(key, former.get(key, ()))}
    base = raw or b'{"model": "", "updated": "", "entries": {}}\n'
    listed = as_map(load_map(base).get("entries"))
    edits = dict(_of_vectors(listed, memories, own, kept))
    if edits:
        whole: dict[str, Edit] = {
            "model": model if own else made,
            "updated": moment_like(None, job.now),
            "entries": Within(edits),
        }
        job.files.derive(EMBEDDINGS, lambda now: with_members(now or base, whole))
        job.files.mask(EMBEDDINGS, without_numbers)
    missing = len(memories.keys() - own.keys() - kept)
    if missing:
        these = counted(missing, "memory has", "memories have")
        job.warn(f"{these} no vector; `recollect embed` makes them.")


def _of_vectors(
    listed: _Entries,
    memories: Mapping[str, Memory],
    own: Mapping[str, Sequence[float]],
    kept: Collection[str],
) -> Iterator[tuple[str, Edit]]:
    """What becomes of each entry; those that are kept are not touched."""
    spelt = {id_key(name): name for name in listed}
    for key, name in spelt.items():
        if key not in own and key not in kept:
            yield name, Gone.GONE
    for key, vector in own.items():
        name = spelt.get(key, memories[key].id or "")
        numbers: list[Json] = [round(number, _ROUNDED) for number in vector]
        if listed.get(name) != numbers:
            yield name, numbers


def _kept(old: Vectors | None, memories: Mapping[str, Memory], model: str) -> set[str]:
    """The keys of the vectors that may still be right, if the model stays."""
    if old is None or (old.model or "") != model:
        return set()
    last = old.updated
    return {
        key
        for key in old.by_key.keys() & memories.keys()
        if last is None or (parse(memories[key].updated or "").micros or 0) <= last
    }


def without_numbers(raw: bytes) -> bytes:
    """A file of vectors as users see it: whose vectors it has, without the numbers."""
    try:
        data = load_map(raw)
    except DamagedJsonError:
        return b"(damaged)\n"
    told = {**data, "entries": dict.fromkeys(as_map(data.get("entries")), "…")}
    return f"{json.dumps(told, indent=2, ensure_ascii=False)}\n".encode()


# _config.json changed without its key ever being seen.

_KNOWN = ("embedding_provider", "openai_api_key", "ollama_model", "openai_model")


def set_setting(job: Job, intent: Set) -> str:
    """Give some of the store's own settings other values."""
    edits = {name: _value(name, value) for name, value in intent.values.items()}
    before = job.files.read(CONFIG)
    data = _settings(before)
    for name in edits:
        if name not in data and name not in _KNOWN:
            raise NotPossibleError(f"Unknown setting {name!r} in {CONFIG}.")
    job.files.write(CONFIG, with_members(before, edits))
    job.files.mask(CONFIG, masked)
    for name, value in edits.items():
        _warn(job, name, data.get(name), value)
    return f"set {CONFIG}: {intent.names}"


def _warn(job: Job, name: str, old: Json, new: str | None) -> None:
    """Warn about the effects of a setting's new value."""
    if is_secret(name, new or old):
        job.warn(f"`{name}` changes; its value isn't shown.")
    if name == "embedding_provider" and (old or PROVIDERS[0]) != new:
        job.warn(
            "The providers' vectors differ in length; rebuild all vectors before "
            "searching by meaning."
        )


def masked(raw: bytes) -> bytes:
    """The settings as they may be seen; nothing of them where they are damaged."""
    try:
        data = load_map(raw)
        return with_members(raw, dict(_hidden(data)))
    except RecollectError:
        return b"(damaged, and not shown)\n"


def unmasked(before: bytes, edited: bytes) -> bytes:
    """What an editor gave back, with what it was not shown."""
    old, new = _settings(before), _settings(edited)
    return with_members(edited, dict(_restored(old, new)))


def _hidden(data: Mapping[str, Json]) -> Sequence[tuple[str, Edit]]:
    edits: list[tuple[str, Edit]] = []
    for key, value in data.items():
        if is_secret(key, value):
            edits.append((key, HIDDEN))
        elif isinstance(value, dict):
            edits.append((key, Within(dict(_hidden(value)))))
    return edits


def _restored(
    old: Mapping[str, Json], new: Mapping[str, Json]
) -> Sequence[tuple[str, Edit]]:
    edits: list[tuple[str, Edit]] = []
    for key, value in new.items():
        known = old.get(key)
        if value == HIDDEN and is_secret(key, known):
            edits.append((key, known))
        elif isinstance(value, dict) and isinstance(known, dict):
            edits.append((key, Within(dict(_restored(known, value)))))
    return edits


def _settings(raw: bytes) -> dict[str, Json]:
    try:
        return load_map(raw)
    except DamagedJsonError as error:
        sentence = f"{CONFIG} is damaged and can't be changed. {error}"
        raise NotPossibleError(sentence) from error


def _value(name: str, value: Value | None) -> str | None:
    if value is not None and not isinstance(value, str):
        raise NotPossibleError(f"`{name}` must be a single text.")
    if name == "embedding_provider" and value not in PROVIDERS:
        raise NotPossibleError(f"`{name}` must be {' or '.join(PROVIDERS)}.")
    return value
