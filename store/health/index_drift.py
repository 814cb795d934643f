"""A derived index that says something else than the memories themselves."""

import os
from collections.abc import Iterator

from store.derive.reindex import entry
from store.findings import Value
from store.health.complaint import Complaint, quoted
from store.health.evidence import EntrySeen, Evidence


def check(evidence: Evidence) -> Iterator[Complaint]:
    """The memories are right, the index is derived: each difference is reported."""
    entries = evidence.index_entries()
    for seen in entries:
        message = _difference(seen)
        if message:
            yield Complaint(
                code="index-drift", message=message, path=seen.index_path, ref=seen.ref
            )
    if entries:
        yield from _missing(evidence, entries)
        yield from _missing_edges(evidence, entries[0].index_path)


def _difference(seen: EntrySeen) -> str | None:
    """What the entry says wrongly; None where it is right."""
    if seen.memory is None or seen.path is None:
        named = seen.entry_path or seen.key.partition(":")[2]
        return f"The index lists {quoted(named)}, and there is no such memory."
    real = entry(seen.memory, os.fsdecode(seen.path))
    wrong = sorted(
        name
        for name, fact in seen.facts.items()
        if _comparable(name, fact) != _comparable(name, real.get(name))
    )
    if not wrong:
        return None
    return f"The index has an old {' and '.join(wrong)} of {quoted(seen.memory.title)}."


def _comparable(name: str, fact: Value | None) -> object:
    """A fact to be compared; in which order tags are listed says nothing."""
    return (
        sorted(fact.split(", ")) if name == "tags" and isinstance(fact, str) else fact
    )


def _missing(evidence: Evidence, entries: list[EntrySeen]) -> Iterator[Complaint]:
    """The memories that the index does not know, but for those that were put away."""
    listed = {seen.key for seen in entries}
    for memory in evidence.memories:
        listed_or_away = memory.key in listed or memory.archived
        if memory.own_id is not None and not listed_or_away:
            yield Complaint(
                code="index-drift",
                message=f"The index does not list {quoted(memory.title)}.",
                path=entries[0].index_path,
                ref=memory.ref,
            )


def _missing_edges(evidence: Evidence, index: bytes) -> Iterator[Complaint]:
    """The edge files that the index does not know; an index of old knows none."""
    if not evidence.index_knows_edges:
        return
    for edge in evidence.doubtful_edges:
        sides = edge.sides.split()
        if "file" in sides and "index" not in sides:
            yield Complaint(
                code="index-drift",
                message=f"The index does not list the {edge.type} edge.",
                path=index,
                ref=edge.ref,
            )
