"""What a store comes to: statistics, and how full its files are."""

from collections import Counter
from collections.abc import Iterator

from store.findings import Json
from store.formats.agent_memory.answers.rows import Row, micros, ordered
from store.formats.agent_memory.layout import KINDS, STEM_OF, is_archive, kind_of
from store.formats.agent_memory.limits import BYTES, IS_HARD
from store.formats.agent_memory.schema import IMPORTANCES
from store.formats.agent_memory.statistics import statistics_of
from store.formats.agent_memory.taken import Kept, Taken

TAGS = 10
"""How many of the most frequent tags are told."""

_KILOBYTE = 1024


def stats(taken: Taken, _now: int) -> Iterator[Row]:
    """Counts of the live memories, and which of them stand out."""
    reckoned, live = statistics_of(taken), taken.live
    by_type, size = reckoned["by_type"], reckoned["total_storage_bytes"]
    yield _fact("total_memories", reckoned["total_memories"])
    if isinstance(by_type, dict):
        for kind, count in by_type.items():
            yield _fact(f"by_type.{kind}", count)
    told = Counter(str(one.memory.importance) for one in live)
    for word in IMPORTANCES:
        yield _fact(f"by_importance.{word}", told[word])
    yield _fact("archived_count", reckoned["archived_count"])
    if isinstance(size, int):
        yield _fact("total_storage_kb", round(size / _KILOBYTE, 1))
    yield from _outstanding(live)
    tags = Counter(tag for one in live for tag in one.memory.tags)
    for tag, count in sorted(tags.items(), key=lambda item: (-item[1], item[0]))[:TAGS]:
        yield _fact(f"top_tags.{tag}", count)


def _outstanding(live: tuple[Kept, ...]) -> Iterator[Row]:
    """The oldest, the newest, and the one that was recalled most often."""
    dated = [o for o in live if o.memory.created and o.memory.created.micros]
    dated = ordered(dated, lambda one: micros(one.memory.created), descending=False)
    if dated:
        yield _named("oldest_memory", dated[0], _created(dated[0]))
        yield _named("newest_memory", dated[-1], _created(dated[-1]))
    used = ordered(live, lambda one: one.memory.access_count)
    if used:
        yield _named("most_accessed", used[0], used[0].memory.access_count)


def limits(taken: Taken, _now: int) -> Iterator[Row]:
    """Each file beside what it may hold."""
    for kind in KINDS:
        files = [
            one
            for one in taken.holders
            if kind_of(one.path) == kind and not is_archive(one.path)
        ]
        count = sum(len(taken.read[one.path].memories) for one in files)
        size = sum(one.stamp.size for one in files)
        most, largest = taken.limits.most(kind), BYTES[kind]
        yield {
            "file": STEM_OF[kind],
            "memories": count,
            "most_memories": most,
            "bytes": size,
            "most_bytes": largest,
            "limit": "hard" if IS_HARD[kind] else "soft",
            "over": count > most or size > largest,
        }


def _fact(name: str, value: Json) -> Row:
    return {"name": name, "value": value, "id": None, "title": None}


def _named(name: str, one: Kept, value: Json) -> Row:
    memory = one.memory
    return {"name": name, "value": value, "id": memory.id, "title": memory.title}


def _created(one: Kept) -> str | None:
    return one.memory.created.iso if one.memory.created else None
