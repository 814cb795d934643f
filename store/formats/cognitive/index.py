"""_index.json: the writer's derived copy of every header, and of every edge."""

from collections.abc import Mapping
from typing import cast

from store.files.beneath import Blob
from store.files.links import inside
from store.findings import (
    Claim,
    DocumentFound,
    Findings,
    IndexEntry,
    Severity,
    Side,
    Value,
)
from store.formats.cognitive.derived import Derived, Json, number, scalar
from store.formats.cognitive.vocabulary import id_key

_SCHEMAS = {"1": "2, without edge files", "2": "3, with edge files"}
"""The generation of the format that writes a version of the index."""

_TEXTS = ("title", "type", "created", "updated")
_NUMBERS = ("importance", "confidence")


def read_index(path: str, blob: Blob) -> Findings:
    """What the index says of each memory and edge, and of itself."""
    derived = Derived(blob)
    if derived.data is None:
        return Findings(flaws=tuple(derived.flaws))
    derived.check_version(_SCHEMAS)
    entries = [_entry(name, e, derived) for name, e in derived.entries("entries")]
    claims = [_claim(name, e, derived) for name, e in derived.entries("edges")]
    _check_count(len(entries), derived)
    _check_doubles(entries, derived)
    document = DocumentFound(
        title=path,
        role="document",
        text="",
        facts=_facts(derived.data, len(entries), len(claims)),
    )
    return Findings(
        documents=(document,),
        index=tuple(entries),
        claims=tuple(claim for claim in claims if claim),
        flaws=tuple(derived.flaws),
    )


def _facts(data: Json, entries: int, edges: int) -> Mapping[str, Value]:
    told = {key: scalar(data.get(key)) for key in ("version", "updated", "count")}
    schema = _SCHEMAS.get(told["version"] or "")
    facts = {**told, "schema": schema, "entries": str(entries), "edges": str(edges)}
    return {key: fact for key, fact in facts.items() if fact is not None}


def _entry(name: str, entry: Json, derived: Derived) -> IndexEntry:
    path = _path(f"The entry {name:.80}", entry, derived)
    tags = entry.get("tags")
    items = cast("list[object]", tags) if isinstance(tags, list) else [tags]
    facts: dict[str, str | None] = {key: scalar(entry.get(key)) for key in _TEXTS}
    for key in _NUMBERS:
        value = number(entry.get(key))
        facts[key] = scalar(entry.get(key)) if value is None else str(value)
    facts["tags"] = ", ".join(tag for tag in map(scalar, items) if tag)
    facts["path"] = path or scalar(entry.get("path"))
    told = {key: fact for key, fact in facts.items() if fact is not None}
    return IndexEntry(key=id_key(name), path=path, facts=told)


def _path(whose: str, entry: Json, derived: Derived) -> str | None:
    """Where the index says that a file lies, if that is within the store."""
    value = entry.get("path")
    if value is None:
        return None
    path = inside("", value) if isinstance(value, str) else None
    if path is None:
        told = str(value)[:80]
        message = f"{whose} names {told!r}, which is no path within the store."
        derived.flaw("link-leads-out", message)
    return path


def _claim(name: str, edge: Json, derived: Derived) -> Claim | None:
    whose = f"The edge {name:.80}"
    _path(whose, edge, derived)
    start, end, kind = (scalar(edge.get(key)) for key in ("from_id", "to_id", "type"))
    if not start or not end:
        derived.flaw("edge-without-ends", f"{whose} does not say what it links.")
        return None
    return Claim(
        start=id_key(start),
        end=id_key(end),
        type=kind or "RELATED_TO",
        side=Side.INDEX,
        edge_id=name,
        strength=_strength(name, edge.get("strength"), derived),
    )


def _strength(name: str, value: object, derived: Derived) -> float | None:
    if value is None:
        return None
    strength = number(value)
    if strength is None or not 0 <= strength <= 1:
        derived.flaw("bad-strength", f"The strength of {name:.80} is no number 0 to 1.")
        return None
    return strength


def _check_count(entries: int, derived: Derived) -> None:
    told = (derived.data or {}).get("count")
    if told is None:
        return
    if number(told) is None:
        derived.flaw("bad-count", "`count` ought to be a number.", Severity.ERROR)
    elif told != entries:
        message = f"The index counts {scalar(told):.40} entries and holds {entries}."
        derived.flaw("index-count", message)


def _check_doubles(entries: list[IndexEntry], derived: Derived) -> None:
    """Note memories that the index names twice."""
    seen: set[str] = set()
    for entry in entries:
        if entry.path is not None and entry.path in seen:
            message = f"Two entries name {entry.path[:80]!r}."
            derived.flaw("double-entry", message)
        seen.add(entry.path or "")
