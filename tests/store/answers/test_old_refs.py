"""An old ref of a record still finds it, whatever changed since."""

import re
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import NothingFoundError, NotPossibleError
from store.formats.agent_memory.format import FORMAT as AGENT_MEMORY
from store.formats.cognitive.format import FORMAT as COGNITIVE
from store.formats.notes.format import FORMAT as NOTES
from store.formats.pages.format import FORMAT as PAGES
from store.formats.port import Format
from store.kinds.edges import Edge
from store.kinds.memories import MemoryInFull
from store.records.intents import (
    Archive,
    Create,
    Delete,
    Fix,
    Intent,
    Merge,
    Pin,
    Rename,
    Set,
)
from tests.examples import examples
from tests.store.formats.agent_memory_stores import lines, thing
from tests.store.formats.changed_stores import Changed
from tests.store.formats.cognitive_stores import memory_text, write
from tests.store.formats.notes_stores import note

TREES = ("alder", "beech", "cedar", "dogwood")
"""A word for each memory, by which its text is known whatever becomes of it."""


def notes(root: Path) -> None:
    for number, tree in enumerate(TREES):
        own = f"id: n{number}\n" if tree == "beech" else ""
        link = f"[[{TREES[number - 1]}]] and [it]({TREES[number - 1]}.md)"
        text = note(f"{own}name: {tree}\ntype: user\n", f"{link}, tree-{tree}.\n")
        write(root, f"{tree}.md", text)


def pages(root: Path) -> None:
    for number, tree in enumerate(TREES):
        link = f"[[wood/{TREES[number - 1]}]] and [it]({TREES[number - 1]}.md)"
        write(root, f"wood/{tree}.md", f"# {tree}\n\n{link}, tree-{tree}.\n")


def sections(root: Path) -> None:
    parts = (f"## {tree.title()}\n\nOf tree-{tree}.\n" for tree in TREES)
    write(root, "MEMORY.md", "\n".join(parts))


def graph(root: Path) -> None:
    for number, tree in enumerate(TREES):
        own = f"{number}bcdef00-0000-4000-8000-000000000000"
        text = memory_text(own, "fix", tree, body=f"Of tree-{tree}.\n")
        if tree == "beech":
            text = text.replace("id:", "no_id:")
        write(root, f"graph/fixes/{tree}-{own[:6]}.md", text)


def agents(root: Path) -> None:
    things = [
        thing(number + 1, "learning", content=f"Of tree-{tree}.")
        for number, tree in enumerate(TREES)
    ]
    write(root, "learnings.jsonl", lines(*things))


STORES: dict[str, tuple[Format, str, Callable[[Path], None]]] = {
    "notes": (NOTES, "notes", notes),
    "pages": (PAGES, "pages", pages),
    "sections": (NOTES, "projects/-home-zoe/memory", sections),
    "cognitive": (COGNITIVE, "graph", graph),
    "agent-memory": (AGENT_MEMORY, "agents", agents),
}

TITLES = st.sampled_from(["Elm", "Fir", "Ginkgo", *TREES])
ONE: st.SearchStrategy[Intent | str] = st.one_of(
    st.builds(Rename, title=TITLES),
    st.builds(Archive, archives=st.booleans()),
    st.builds(Pin, pins=st.booleans()),
    st.builds(Set, name=st.just("type"), value=st.sampled_from(["fix", "task"])),
    st.builds(Set, name=st.just("name"), value=TITLES),
    st.builds(
        Set, name=st.just("id"), value=st.uuids().map(str), adds=st.just(value=True)
    ),
    st.just(Delete()),
    st.just(Merge()),
    st.builds(Create, title=TITLES, body=st.uuids().map("tree-{0.hex}".format)),
    st.sampled_from(["undo", "redo", "fix", "again"]),
)
STEPS = st.lists(st.tuples(ONE, st.integers(0, 9)), max_size=8)


