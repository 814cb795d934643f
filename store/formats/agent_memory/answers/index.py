"""The index beside the files: what it says, and what the memories would have it say."""

from collections.abc import Iterator

from store.findings import Json
from store.formats.agent_memory.answers.rows import Row
from store.formats.agent_memory.index import VERSION, Index, flat
from store.formats.agent_memory.statistics import lists_of, statistics_of
from store.formats.agent_memory.taken import Taken


def index(taken: Taken, _now: int) -> Iterator[Row]:
    """A row for each thing that the index says or ought to say; nothing without one."""
    told = taken.index
    if told is None:
        return
    version = told.data.get("version")
    yield _row("version", "version", version, VERSION)
    yield from _statistics(told, taken)
    for part, lists in lists_of(taken).items():
        said = told.lists.get(part)
        if said is None:
            if not told.is_old:
                yield _row(part, "words", None, len(lists))
            continue
        for word in dict.fromkeys((*said, *lists)):
            there, real = set(said.get(word, ())), set(lists.get(word, ()))
            yield _row(part, word, len(there), len(real)) | {
                "agrees": there == real,
                "missing": list[Json](sorted(real - there)),
                "extra": list[Json](sorted(there - real)),
            }


_OLDER = {
    "core_memories": "by_type.core",
    "learnings": "by_type.learning",
    "tasks": "by_type.task",
}
"""What the older shape calls the counts."""


def _statistics(told: Index, taken: Taken) -> Iterator[Row]:
    said, real = told.statistics, flat(statistics_of(taken))
    if told.is_old:
        real = {name: real.get(_OLDER.get(name, name)) for name in said}
    for name in dict.fromkeys((*real, *said)):
        yield _row("statistics", name, said.get(name), real.get(name))


def _row(part: str, name: str, there: Json, files: Json) -> dict[str, Json]:
    """What the index says of something, and what the files say."""
    return {
        "part": part,
        "name": name,
        "index": there,
        "files": files,
        "agrees": there == files,
        "missing": [],
        "extra": [],
    }
