"""The report on what any store holds."""

from pathlib import Path

import pytest

from store.errors import WrongUseError
from store.findings import Json
from tests.store.catalogue.stores import (
    Shelf,
    cognitive,
    linked,
    memory,
    note,
    notes,
    write,
)
from tests.store.formats.agent_memory_stores import lines, thing

Said = dict[str, list[tuple[Json, Json, Json]]]


def statistics(shelf: Shelf, *words: str) -> Said:
    """The rows by their part: name, value, and the value that is full."""
    said: Said = {}
    with shelf.opened() as library:
        offered = library.reports.named("statistics")
        for row in library.reports.answer(offered, words, pytest.fail):
            part = said.setdefault(str(row["part"]), [])
            part.append((row["name"], row["value"], row["full"]))
    return said


def test_memories_are_counted_by_type_and_use_and_limits(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / "kiln/.memory", "glaze", "cone")
    write(store, "raku.md", note("raku", kind="user"))
    shelf.sync()
    said = statistics(shelf)

    assert said["records"][0] == ("memories", 3, None)
    assert said["type"] == [("project", 2, None), ("user", 1, None)]
    index = (store / "MEMORY.md").read_text("utf-8")
    assert said["limits"] == [
        ("MEMORY.md, lines", index.count("\n") + 1, 200),
        ("MEMORY.md, bytes", len(index.encode()), 25_000),
    ]
    assert "strength" not in said


def test_links_are_a_histogram(shelf: Shelf) -> None:
    linked(shelf.places[0] / "brain")
    shelf.sync()
    said = statistics(shelf, "links", "edge type")

    assert list(said) == ["links", "edge type"]
    assert said["edge type"] == [("SOLVES", 1, None)]
    bins = {name: count for name, count, _ in said["links"]}
    both = sum(one.links_in + one.links_out == 1 for one in shelf.memories())
    assert bins["1"] == both


def test_tags_are_counted_alone_and_in_pairs(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    for number, tags in enumerate(("b, a", "a, b, c", "a, c", "d"), start=1):
        write(store, f"graph/fixes/{number}.md", memory(number, tags=f"[{tags}]"))
    shelf.sync()
    said = statistics(shelf, "tag", "tag pair", "most=3")

    assert said["tag"] == [("a", 3, None), ("b", 2, None), ("c", 2, None)]
    assert said["tag pair"] == [("a b", 2, None), ("a c", 2, None)]


def test_the_limits_of_a_format_are_among_them(shelf: Shelf) -> None:
    write(shelf.places[0] / "agents", "learnings.jsonl", lines(thing(1, "learning")))
    shelf.sync()

    learnings = ("learnings, memories", 1, 500)
    assert learnings in statistics(shelf, "limits")["limits"]


def test_a_part_that_does_not_exist_is_reported(shelf: Shelf, tmp_path: Path) -> None:
    notes(tmp_path / "stores/.memory", "glaze")
    shelf.sync()
    with pytest.raises(WrongUseError, match="Invalid part 'size'"):
        statistics(shelf, "size")
