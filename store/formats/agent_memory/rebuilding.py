"""index.json made anew from the memories, and from nothing else.

Nothing is asked of the clock, so the same files always give the same index.
`last_updated` is the old index's if that was right; else it is the newest instant that
the old index or a memory tells. The version stays as it is, as do keys that are not
known; words and identifiers stay in the order that the old index has them in.
"""

from collections.abc import Iterable
from typing import cast

from store.files.json_document import DamagedJsonError, load
from store.files.json_style import style_of
from store.findings import Json, Severity
from store.formats.agent_memory.index import VERSION, Lists
from store.formats.agent_memory.layout import INDEX
from store.formats.agent_memory.statistics import lists_of, statistics_of
from store.formats.agent_memory.taken import Kept, Taken
from store.formats.port import Rebuilt
from store.times import parse


def rebuild_index(before: str | None, taken: Taken) -> Rebuilt:
    """The index as the files would have it."""
    old = _old(before)
    new: dict[str, Json] = {
        "version": old.get("version") or VERSION,
        "last_updated": None,
        "statistics": statistics_of(taken),
    }
    for part, lists in lists_of(taken).items():
        new[part] = _ordered(lists, old.get(part))
    new["last_updated"] = _updated(new, old, taken.memories)
    after = style_of(before).dumps(old | new)
    return Rebuilt(INDEX, before, after, tuple(_warnings(taken)))


def _old(before: str | None) -> dict[str, Json]:
    """What the index holds now; nothing where it is damaged."""
    try:
        found = load((before or "").encode(errors="surrogateescape"))
    except DamagedJsonError:
        return {}
    return cast("dict[str, Json]", found) if isinstance(found, dict) else {}


def _ordered(lists: Lists, old: Json) -> dict[str, Json]:
    """The lists; what the old index has too comes in its order."""
    known = old if isinstance(old, dict) else {}
    words = [*(word for word in known if word in lists), *lists]
    return {word: _in_order(lists[word], known.get(word)) for word in words}


def _in_order(names: list[str], old: Json) -> list[Json]:
    known = old if isinstance(old, list) else []
    at = {name: place for place, name in enumerate(known) if isinstance(name, str)}
    ordered = sorted(names, key=lambda name: at.get(name, len(at)))
    return cast("list[Json]", ordered)


def _updated(new: dict[str, Json], old: dict[str, Json], kept: Iterable[Kept]) -> Json:
    said = old.get("last_updated")
    if {**new, "last_updated": said} == {key: old.get(key) for key in new}:
        return said
    told = [one.memory.updated for one in kept if one.memory.updated]
    told += [parse(said)] if isinstance(said, str) else []
    known = [instant for instant in told if instant.micros is not None]
    return max(known).iso if known else None


def _warnings(taken: Taken) -> Iterable[str]:
    """What could not be taken into the index, or not wholly."""
    for source in taken.holders:
        for flaw in taken.read[source.path].flaws:
            if flaw.severity is Severity.ERROR:
                line = f", line {flaw.line}" if flaw.line else ""
                yield f"{source.path}{line} is left out: {flaw.message}"
    first = {id(one.memory) for one in taken.memories}
    for one in taken.everything:
        where = f"{one.path}, line {one.memory.line}"
        if id(one.memory) not in first:
            yield f"{where} is left out: another memory has the same id."
        elif one.memory.id is None:
            yield f"{where} counts, but has no id to be found by."
