"""Memories that are pinned and whose format has no word for that.

A mark is kept outside of the store, by the store and what the memory goes by in it: its
own identifier, or its file where it has none. So it outlives a catalogue that is made
anew, and a memory that moves within its store.
"""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from store.edits.draft import Marking
from store.errors import UnreadableError
from store.files.jsonl.values import parse
from store.places import Places
from store.private import only_writer, read_own, replace_own
from store.records.memory import Memory

NAME = "pinned"
"""What such a mark is called in drafts."""

_LIMIT = 64 * 1024 * 1024


class Mark(NamedTuple):
    """What is marked."""

    store: str
    """The absolute path of the store's root."""
    key: str
    """`id:…` or `path:…`."""


Pinned = Mapping[Mark, int]
"""When each was pinned, in microseconds since 1970."""


def mark_of(memory: Memory) -> Mark:
    """What a memory is marked by."""
    return mark(memory.store, memory.id, memory.path)


def mark(store: str, own: str | None, path: str) -> Mark:
    """The same, of a memory that is known by less."""
    return Mark(store, f"id:{own.casefold()}" if own else f"path:{path}")


def pinned(places: Places) -> Pinned:
    """Everything that is marked; never raises, what cannot be read is not marked."""
    try:
        raw = read_own(places.marks, _LIMIT) or b""
    except UnreadableError:
        return {}
    found: dict[Mark, int] = {}
    for line in filter(bytes.strip, raw.split(b"\n")):
        for value in parse(line).values:
            match value:
                case {"store": str() as store, "key": str() as key, "at": int() as at}:
                    found[Mark(store, key)] = at
                case _:
                    pass
    return found


def pin(places: Places, marks: Iterable[Mark], now: int) -> None:
    """Mark some more; what is marked stays as it is. Raises NotWrittenError."""
    _change(places, dict.fromkeys(marks, now), ())


def unpin(places: Places, marks: Iterable[Mark]) -> None:
    """Take marks away; raises NotWrittenError."""
    _change(places, {}, marks)


def keep_marks(places: Places, store: str, marks: Iterable[Marking], now: int) -> None:
    """Keep what a change asks to be remembered; raises NotWrittenError."""
    told = [one for one in marks if one.name == NAME]
    meant = {one: _meant(store, one) for one in told}
    if meant:
        new = dict.fromkeys((meant[one] for one in told if one.is_set), now)
        _change(places, new, [meant[one] for one in told if not one.is_set])


def differing(
    places: Places, store: str, marks: Iterable[Marking]
) -> tuple[Marking, ...]:
    """Those of some marks that are not as they are asked to be."""
    known = pinned(places)
    return tuple(one for one in marks if (_meant(store, one) in known) != one.is_set)


def by_store(known: Pinned) -> dict[str, list[str]]:
    """The keys of what is marked, store by store."""
    found: dict[str, list[str]] = {}
    for one in known:
        found.setdefault(one.store, []).append(one.key)
    return found


def _meant(store: str, marking: Marking) -> Mark:
    root = store if marking.root is None else str(marking.root)
    return mark(root, marking.id, marking.path)


def _change(places: Places, more: Pinned, gone: Iterable[Mark]) -> None:
    with only_writer(places.state):
        before = pinned(places)
        after = {**more, **before}
        for one in gone:
            after.pop(one, None)
        if after != before:
            lines = (
                json.dumps({"store": one.store, "key": one.key, "at": at})
                for one, at in after.items()
            )
            raw = "".join(f"{line}\n" for line in lines).encode()
            replace_own(places.marks, raw)
