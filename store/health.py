"""Checks over a whole store, and the queries they need."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from store.derive.memories import entry
from store.findings import MemoryFound, Severity, Value
from store.kinds.problems import LOST

# The input of the checks: records of a store, one after the other, as there may be
# very many.


class EdgeSeen(NamedTuple):
    """An edge with its resolved ends, and the ends as written."""

    ref: str
    type: str
    path: bytes
    line: int | None
    sides: str
    start: int | None
    end: int | None
    start_key: str
    end_key: str
    start_named: str | None
    end_named: str | None
    start_title: str | None
    end_title: str | None


class MemorySeen(NamedTuple):
    """A memory, and where it is."""

    ref: str
    title: str
    path: bytes
    line: int | None


class CopySeen(NamedTuple):
    """A memory with the identifier of an earlier one."""

    ref: str
    path: bytes
    line: int | None
    own_id: str
    first_title: str
    first_path: bytes


class ClaimSeen(NamedTuple):
    """A relation that refers to an edge by its identifier."""

    ref: str | None
    path: bytes
    line: int | None
    edge_id: str


class LinkSeen(NamedTuple):
    """A link of an episode or a document to no known memory."""

    ref: str | None
    path: bytes
    line: int
    link: str


class MovedSeen(NamedTuple):
    """A link of a document to an outdated path of a memory."""

    ref: str | None
    path: bytes
    line: int
    old: str
    new: bytes


class TimeSeen(NamedTuple):
    """A record with times in the future."""

    ref: str | None
    path: bytes
    line: int | None
    told: str
    """Those times, as written."""


class CountSeen(NamedTuple):
    """A number of memories in a derived index."""

    index_path: bytes
    of: str
    """The memories counted: `total`, `archived`, or `type:…`."""
    told: Value


class EntrySeen(NamedTuple):
    """An entry of a derived index, with its memory."""

    index_path: bytes
    key: str
    entry_path: str | None
    facts: dict[str, Value]
    ref: str | None
    path: bytes | None
    memory: MemoryFound | None
    relations: str | None
    """The relations in the memory's file, spelled as in an index entry."""
    body: str | None
    """The memory's text, if the entry has the beginning of it."""


# The problems that checks report.

_LONGEST = 80


class Complaint(Struct, frozen=True, kw_only=True):
    """A problem that is only found by comparing the files of a store."""

    code: str
    """The kind of problem, as a word for scripts."""
    message: str
    """A sentence that describes the problem."""
    path: bytes
    """The file with the problem, as stored in the catalogue."""
    severity: Severity = Severity.WARNING
    """Its severity."""
    ref: str | None = None
    """The affected record."""
    line: int | None = None
    """The line, if known."""
    other: str | None = None
    """The other memory, if it is about two."""


Seen = EdgeSeen | MemorySeen | CopySeen | ClaimSeen | LinkSeen | MovedSeen | TimeSeen
"""A record with a problem, and where it is."""


def _about(
    seen: Seen, code: str, message: str, severity: Severity = Severity.WARNING
) -> Complaint:
    """A problem of one record."""
    return Complaint(
        code=code,
        message=message,
        severity=severity,
        path=seen.path,
        ref=seen.ref,
        line=seen.line,
    )


def quoted(text: str) -> str:
    """A text from a store in quotes, shortened for a sentence."""
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return f"“{short}”"


# Edges, each of them checked for everything at once.


def check_edges(
    edges: Iterable[EdgeSeen], wanted: frozenset[str], index: bytes | None
) -> Iterator[Complaint]:
    """Report what is wrong with each edge, and with its entry in a derived index.

    `wanted` are the sides that belong together; `index` is the path of an index that
    lists edges.
    """
    for edge in edges:
        yield from _broken_ends(edge)
        yield from _missing_sides(edge, wanted)
        yield from _stale_titles(edge)
        yield from _index_drift(edge, index)


# A broken link: an edge with an end that is not a memory of the store.


def _broken_ends(edge: EdgeSeen) -> Iterator[Complaint]:
    """Report each broken end; for a wikilink, as a note rather than a warning."""
    for end, key, named in (
        (edge.start, edge.start_key, edge.start_named),
        (edge.end, edge.end_key, edge.end_named),
    ):
        if end is None:
            yield _complaint(edge, key, named)


def _complaint(edge: EdgeSeen, key: str, named: str | None) -> Complaint:
    scheme, _, name = key.partition(":")
    mere_link = edge.sides == "wikilink"
    if scheme == "name":
        named, name = None, named or name
    called = f" (named {quoted(named)})" if named else ""
    link = "link" if edge.type.casefold() == "link" else f"{edge.type} link"
    return _about(
        edge,
        "dangling-link",
        f"Broken {link}: no memory with the {_WORDS[scheme]} {quoted(name)}{called}.",
        Severity.NOTE if mere_link else Severity.WARNING,
    )


