"""How memories fade from day to day, in lists."""

import json
import math
from collections.abc import Mapping

from store.catalogue.reader import Page
from tests.store.catalogue.stores import (
    NOON,
    Shelf,
    linked,
    memory,
    own_id,
    relation,
    write,
)


def state(entries: Mapping[int, Mapping[str, object]]) -> str:
    named = {own_id(number): entry for number, entry in entries.items()}
    return json.dumps({"version": 1, "entries": named})


def faded(shelf: Shelf, now: str) -> dict[str, tuple[float | None, str | None]]:
    shelf.now = now
    return {
        one.title: (one.strength and round(one.strength, 4), one.stage)
        for one in shelf.memories()
    }


DAY = "2026-03-02T12:00:00Z"


def test_strength_and_stage_are_those_of_the_requested_day(
    shelf: Shelf,
) -> None:
    store = shelf.places[0] / "a"
    solution = {"type": "solution", "importance": "0.8"}
    write(store, "graph/solutions/1.md", memory(1, title="unused", **solution))
    write(store, "graph/solutions/2.md", memory(2, title="used", **solution))
    fix = memory(3, title="fix", importance="0.8")
    write(store, "graph/fixes/3.md", fix)
    general = memory(4, title="general", type="general")
    write(store, "graph/general/4.md", general)
    write(store, "vault/5.md", memory(5, title="pinned"))
    without = memory(6, title="unknown", importance="much", type="fix")
    write(store, "graph/fixes/6.md", without)
    used = {"access_count": 5, "last_accessed": NOON}
    once = {"access_count": 1, "last_accessed": "2026-02-06T09:36:00+00:00"}
    write(store, "_state.json", state({2: used, 3: once}))
    shelf.sync()

    at_noon = faded(shelf, NOON)
    a_day_later = faded(shelf, DAY)
    a_year_later = faded(shelf, "2027-03-01T12:00:00Z")

    assert at_noon["unused"] == (0.48, "fading")
    assert at_noon["general"] == (0.2, "fading")
    assert at_noon["fix"] == (0.4001, "fading")
    assert a_day_later["used"] == (2.4082, "active")
    assert a_day_later["general"] == (round(0.2 * math.exp(-0.03), 4), "dormant")
    assert {a_year_later[title][1] for title in ("unused", "used", "fix")} == {
        "archived"
    }
    for day in (at_noon, a_day_later, a_year_later):
        assert day["pinned"] == (999.0, "vault")
        assert day["unknown"] == (None, None)


def test_without_an_access_a_memory_fades_from_its_last_change(
    shelf: Shelf,
) -> None:
    store = shelf.places[0] / "a"
    created = "2026-02-28T12:00:00Z"
    changed = {"created": created, "updated": NOON, "importance": "1.0"}
    write(store, "graph/fixes/1.md", memory(1, title="changed", **changed))
    made = memory(2, title="made", importance="1.0", created=created)
    write(store, "graph/fixes/2.md", made.replace(f"updated: {NOON}\n", ""))
    counted = memory(3, title="counted", **changed)
    write(store, "graph/fixes/3.md", counted)
    write(store, "_state.json", state({3: {"access_count": 3}}))
    shelf.sync()

    assert faded(shelf, NOON) == {
        "changed": (0.5, "active"),
        "made": (round(0.5 * math.exp(-0.03), 4), "fading"),
        "counted": (2.0, "active"),
    }


def test_a_changed_or_deleted_state_changes_its_memories(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    shelf.sync()
    shelf.now = DAY
    told: list[tuple[int, str | None, float | None]] = []
    for count in (None, 1, 7, None):
        if count is None:
            (store / "_state.json").unlink(missing_ok=True)
        else:
            entry = {"access_count": count, "last_accessed": DAY}
            write(store, "_state.json", state({1: entry}))
        shelf.sync()
        one = shelf.memory("Memory 1")
        told.append((one.access_count, one.accessed, one.strength))

    unused = round(0.25 * math.exp(-0.03), 9)
    assert told == [(0, None, unused), (1, DAY, 0.5), (7, DAY, 1.5), told[0]]


def test_the_strongest_come_first_on_every_day(shelf: Shelf) -> None:
    store = shelf.places[0] / "a"
    days = ("2020-01-01", "2026-02-28", "2024-06-01", "2026-03-01")
    for number, day in enumerate(days, start=1):
        text = memory(number, updated=day, importance=f"0.{number}")
        write(store, f"graph/fixes/{number}.md", text)
    write(store, "vault/9.md", memory(9, relation(1, "outgoing")))
    shelf.sync()

    orders: set[tuple[str, ...]] = set()
    for now in (NOON, "2026-07-01", "2031-01-01"):
        shelf.now = now
        found = shelf.memories(Page(sort="strength"))
        scores = [one.strength or 0.0 for one in found]
        assert scores == sorted(scores, reverse=True)
        orders.add(tuple(one.title for one in found))
    assert len(orders) == 1
    assert next(iter(orders))[0] == "Memory 9"