class Trail:
    """A changing store, and every ref that each of its memories had."""

    def __init__(self, root: Path, form: Format) -> None:
        self.root, self.format = root, form
        self.is_divided = root.parent.name == "-home-zoe"
        self.store = self.opened()
        self.had: defaultdict[str, set[str]] = defaultdict(set)
        self.look()

    def opened(self) -> Changed:
        return Changed(self.root, self.format, self.root.parent / "own")

    def look(self) -> None:
        """Note the refs; all that any memory had so far lead to it.

        A ref that another memory has by now is that memory's.
        """
        refs = {memory.ref for memory in self.store.memories()}
        for ref in refs:
            tree = self.tree(ref)
            self.had[tree] -= refs - {ref}
            for old in self.had[tree] - {ref}:
                assert self.store.library.records.named(old).ref == ref
                assert self.store.library.records.named(old[:-2]).ref == ref
            self.had[tree].add(ref)

    def tree(self, ref: str) -> str:
        """The query for a memory; for the first one if others were merged into it."""
        shown = self.store.library.records.show(ref)
        assert isinstance(shown, MemoryInFull)
        return re.findall(r"tree-(\w+)", shown.body)[0]

    def do(self, asked: Intent | str, pick: int) -> None:
        """Make a change if it is possible."""
        memories = sorted(self.store.memories(), key=lambda one: (one.path, one.title))
        count = {"merge": 2, "new": 0}.get(getattr(asked, "word", ""), 1)
        chosen = [
            memories[(pick + n) % len(memories)] for n in range(count) if memories
        ]
        title = str(getattr(asked, "title", ""))
        titles = {one.title.lower() for one in memories}
        match asked:
            case _ if self.is_divided and title.lower() in titles:
                pass  # headings that are alike are told apart by their order alone
            case "undo" | "redo":
                getattr(self.store.library.changes, asked)(is_permitted=True)
            case "fix":
                problems = self.store.problems("missing-id", "unlisted-memory")
                self.store.do(Fix(), *problems[:1])
            case "again":
                self.store.close()
                self.store = self.opened()
            case str():
                raise AssertionError
            case _:
                self.store.do(asked, *chosen)


@pytest.mark.parametrize("name", STORES)
def test_old_refs_find_their_records(name: str) -> None:
    form, folder, make = STORES[name]

    @examples(15)
    @given(STEPS)
    def kept(steps: list[tuple[Intent | str, int]]) -> None:
        with tempfile.TemporaryDirectory() as place:
            root = Path(place) / folder
            (root / "graph").mkdir(parents=True)
            make(root)
            trail = Trail(root, form)
            for asked, pick in steps:
                try:
                    trail.do(asked, pick)
                except (NotPossibleError, NothingFoundError):
                    continue
                trail.look()
            trail.store.close()

    kept()


def test_a_link_without_an_id_is_found_by_its_old_ref(tmp_path: Path) -> None:
    notes(tmp_path / "notes")
    with Changed(tmp_path / "notes", NOTES, tmp_path / "own") as store:
        olds = {(edge.from_title, edge.to_title): edge.ref for edge in store.edges()}

        store.do(Rename(title="Elm"), store.memory("alder"))
        store.do(Archive(), store.memory("beech"), store.memory("dogwood"))

        edges = {edge.ref: edge for edge in store.edges()}
        assert len(olds) == 4
        for (start, end), old in olds.items():
            edge = store.library.records.named(old)
            assert isinstance(edge, Edge)
            assert edge.ref in edges
            titles = ["Elm" if title == "alder" else title for title in (start, end)]
            assert [edge.from_title, edge.to_title] == titles


def test_a_deleted_record_is_not_found_by_an_old_ref(
    tmp_path: Path,
) -> None:
    notes(tmp_path / "notes")
    with Changed(tmp_path / "notes", NOTES, tmp_path / "own") as store:
        old = store.memory("alder").ref
        store.do(Rename(title="Elm"), store.memory("alder"))
        store.do(Delete(), store.memory("Elm"))

        with pytest.raises(NothingFoundError):
            store.library.records.named(old)
        store.undo()
        assert store.library.records.named(old).ref == store.memory("Elm").ref


def test_a_damaged_list_of_refs_loses_only_old_refs(
    tmp_path: Path,
) -> None:
    notes(tmp_path / "notes")
    with Changed(tmp_path / "notes", NOTES, tmp_path / "own") as store:
        olds = [store.memory(title).ref for title in ("alder", "beech")]
        store.do(Rename(title="Elm"), store.memory("alder"))
        refs = tmp_path / "own" / "state" / "refs"
        assert refs.stat().st_mode & 0o077 == 0
        raw = refs.read_bytes()
        refs.write_bytes(b"\xff\x00damaged\n[1, 2]\n" + raw)

        assert store.library.records.named(olds[0]).ref == store.memory("Elm").ref
        store.do(Rename(title="Fir"), store.memory("Elm"))
        assert store.library.records.named(olds[0]).ref == store.memory("Fir").ref
        assert store.library.records.named(olds[1]).ref == olds[1]
