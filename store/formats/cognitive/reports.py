"""The built-in reports on a graph: what is on CORE.md, clusters, merges."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from store.derive.memories import PINNED, force, strength, vigour
from store.files.beneath import Root
from store.findings import AccessFound, Json, MemoryFound
from store.formats.cognitive.edit_pages import (
    MERGED_HERE,
    MERGES,
    Ranked,
    core_of,
    merges_of,
    sections_with,
)
from store.formats.cognitive.format import Role, id_key, scan
from store.formats.cognitive.pages import CognitiveReader
from store.formats.port import Source
from store.machine import Places
from store.reports import (
    NO_LIST,
    AnyReport,
    Given,
    Listed,
    Parameter,
    Report,
    Row,
    Rows,
    Type,
)
from store.settings import read_settings


def ranked(root: Root, now: int) -> list[Ranked]:
    """Every memory with its strength, from the files."""
    reader = CognitiveReader(root)
    found: list[tuple[str, MemoryFound]] = []
    uses: dict[str, AccessFound] = {}
    for source in scan(root):
        if isinstance(source, Source) and source.role in {Role.MEMORY, Role.STATE}:
            findings = reader.read(source)
            found += [(source.path, memory) for memory in findings.memories]
            uses |= {access.key: access for access in findings.accesses}
    return [_ranked(path, memory, uses, now) for path, memory in found]


def _ranked(
    path: str, memory: MemoryFound, uses: Mapping[str, AccessFound], now: int
) -> Ranked:
    use = uses.get(id_key(memory.id or ""))
    count = use.count if use else 0
    times = (use.last if use else None, memory.updated, memory.created)
    last = next((one.micros for one in times if one and one.micros is not None), None)
    score = None
    if memory.pinned:
        score = PINNED
    elif last is not None and isinstance(memory.importance, int | float):
        most = force(memory.importance, count, memory.type)
        own = vigour(memory.importance, count, memory.type, last)
        score = strength(own, now, most)
    return Ranked(memory.title, memory.type, memory.tags, path, score)


def core(root: Root, given: Given) -> Rows:
    """Each memory with its section on CORE.md, or why it is not there."""
    own = read_settings(Places.usual()).cognitive.sections
    _, placed = core_of(ranked(root, given.now), given.now, sections_with(own))
    for place, one in enumerate(placed, 1):
        if not (given.has("outside") and not one.why):
            memory = one.memory
            told = (memory.title, memory.type, memory.strength, one.section)
            yield (place, *told, not one.why, one.why, memory.path)


# Clusters of memories that share tags, joined one by one.

_SHARED = 2
"""How many tags two memories of a cluster share."""


def clusters(root: Root, given: Given) -> Rows:
    """The memories that share tags, each with those that it leads to in turn."""
    memories = ranked(root, given.now)
    shared = given.number("shared") or _SHARED
    for number, cluster in enumerate(united(memories, shared), 1):
        tags = Counter(tag for one in cluster for tag in dict.fromkeys(one.tags))
        common = [tag for tag, count in tags.most_common() if count > 1]
        titles = [one.title for one in cluster]
        yield (number, len(cluster), ", ".join(common), list(titles))


Tags = frozenset[str]


def united(memories: Sequence[Ranked], shared: int) -> list[list[Ranked]]:
    """The memories joined by their tags (union-find), the largest cluster first.

    Two are joined if they share so many tags, and at least half of all that they have.
    """
    by_tags: defaultdict[Tags, list[Ranked]] = defaultdict(list)
    for memory in memories:
        if len(set(memory.tags)) >= shared:
            by_tags[frozenset(memory.tags)].append(memory)
    leaders = {tags: tags for tags in by_tags}

    def leader(one: Tags) -> Tags:
        while leaders[one] != one:
            leaders[one] = leaders[leaders[one]]
            one = leaders[one]
        return one

    for one, other in _alike(by_tags, shared):
        leaders[leader(one)] = leader(other)
    members: defaultdict[Tags, list[Ranked]] = defaultdict(list)
    for tags, several in by_tags.items():
        members[leader(tags)] += several
    many = [sorted(one) for one in members.values() if len(one) > 1]
    return sorted(many, key=lambda one: (-len(one), one[0].title))


def _alike(every: Iterable[Tags], shared: int) -> Iterator[tuple[Tags, Tags]]:
    """The pairs that share so many tags, and half of what they have together."""
    earlier: defaultdict[tuple[str, ...], list[Tags]] = defaultdict(list)
    for tags in every:
        for few in combinations(sorted(tags), shared):
            for other in earlier[few]:
                if 2 * len(tags & other) >= len(tags | other):
                    yield tags, other
            earlier[few].append(tags)


def merges(root: Root, _given: Given) -> Rows:
    """The number of merges by the type of daily-log entry, and of those made here."""
    sources = (one for one in scan(root) if isinstance(one, Source))
    paths = [one.path for one in sources if one.role == Role.MEMORY]
    yield from merges_of(root, paths).most_common()


def _merge_entries(one: Row) -> Listed:
    """The daily-log entries about merges; memories record those made here."""
    kind = one["type"]
    if kind in {"untyped", MERGED_HERE}:
        return NO_LIST
    listed: Row = {"type": kind}
    if str(kind).lower() not in MERGES:
        listed["tag"] = list[Json](sorted(MERGES))
    return "episodes", listed


REPORTS: tuple[AnyReport, ...] = (
    Report[Root](
        "core-page",
        "what is in CORE.md, what just misses it, and why",
        "rank title type strength section on_page why path",
        core,
        (Parameter("outside", type=Type.FLAG),),
        plot="strength",
        clip=PINNED,
    ),
    Report[Root](
        "clusters",
        "groups of memories that share most of their tags",
        "cluster memories tags titles",
        clusters,
        (
            Parameter(
                "shared",
                "a number of tags",
                Type.NUMBER,
                is_named=True,
                usual=str(_SHARED),
                least=1,
                most=9,
            ),
        ),
        plot="memories",
    ),
    Report[Root](
        "merges",
        "merges by type of daily-log entry, and those made here",
        "type merges",
        merges,
        plot="merges",
        lists=_merge_entries,
    ),
)
