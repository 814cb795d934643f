"""Links of notes: by name, by file, by id; renamed, merged, deleted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.formats.notes.format import FORMAT
from store.records.intents import Delete, Fix, Merge, Pin, Rename
from tests.store.formats.changed_stores import Changed
from tests.store.formats.notes_stores import note, write


def by_id(own: str, name: str, links: str = "", body: str = "Text.\n") -> str:
    """A note of a program that links notes by their ids."""
    header = f"id: {own}\ntitle: {name}\ntype: learning\n"
    return note(header + (f"links:\n{links}" if links else ""), body)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    """Notes whose files are named after their ids, and one whose file is not."""
    root = tmp_path / "memory"
    write(root / "hub-core.md", by_id("hub-core", "The core"))
    write(root / "loose.md", by_id("note-7", "Loose ends"))
    write(
        root / "one.md",
        by_id(
            "one", "One", "  - hub-core\n  - note-7\n", "See [[hub-core]], [[loose]].\n"
        ),
    )
    write(root / "two.md", by_id("two", "Two", "  - hub-core\n", "[[note-7|it]]\n"))
    write(root / "MEMORY.md", "# All\n\n- [[hub-core]] first\n- [[Loose Ends]]\n")
    with Changed(root, FORMAT, tmp_path / "own") as changed:
        yield changed


def dangling(store: Changed) -> int:
    return sum(edge.to is None for edge in store.edges())


def test_links_by_id_stay_when_the_note_is_renamed(store: Changed) -> None:
    before, edges = store.tree(), len(store.edges())

    planned = store.do(Rename(title="The heart"), store.memory("The core"))

    assert [step.path for step in planned.draft.steps] == ["hub-core.md"]
    assert {k: v for k, v in store.tree().items() if k != "hub-core.md"} == {
        k: v for k, v in before.items() if k != "hub-core.md"
    }
    assert (len(store.edges()), dangling(store)) == (edges, 0)


def test_links_by_file_follow_a_rename_and_those_by_id_stay(store: Changed) -> None:
    store.do(Rename(title="Tied up"), store.memory("Loose ends"))

    assert store.memory("Tied up").path == "tied-up.md"
    assert "  - hub-core\n  - note-7\n" in store.text("one.md")
    assert "See [[hub-core]], [[tied-up]].\n" in store.text("one.md")
    assert "[[note-7|it]]" in store.text("two.md")
    assert store.text("MEMORY.md") == "# All\n\n- [[hub-core]] first\n- [[Tied up]]\n"
    assert dangling(store) == 0
    assert store.problems("lost-link") == []


def test_a_merge_redirects_links_by_id(store: Changed) -> None:
    before = store.tree()

    store.do(Merge(), store.memory("The core"), store.memory("Loose ends"))

    assert "links:\n  - hub-core\n---" in store.text("one.md")
    assert "See [[hub-core]], [[hub-core]].\n" in store.text("one.md")
    assert "[[hub-core|it]]" in store.text("two.md")
    assert store.text("MEMORY.md") == "# All\n\n- [[hub-core]] first\n- [[The core]]\n"
    assert dangling(store) == 0
    store.undo()
    assert store.tree() == before


def test_no_merge_links_a_note_to_itself(store: Changed) -> None:
    """Links to what was merged become the words they showed; others are kept."""
    write(
        store.root / "sub/three.md",
        by_id(
            "three",
            "Three",
            "  - one\n  - two\n",
            "[One](../one.md), [two](../two.md), [core](../hub-core.md), `[[one]]`,"
            " [[One|first]].\n",
        ),
    )
    write(
        store.root / "one.md",
        by_id("one", "One", "  - three\n  - hub-core\n", "Of [it](sub/three.md).\n"),
    )
    store.library.sync()

    store.do(Merge(), store.memory("One"), store.memory("Three"))

    assert store.text("one.md") == by_id(
        "one",
        "One",
        "  - hub-core\n  - two\n",
        "Of it.\n\nOne, [two](two.md), [core](hub-core.md), `[[one]]`, first.\n",
    )
    assert all(edge.from_ != edge.to for edge in store.edges())
    assert dangling(store) == 0


def test_an_index_that_still_names_a_deleted_note_is_reported(
    store: Changed,
) -> None:
    planned = store.do(Delete(), store.memory("The core"))

    (warning,) = planned.draft.warnings
    assert (
        warning == "References to “The core” will remain in MEMORY.md, one.md, two.md."
    )


def test_a_broken_path_in_the_index_is_reported_and_fixed(store: Changed) -> None:
    write(store.root / "MEMORY.md", "- [Loose](loose.md) — ends\n- [[hub-core]]\n")
    (store.root / "sub").mkdir()
    (store.root / "loose.md").rename(store.root / "sub/loose.md")
    store.library.sync()

    (problem,) = store.problems("stale-path")
    assert problem.message == "Outdated path “loose.md”: now “sub/loose.md”."
    assert (problem.path, problem.line) == ("MEMORY.md", 1)

    store.do(Fix(), problem)

    assert store.text("MEMORY.md") == "- [Loose](sub/loose.md) — ends\n- [[hub-core]]\n"
    assert store.problems("stale-path") == []


def test_a_merged_pinned_note_loses_its_mark_and_is_reported(
    store: Changed,
) -> None:
    store.do(Pin(), store.memory("Loose ends"))

    planned = store.do(Merge(), store.memory("The core"), store.memory("Loose ends"))

    (mark,) = planned.draft.marks
    assert (mark.path, mark.is_set) == ("loose.md", False)
    assert planned.draft.warnings == ("“Loose ends” was pinned, but “The core” isn't.",)
    assert not store.memory("The core").pinned
    store.undo()
    assert store.memory("Loose ends").pinned


def test_a_pinned_note_with_an_id_stays_pinned_when_renamed(store: Changed) -> None:
    store.do(Pin(), store.memory("Loose ends"))
    assert store.memory("Loose ends").pinned

    store.do(Rename(title="Tied up"), store.memory("Loose ends"))
    assert store.memory("Tied up").pinned

    store.do(Pin(pins=False), store.memory("Tied up"))
    assert not store.memory("Tied up").pinned
