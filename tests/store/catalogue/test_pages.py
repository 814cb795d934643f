"""Lists have a total order whatever they are sorted by, and pages that fit."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from store.catalogue.reader import Page
from store.kinds import KINDS, Record
from store.kinds.memories import Memory
from store.library import Library
from store.times import parse
from tests.store.catalogue.stores import (
    Shelf,
    edge,
    memory,
    notes,
    own_id,
    relation,
    write,
)
from tests.store.formats.kei_databases import make_ledger
from tests.store.formats.kei_stores import Line, assistant, call, jsonl, result, user

SORTS = [(kind, sort) for kind, view in KINDS.items() for sort in view.sorts]

DAYS = ["2026-01-03T10:00:00+02:00", "2026-01-03T09:00:00Z", "2026-01-01", "never"]


def episodes(day: str, *times: str) -> str:
    entries = "".join(
        f"\n## {time} - At {time}\n- **Type:** fix\n- **Summary:** Something\n"
        for time in times
    )
    return f"# {day}\n{entries}"


def journals(root: Path) -> None:
    """A store of traces and journals, with a ledger of agents."""
    for number in range(4):
        minute = f"2026-02-0{number // 2 + 1}T10:0{number}:00.000Z"
        lines = [
            user(f"Question {number}", minute if number else None),
            assistant(call("Write", file_path=f"/code/{number}.py"), at=minute),
            user([result("done", is_error=bool(number % 2))], minute),
        ]
        write(root, f"memory/traces/session-{number}.jsonl", jsonl(*lines))
    tasks: list[Line] = [
        {"kind": "task", "name": "bB"[number % 2], "duration_s": number, "ts": minute}
        for number, minute in enumerate(DAYS)
    ]
    write(root, "memory/time-metrics/tasks.jsonl", jsonl(*tasks))
    (root / "agents").mkdir()
    make_ledger(root / "agents/ledger.sqlite")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """Two stores with some of everything, many equal and many missing values."""
    folder = tmp_path_factory.mktemp("full")
    shelf = Shelf(folder / "cache/catalogue.db", folder / "stores")
    store = folder / "stores/a"
    for number in range(1, 9):
        fields = {
            "created": f"2025-12-{10 + number // 2}",
            "updated": DAYS[number % 4],
            "importance": f"0.{number % 3}" if number % 4 else "much",
            "type": "fix" if number % 2 else "error",
            "confidence": f"0.{number}",
        }
        target = relation(number % 4 + 1, "outgoing", "FOLLOWS")
        title = f"{'bB'[number % 2]}{number % 3}"
        text = memory(number, target, title=title, **fields)
        write(store, f"graph/fixes/m{number}.md", text)
    write(store, "vault/pinned.md", memory(9, title="pinned"))
    for number in range(1, 5):
        text = edge(20 + number, number, 99, strength=f"0.{number % 2 + 1}")
        write(store, f"graph/edges/e{number}.md", text)
    write(store, "episodes/2026-01-01.md", episodes("2026-01-01", "10:30", "09:15"))
    write(store, "episodes/2026-01-02.md", episodes("2026-01-02", "10:30", "soon"))
    state = {
        own_id(number): {"access_count": number, "last_accessed": DAYS[number - 2]}
        for number in (2, 3)
    }
    write(store, "_state.json", json.dumps({"version": 1, "entries": state}))
    notes(folder / "stores/.memory", "tabs", "spaces", "archive")
    for name in ("kei", "kit"):
        journals(folder / "stores" / name)
    shelf.sync()
    return shelf


@pytest.fixture(scope="module")
def library(full: Shelf) -> Iterator[Library]:
    """The library of these stores."""
    with full.opened() as library:
        yield library


def keys(kind: str, rows: list[Record]) -> list[object]:
    """The keys that distinguish the records of a kind."""
    if kind == "problems":
        return [repr(row) for row in rows]
    return [getattr(row, "ref", None) for row in rows]


@pytest.mark.parametrize(("kind", "sort"), SORTS)
def test_pages_have_every_record_once_and_in_order(
    library: Library, kind: str, sort: str
) -> None:
    for reverse in (False, True):
        whole = list(library.lists.page(kind, Page(sort=sort, reverse=reverse)))
        for size in (1, 3, 100):
            pages = [
                library.lists.page(kind, Page(sort, reverse, limit=size, offset=offset))
                for offset in range(0, len(whole), size)
            ]
            assert [row for page in pages for row in page] == whole
    assert len(set(keys(kind, whole))) == len(whole) >= 4


@pytest.mark.parametrize(("kind", "sort"), SORTS)
def test_reversed_order_keeps_blanks_at_the_end(
    library: Library, kind: str, sort: str
) -> None:
    there = keys(kind, list(library.lists.page(kind, Page(sort=sort))))
    back = keys(kind, list(library.lists.page(kind, Page(sort=sort, reverse=True))))

    blanks = next(n for n in range(len(there) + 1) if _swaps(there, back, n))
    assert len(there) - blanks >= 1


def _swaps(there: list[object], back: list[object], blanks: int) -> bool:
    """Whether all rows are reversed, except some at the end."""
    cut = len(there) - blanks
    return there[:cut] == back[:cut][::-1] and there[cut:] == back[cut:][::-1]


def instants(name: str) -> Callable[[Memory], int | None]:
    def instant(row: Memory) -> int | None:
        text = getattr(row, name)
        return None if text is None else parse(text).micros

    return instant


def modified(row: Memory) -> int:
    return (Path(row.store) / row.path).stat().st_mtime_ns


ORDERS: dict[str, tuple[bool, Callable[[Memory], object | None]]] = {
    "updated": (True, lambda row: instants("updated")(row) or modified(row) // 1000),
    "created": (True, instants("created")),
    "accessed": (True, instants("accessed")),
    "strength": (True, lambda row: row.strength),
    "importance": (True, lambda row: row.importance),
    "confidence": (True, lambda row: row.confidence),
    "access_count": (True, lambda row: row.access_count),
    "links_in": (True, lambda row: row.links_in),
    "links_out": (True, lambda row: row.links_out),
    "links": (True, lambda row: row.links_in + row.links_out),
    "title": (False, lambda row: row.title.lower()),
    "type": (False, lambda row: row.type),
    "path": (False, lambda row: row.path),
    "store": (False, lambda row: row.store),
    "modified": (True, modified),
}
"""What each sort of memories goes by, and whether it begins with the largest."""


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("sort", KINDS["memories"].sorts)
def test_memories_are_in_the_requested_order(
    full: Shelf, sort: str, *, reverse: bool
) -> None:
    largest_first, key = ORDERS[sort]
    found = [key(row) for row in full.memories(Page(sort=sort, reverse=reverse))]

    told = [value for value in found if value is not None]
    assert found[: len(told)] == told
    assert told == sorted(told, reverse=largest_first is not reverse)  # type: ignore[type-var] - one kind of value in each order
    assert len(set(told)) > 1


def test_instants_are_compared_and_not_their_texts(full: Shelf) -> None:
    seen = dict.fromkeys(row.updated for row in full.memories() if row.updated)

    assert [day for day in seen if day in {*DAYS[:3]}] == [DAYS[1], DAYS[0], DAYS[2]]


def test_the_latest_episode_comes_first(full: Shelf) -> None:
    found = [(row.date, row.time) for row in full.episodes()]

    assert found[0] == ("2026-01-02", "10:30")
    assert found == sorted(found, key=lambda at: (at[0], at[1] or ""), reverse=True)


def test_the_worst_problems_come_first(full: Shelf) -> None:
    severities = [row.severity for row in full.problems()]

    assert severities == sorted(severities, key=["error", "warning", "note"].index)


@pytest.mark.parametrize("kind", KINDS)
def test_a_count_is_the_length_of_the_list(full: Shelf, kind: str) -> None:
    with full.opened() as library:
        assert library.lists.count(kind) == len(full.page(kind))


def test_a_store_is_counted_like_its_lists(full: Shelf) -> None:
    for report in full.stores():
        assert report.memories == sum(m.store == report.path for m in full.memories())
        assert report.edges == sum(e.store == report.path for e in full.edges())
        assert report.episodes == sum(e.store == report.path for e in full.episodes())
        assert report.problems == sum(p.store == report.path for p in full.problems())


def test_nothing_is_listed_without_stores(full: Shelf) -> None:
    with full.opened() as library:
        library.stores.choose([])

        assert [library.lists.count(kind) for kind in KINDS] == [0] * len(KINDS)
        assert list(library.lists.page("memories", Page())) == []
        assert library.sync().problems == 0


def test_a_page_beyond_the_end_is_empty(full: Shelf) -> None:
    assert full.page("memories", Page(offset=1000)) == []
    assert full.page("memories", Page(limit=0)) == []
