"""Any query has an answer for every kind, in bounded time.

The negated query finds all the other records.
"""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.kinds import KINDS
from store.library import Library, Page
from store.search.parse import DEEPEST, parse
from store.search.tree import LONGEST, All, Either, Named, Node, Not, Text
from tests.examples import examples
from tests.store.search.query.trees import HOSTILE, trees

KIND = st.sampled_from(sorted(KINDS))

PIECES = st.sampled_from(
    [
        *"\"()|/-!~^:,<>= \\.*;%'`$",
        "NEAR(",
        "NEAR(a b, 3)",
        " OR ",
        " AND NOT ",
        "--",
        "; DROP TABLE memories; --",
        "/*",
        "rowid",
        "{text}:",
        "text :",
        "' OR 1=1",
        "\0",
        "\ud800",
        "\U0010ffff",
        "{}",
        "{0}",
        "%s",
        "?",
        "?1",
        ":now",
        "redis",
        "Łukasz",
    ]
)
RAW = st.lists(PIECES | HOSTILE, max_size=12).map("".join)

MANY = [chr(0x4E00 + number) for number in range(LONGEST // 2)]
"""So many words, no two of them the same, fill the longest query there is."""

LARGE = {
    "words": " ".join(MANY),
    "opposites": " ".join(f"-{word}" for word in MANY[: LONGEST // 3]),
    "either": "|".join(MANY[:1100]),
    "values": f"type:{','.join(MANY[:-5])}",
    "fields": " ".join(f"in:title type:{word}" for word in MANY[:200]),
    "nearly": " ".join(f"~{word}" for word in MANY[:40]),
    "patterns": "|".join(f"/{word}/" for word in MANY[:100]),
    "deep": "(a|" * DEEPEST + "b" + ")" * DEEPEST,
    "deep opposites": "-(a " * DEEPEST + "b",
    "deep and wide": "-(a|(b " * (DEEPEST // 2) + "c" + ") (d e|f)) (g|h)" * 10,
    "deep at the end": "".join(
        f"({' '.join(MANY[n * 90 : n * 90 + 70])}|" for n in range(DEEPEST)
    ),
    "deep in all": "(x (y|z)|(w v) (u|" * (DEEPEST // 2) + "t" + "))" * DEEPEST,
}


def whole(library: Library, kind: str, tree: Node) -> None:
    """A query and its negation divide all records."""
    found = list(library.lists.page(kind, Page(), query=tree))
    rest = list(library.lists.page(kind, Page(), query=Not(tree)))
    everything = list(library.lists.page(kind, Page()))
    assert sorted(map(repr, found + rest)) == sorted(map(repr, everything))
    assert library.lists.count(kind, tree) == len(found)
    assert library.lists.count(kind, Not(tree)) == len(rest)


@pytest.mark.parametrize("kind", ["memories", "conversations", "edges"])
@pytest.mark.parametrize("name", LARGE)
def test_the_largest_queries_have_an_answer(
    samples: Library, kind: str, name: str
) -> None:
    query = parse(LARGE[name], [kind], is_finished=True)
    samples.lists.count(kind, query.tree)
    samples.lists.count(kind, Not(query.tree))


@pytest.mark.parametrize("name", LARGE)
def test_the_largest_queries_have_hits_shares_and_names(
    samples: Library, name: str
) -> None:
    tree = parse(LARGE[name], is_finished=True).tree
    samples.search.best(tree, Page(limit=10))
    samples.search.facets("memories", tree)
    list(samples.lists.nearly("memories", tree))


@examples(100)
@given(kind=KIND, text=RAW, is_finished=st.booleans())
@example(kind="memories", text='"', is_finished=True)
@example(kind="messages", text="redis\0timeout", is_finished=True)
def test_any_text_divides_any_list(
    samples: Library, kind: str, text: str, *, is_finished: bool
) -> None:
    whole(samples, kind, parse(text, [kind], is_finished=is_finished).tree)


@examples(100)
@given(data=st.data(), kind=KIND)
def test_any_tree_divides_any_list(
    samples: Library, data: st.DataObject, kind: str
) -> None:
    whole(samples, kind, data.draw(trees(kind)))


@examples(40)
@given(text=RAW)
def test_any_text_can_be_searched(samples: Library, text: str) -> None:
    tree = parse(text).tree
    best = samples.search.best(tree, Page(limit=20))
    assert len(best.hits) <= 20
    assert best.total >= len(best.hits)
    for hit in best.hits:
        if hit.snippet:
            for begin, end in hit.snippet.spans:
                assert 0 <= begin < end <= len(hit.snippet.text)
    for kind in KINDS:
        samples.search.facets(kind, tree)
        list(samples.lists.nearly(kind, tree))


@pytest.mark.parametrize(
    "tree",
    [
        All((Text("postgres"), Named("in", ("title",)))),
        Not(All((Text("postgres"), Named("in", ("title",))))),
        Either((All((Text("a"), Named("in", ("tags",)))), Text("redis"))),
        All((Text("a"), All((Text("redis"), Named("in", ("body",)))))),
    ],
)
def test_the_scope_of_a_text_applies_within_its_group(
    samples: Library, tree: Node
) -> None:
    whole(samples, "memories", tree)


def test_each_group_has_its_own_scope_of_text(samples: Library) -> None:
    def count(text: str) -> int:
        return samples.lists.count("memories", parse(text, is_finished=True).tree)

    titles, bodies = count("redis in:title"), count("redis in:body")
    assert titles > 0
    assert bodies > 0
    assert count("redis (redis in:title)") == titles
    assert count("(redis in:title)|(redis in:body)") >= bodies
    assert count("redis -(redis in:title)") == count("redis") - titles
    assert count("redis in:title,body") <= count("redis")
