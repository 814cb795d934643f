"""Titles and texts that look like links, on generated pages."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.formats.cognitive.format import FORMAT as COGNITIVE
from store.formats.notes.format import FORMAT as NOTES
from store.kinds.pages import Document
from store.library import Page
from store.records.intents import Create, Rebuild
from tests.examples import examples
from tests.store.formats.changed_stores import Changed
from tests.store.formats.cognitive_stores import make_small_store, write
from tests.store.formats.notes_changes import generated, kept

LINK = "See [the docs](docs.md)"

texts = st.lists(
    st.sampled_from(["[", "]", "](", "(", ")", "\\", "gone.md", "../x", "a", " ", "!"])
).map("".join)
"""Texts of the parts that links are made of."""


def solution(number: int, title: str, tag: str) -> str:
    """A memory that is strong enough for every page."""
    return (
        f"---\nid: 99999999-0000-4000-8000-{number:012}\ntype: solution\n"
        f"title: {json.dumps(title)}\ntags: [{json.dumps(tag)}, other]\n"
        "importance: 0.9\nconfidence: 0.9\ncreated: 2026-02-27T10:00:00+00:00\n"
        "updated: 2026-02-27T10:00:00+00:00\n---\n\nText.\n"
    )


@pytest.mark.parametrize("title", [LINK, "arr[0](gone.md", "C:\\", "a] [b", "[x]"])
@pytest.mark.parametrize(
    ("page", "name"), [("CORE.md", "core"), ("REFLECTION.md", "reflection")]
)
def test_a_rebuilt_page_links_only_to_memories(
    tmp_path: Path, title: str, page: str, name: str
) -> None:
    with graph(tmp_path, [title], LINK) as store:
        store.do(Rebuild(name=name))

        assert linked(store, page) >= {title}
        assert [one.code for one in store.problems() if one.path == page] == []


@examples(20)
@given(st.lists(texts.filter(str.strip), max_size=6), texts)
def test_every_title_can_be_linked(titles: list[str], tag: str) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        graph(Path(folder), titles, tag) as store,
    ):
        before = {one.message for one in store.problems()}
        for name in ("core", "reflection"):
            store.do(Rebuild(name=name))

        assert {one.message for one in store.problems()} <= before
        told = {one.title for one in store.memories() if one.type == "solution"}
        assert linked(store, "CORE.md") >= told
        assert linked(store, "REFLECTION.md") >= told


def graph(folder: Path, titles: list[str], tag: str) -> Changed:
    """A store with memories of these titles."""
    root = folder / "graph"
    make_small_store(root)
    for path in ("CORE.md", "REFLECTION.md"):
        (root / path).unlink(missing_ok=True)
    for number, title in enumerate(titles):
        write(root, f"graph/solutions/{number}.md", solution(number, title, tag))
    return Changed(root, COGNITIVE, folder / "own")


def linked(store: Changed, path: str) -> set[str]:
    """The titles of the memories that a page links to, and to nothing else."""
    (page,) = (
        one
        for one in store.library.lists.page("documents", Page())
        if isinstance(one, Document) and one.path == path
    )
    links = list(store.library.records.links(page.ref))
    assert all(link.ref for link in links)
    return {str(link.title) for link in links}


@pytest.mark.parametrize("make", [kept, generated])
def test_a_new_note_adds_no_broken_link_to_the_index(
    tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    with Changed(make(tmp_path / ".memory"), NOTES, tmp_path / "own") as store:
        before = store.codes()
        for number, title in enumerate((LINK, "Read [[nothing]]", "a] [b](gone.md")):
            fields = {"description": title, "type": "user"}
            store.do(Create(title=f"{number} {title}", fields=fields))

        assert store.codes() == before
        store.do(Rebuild(name="notes-index"))
        assert store.codes() == before