_WORDS = {"id": "id", "path": "path", "name": "name"}


# A one-way link: an edge that is missing on one side.

_UNWRITTEN = {"wikilink", "index"}
"""The sides of an edge that are neither in a header nor in an edge file."""

_WHERE = {
    "file": "an edge file",
    "outgoing": "the memory at its start",
    "incoming": "the memory at its end",
    "index": "the index",
}


def _missing_sides(edge: EdgeSeen, wanted: frozenset[str]) -> Iterator[Complaint]:
    """Report which of the required sides of an edge are missing."""
    sides = set(edge.sides.split())
    missing = wanted - sides
    if not missing or sides <= _UNWRITTEN or None in (edge.start, edge.end):
        return
    has = " and ".join(where for side, where in _WHERE.items() if side in sides)
    lacks = " or ".join(where for side, where in _WHERE.items() if side in missing)
    yield _about(
        edge,
        "one-sided-link",
        f"One-way {edge.type} link: written in {has}, but not in {lacks}.",
    )


# An edge file with an outdated copy of a title.


def _stale_titles(edge: EdgeSeen) -> Iterator[Complaint]:
    """Compare the copied titles with the current ones."""
    if "file" not in edge.sides.split():
        return
    for copied, real in (
        (edge.start_named, edge.start_title),
        (edge.end_named, edge.end_title),
    ):
        if copied and real and copied != real:
            yield _about(
                edge,
                "stale-title",
                f"Outdated title in the edge: {quoted(copied)} is now {quoted(real)}.",
            )


# An edge that a derived index lacks, or that only the index has.


def _index_drift(edge: EdgeSeen, index: bytes | None) -> Iterator[Complaint]:
    """Report an edge file that the index lacks, and an edge that only it lists.

    Old indexes list no edges. Broken edges are reported as such.
    """
    sides = edge.sides.split()
    if index is not None and "file" in sides and "index" not in sides:
        yield Complaint(
            code="index-drift",
            message=f"The index does not list the {edge.type} edge.",
            path=index,
            ref=edge.ref,
        )
    if sides == ["index"] and None not in (edge.start, edge.end):
        yield Complaint(
            code="index-drift",
            message=f"The index lists a {edge.type} edge that isn't in any file.",
            path=edge.path,
            ref=edge.ref,
        )


# Memories of one store with the same identifier.


def check_duplicate_id(copies: Iterable[CopySeen]) -> Iterator[Complaint]:
    """Report all but the first by path, which is the one that links resolve to."""
    for copy in copies:
        where = copy.first_path.decode(errors="replace")
        yield _about(
            copy,
            "duplicate-id",
            f"Duplicate id {copy.own_id} (also used by "
            f"{quoted(copy.first_title)} in {quoted(where)}; links go there).",
        )


# A time in the future, because of a wrong clock or a typing mistake.


def check_future(dated: Iterable[TimeSeen]) -> Iterator[Complaint]:
    """Times in the future, which count as now when ages are computed."""
    for seen in dated:
        yield _about(seen, "future-time", f"Dated in the future: {seen.told}.")


# A link of an episode or a document to no memory of the store.

_ON_PURPOSE = "Lost files must be restored one at a time; they may be gone on purpose."

BY_NAME = {
    "dangling-link": "The link and its reason would be deleted; fix it by name.",
    "duplicate-edge": "The second edge would be deleted; fix it by name.",
    "duplicate-relation": "The second link would be deleted; fix it by name.",
    "duplicate-id": "A memory would be deleted or get a new id; fix it by name.",
    "lost-link": "Broken links must be fixed one at a time.",
    **dict.fromkeys(LOST, _ON_PURPOSE),
}
"""The problems that are fixed only if the user names them, with the reason."""


def check_lost_link(links: Iterable[LinkSeen]) -> Iterator[Complaint]:
    """Report links whose path and file name are both unknown."""
    for link in links:
        yield _about(
            link,
            "lost-link",
            f"Broken link {quoted(link.link)}: no such memory in this store.",
        )


# A link of a document to the former path of a memory.


def check_stale_path(links: Iterable[MovedSeen]) -> Iterator[Complaint]:
    """Report links that we can resolve, but an agent that follows the path cannot."""
    for link in links:
        new = link.new.decode(errors="replace")
        yield _about(
            link, "stale-path", f"Outdated path {quoted(link.old)}: now {quoted(new)}."
        )


# A relation whose edge file is missing.


def check_missing_edge_file(claims: Iterable[ClaimSeen]) -> Iterator[Complaint]:
    """Report relations whose edge file was deleted, or never existed."""
    for claim in claims:
        yield _about(
            claim,
            "missing-edge-file",
            f"No edge file for the edge {quoted(claim.edge_id)} of a relation.",
        )


