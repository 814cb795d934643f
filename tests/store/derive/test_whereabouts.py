"""A written path resolves to one file of a store, or to nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.derive.paths import Placed, Whereabouts

KILN = "/home/mira/src/kiln/.memory"
NOTES = "/home/mira/.claude/projects/-home-mira-src-kiln/memory"
GRAPH = "/home/mira/.cognitive-memory"
HERE = Whereabouts(
    [KILN, NOTES, GRAPH, "/home/mira/.claude/projects", "/home/mira/.claude/memory"]
)


@pytest.mark.parametrize(
    ("written", "store", "path"),
    [
        (f"{KILN}/glaze.md", KILN, "glaze.md"),
        (f"{KILN}/./old/../glaze.md", KILN, "glaze.md"),
        ("/Users/mm/work/kiln/.memory/sub/glaze.md", KILN, "sub/glaze.md"),
        ("~/src/kiln/.memory/glaze.md", KILN, "glaze.md"),
        ("D:\\src\\kiln\\.memory\\glaze.md", KILN, "glaze.md"),
        (f"{NOTES}/glaze.md", NOTES, "glaze.md"),
        (
            "/Users/mm/.claude/projects/-home-mira-src-kiln/memory/glaze.md",
            NOTES,
            "glaze.md",
        ),
        ("~/.cognitive-memory/graph/fixes/x.md", GRAPH, "graph/fixes/x.md"),
        ("/root/.cognitive-memory/graph/fixes/x.md", GRAPH, "graph/fixes/x.md"),
        ("/home/mira/.claude/memory/x.md", "/home/mira/.claude/memory", "x.md"),
        (
            "/home/mira/.claude/projects/other/memory/x.md",
            "/home/mira/.claude/projects",
            "other/memory/x.md",
        ),
    ],
)
def test_a_path_is_resolved_to_the_current_file(
    written: str, store: str, path: str
) -> None:
    assert HERE.of(written) == Placed(store, path)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "/",
        "glaze.md",
        KILN,
        f"{KILN}/",
        "/home/mira/src/oven/.memory/glaze.md",
        "/home/theo/src/.memory/glaze.md",
        "/home/theo/.claude/memory/x.md",
        "/home/mira/src/kiln/glaze.md",
        "/home/mira/src/kilnd/.memory/glaze.md",
    ],
)
def test_a_path_to_anything_else_resolves_to_nothing(written: str) -> None:
    assert HERE.of(written) is None


def test_a_relative_path_is_resolved_from_where_it_was_written() -> None:
    assert HERE.of(".memory/glaze.md", "/home/mira/src/kiln") == Placed(
        KILN, "glaze.md"
    )
    assert HERE.of(".memory/glaze.md", "/home/mira/src/oven") is None
    assert HERE.of(".memory/glaze.md") is None


def test_of_several_copies_of_a_store_the_exact_match_wins() -> None:
    stores = ["/a/kiln/.memory", "/b/kiln/.memory"]
    both = Whereabouts(stores)

    assert both.of("/a/kiln/.memory/x.md") == Placed("/a/kiln/.memory", "x.md")
    assert both.of("/old/b/kiln/.memory/x.md") == Placed("/b/kiln/.memory", "x.md")
    assert both.of("/c/kiln/.memory/x.md") is None


NAMES = st.text("ab.~\\ é-", min_size=1, max_size=3)
PATHS = st.lists(NAMES, max_size=6).map("/".join)


@given(st.lists(PATHS.map("/".__add__), max_size=3), PATHS, st.none() | PATHS)
def test_any_path_resolves_to_one_of_the_stores_or_nothing(
    roots: list[str], written: str, folder: str | None
) -> None:
    place = Whereabouts(roots).of(written, folder)

    assert place is None or (place.store in roots and place.path)


PLAIN = st.text("abc", min_size=1, max_size=3)


@given(st.lists(PLAIN, min_size=1, max_size=4), st.lists(PLAIN, min_size=1, max_size=3))
def test_a_file_is_found_by_its_own_path(root: list[str], path: list[str]) -> None:
    store, file = "/" + "/".join(root), "/".join(path)

    assert Whereabouts([store]).of(f"{store}/{file}") == Placed(store, file)
