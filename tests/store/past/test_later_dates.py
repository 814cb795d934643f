"""Dates after the moment that is looked back at are unknown, and lead no list."""

import json
import os
from pathlib import Path

from store.kinds.memories import Memory
from store.library import Page, PastLibrary
from tests.store.catalogue.stores import (
    Shelf,
    cognitive,
    memory,
    micros,
    note,
    own_id,
    write,
)
from tests.store.formats.transcripts_stores import SLUG


def test_later_dates_of_memories_are_unknown(shelf: Shelf, tmp_path: Path) -> None:
    store = cognitive(shelf.places[0] / "graph", 0)
    dates = {"created": "2026-02-01T00:00:00Z", "updated": "2026-06-01T00:00:00Z"}
    changed = memory(1, title="Changed", accessed="2026-06-02T00:00:00Z", **dates)
    write(store, "graph/fixes/changed.md", changed)
    same = memory(2, title="Same", **dict.fromkeys(dates, "2026-02-10T00:00:00Z"))
    write(store, "graph/fixes/same.md", same)
    notes = shelf.places[0] / "claude/projects" / SLUG / "memory"
    write(notes, "undated.md", note("undated"))
    for file in shelf.places[0].rglob("*.md"):
        os.utime(file, (2_000_000_000, 2_000_000_000))
    shelf.sync()
    place = tmp_path / "past"
    place.mkdir()
    with shelf.opened() as library:
        lookback = library.history.look_back(micros("2026-03-02T00:00:00Z"), place)
    with PastLibrary(lookback) as past:
        found = list(past.lists.page("memories", Page()))

    assert [
        (one.title, one.created, one.updated, one.accessed, one.modified)
        for one in found
        if isinstance(one, Memory)
    ] == [
        ("Same", day := "2026-02-10T00:00:00Z", day, None, None),
        ("Changed", dates["created"], None, None, None),
        ("undated", None, None, None, None),
    ]


def test_the_strength_of_a_memory_with_unknown_earlier_uses_is_unknown(
    shelf: Shelf, tmp_path: Path
) -> None:
    store = cognitive(shelf.places[0] / "graph", 4)
    uses = {1: (9, "2026-02-20"), 2: (9, "2026-06-20"), 3: (1, "2026-06-20")}
    entries = {
        own_id(number): {"access_count": count, "last_accessed": f"{day}T00:00:00Z"}
        for number, (count, day) in uses.items()
    }
    write(store, "_state.json", json.dumps({"version": 1, "entries": entries}))
    os.utime(store / "_state.json", (2_000_000_000, 2_000_000_000))
    shelf.sync()
    place = tmp_path / "past"
    place.mkdir()
    with shelf.opened() as library:
        lookback = library.history.look_back(micros("2026-03-02T00:00:00Z"), place)
    with PastLibrary(lookback) as past:
        found = past.lists.page("memories", Page(sort="title"))
        memories = [one for one in found if isinstance(one, Memory)]

    assert [(one.title, one.stage, one.access_count) for one in memories] == [
        ("Memory 1", "active", 9),
        ("Memory 2", None, 0),
        ("Memory 3", "fading", 0),
        ("Memory 4", "fading", 0),
    ]