# A memory that the store's index document does not mention.


def check_unlisted(
    unmentioned: Iterable[MemorySeen], indexes: list[bytes]
) -> Iterator[Complaint]:
    """Report memories that an agent which reads only the index never sees.

    A memory that is a section of the index itself is read with it.
    """
    for memory in unmentioned if indexes else ():
        if memory.path not in indexes:
            yield _about(
                memory,
                "unlisted-memory",
                "MEMORY.md doesn't list this memory.",
                Severity.NOTE,
            )


# A store of notes without the index that agents load.


def check_no_index(stores: Iterable[tuple[Path, int]]) -> Iterator[Complaint]:
    """Report once that no index lists the memories of a store.

    In other folders than those of agents, programs may find them without one.
    """
    for path, memories in stores:
        is_for_agents = (
            path.name == ".memory"
            or path.parent.parent.name == "projects"
            or path.parent.name.startswith("agent-memory")
        )
        several = "memory" if memories == 1 else f"{memories:,} memories"
        yield Complaint(
            code="no-index",
            message=f"There is no MEMORY.md, so agents don't see the {several} here.",
            severity=Severity.WARNING if is_for_agents else Severity.NOTE,
            path=b"MEMORY.md",
        )


# An entry of the state file without a memory.


def check_idle_state(accesses: Iterable[tuple[bytes, str]]) -> Iterator[Complaint]:
    """Report entries that count the accesses of a missing memory."""
    for path, key in accesses:
        yield Complaint(
            code="state-without-memory",
            message=(
                f"The recall state of {quoted(key.partition(':')[2])} belongs to no "
                "memory."
            ),
            severity=Severity.NOTE,
            path=path,
        )


# A derived index that differs from the memories.


def check_index_drift(
    entries: Iterable[EntrySeen], unindexed: Iterable[MemorySeen], index: bytes | None
) -> Iterator[Complaint]:
    """Report each difference; the memories are right, as the index is derived."""
    for seen in entries:
        message = _difference(seen)
        if message:
            yield Complaint(
                code="index-drift", message=message, path=seen.index_path, ref=seen.ref
            )
    if index is None:
        return
    for memory in unindexed:
        yield Complaint(
            code="index-drift",
            message=f"The index does not list {quoted(memory.title)}.",
            path=index,
            ref=memory.ref,
        )


def _difference(seen: EntrySeen) -> str | None:
    """The wrong facts of an entry; None if it is correct."""
    if seen.memory is None or seen.path is None:
        named = seen.entry_path or seen.key.partition(":")[2]
        return f"The index lists {quoted(named)}, which doesn't exist."
    real = {
        **entry(seen.memory, os.fsdecode(seen.path)),
        "relations": seen.relations or "",
        "preview": _preview(seen.body or "", seen.facts.get("preview")),
    }
    wrong = sorted(
        name
        for name, fact in seen.facts.items()
        if _comparable(name, fact) != _comparable(name, real.get(name))
    )
    if not wrong:
        return None
    old = " and ".join(_NAMES.get(name, name) for name in wrong)
    return f"The index has an outdated {old} for {quoted(seen.memory.title)}."


def _preview(body: str, told: Value | None) -> str:
    """The beginning of a text, as far as an entry repeats it."""
    texts = (" ".join(body.split()), body.strip())
    length = len(told) if isinstance(told, str) else 0
    return next((one[:length] for one in texts if one[:length] == told), texts[0])


_NAMES = {
    "created": "creation date",
    "relations": "list of relations",
    "tags": "list of tags",
    "updated": "date",
}
"""How a message names these facts of an entry."""


def _comparable(name: str, fact: Value | None) -> object:
    """A fact for comparison; the order of lists is ignored."""
    if name in {"tags", "relations"} and isinstance(fact, str):
        return sorted(fact.split(", "))
    return fact


# A derived index with wrong memory counts.


def check_index_counts(
    told: list[CountSeen], counts: Iterable[tuple[int, str | None, int]]
) -> Iterator[Complaint]:
    """Compare the counts; of copies, the first active one counts."""
    real: Counter[str] = Counter()
    for is_archived, kind, number in counts if told else ():
        for of in ("archived",) if is_archived else ("total", f"type:{kind}"):
            real[of] += number
    for index, of, count in told:
        if count != str(real[of]):
            yield Complaint(
                code="index-drift",
                message=f"The index says {count} {_words(of)}; there are {real[of]}.",
                path=index,
            )


def _words(of: str) -> str:
    """The memories counted, in words."""
    kinds = {"total": "memories", "archived": "archived memories"}
    return kinds.get(of, f"memories of type {of.removeprefix('type:')}")
