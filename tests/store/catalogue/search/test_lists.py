"""Lists with a query keep their sorting, pages and logic."""

from itertools import pairwise

import pytest

from store.kinds import KINDS
from store.library import Library, Page, sorts
from store.search.parse import parse
from store.search.tree import All, Either, Not
from tests.store.catalogue.search.question import rows, tree_of

LINES = [
    "redis timeout",
    '"connection pool"',
    "~conection",
    "^fix",
    "/re(dis|try)/",
    "-draft",
    "!tag:old",
    "redis|valkey",
    "type:fix,solution",
    "tag:redis",
    "stage:fading",
    "is:pinned",
    "has:edges",
    "edge:SOLVES",
    "status:ready",
    "tool:Bash",
    "in:body",
    "store:work",
    "project:kilnbook",
    "importance>=.7",
    "strength<.2",
    "uses=0",
    "links>5",
    "created<30d",
    "updated>2026-01-01",
    "seen<14d",
    "on:2026-02-14",
    "since:last",
    "is:new",
    "redis in:title",
    "(a (b|c))",
]
"""What can be asked, each by itself."""

SORTS = [(kind, sort) for kind in KINDS for sort in sorts(kind)]
SOME = "e -zebra"
"""What most records hold."""


def fitting(kind: str) -> list[str]:
    """The queries that make sense for a kind."""
    return [
        line for line in LINES if not parse(line, [kind], is_finished=True).complaints
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_terms_combine_as_sets(samples: Library, kind: str) -> None:
    everything = rows(samples, kind, tree_of("", kind))
    for first, second in pairwise([*fitting(kind), "e"]):
        trees = tree_of(first, kind), tree_of(second, kind)
        one, other = (rows(samples, kind, tree) for tree in trees)
        both = [record for record in one if record in other]

        assert rows(samples, kind, tree_of(f"({first})", kind)) == one
        assert rows(samples, kind, All(trees)) == both
        assert rows(samples, kind, Either(trees)) == [
            record for record in everything if record in one or record in other
        ]
        assert rows(samples, kind, Not(trees[0])) == [
            record for record in everything if record not in one
        ]
        assert rows(samples, kind, Not(All(trees))) == [
            record for record in everything if record not in both
        ]


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"agents"}))
def test_most_queries_match_some_records_and_not_all(
    samples: Library, kind: str
) -> None:
    everything = samples.lists.count(kind)
    counts = [samples.lists.count(kind, tree_of(line, kind)) for line in fitting(kind)]
    assert any(0 < count < everything for count in counts)


@pytest.mark.parametrize(("kind", "sort"), SORTS)
@pytest.mark.parametrize("reverse", [False, True])
def test_a_query_keeps_the_order(
    samples: Library, kind: str, sort: str, *, reverse: bool
) -> None:
    page = Page(sort=sort, reverse=reverse)
    everything = list(samples.lists.page(kind, page))
    found = rows(samples, kind, tree_of(SOME))
    assert found
    assert list(samples.lists.page(kind, page, query=tree_of(SOME))) == [
        record for record in everything if record in found
    ]


@pytest.mark.parametrize(("kind", "sort"), SORTS)
def test_the_browser_lists_records_in_the_order_of_pages(
    samples: Library, kind: str, sort: str
) -> None:
    page = Page(sort=sort)
    numbers = samples.lists.order(kind, page)
    records = samples.lists.numbered(kind, numbers)

    assert [records[number] for number in numbers] == list(
        samples.lists.page(kind, page)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_pages_add_up_to_the_whole_result(samples: Library, kind: str) -> None:
    query = tree_of(SOME)
    whole = rows(samples, kind, query)
    size = len(whole) // 4 + 1
    pages = [
        list(samples.lists.page(kind, Page(limit=size, offset=at), query=query))
        for at in range(0, len(whole) + size, size)
    ]
    assert [record for page in pages for record in page] == whole


def test_pages_of_hits_add_up_to_all_hits(samples: Library) -> None:
    query = tree_of("redis|kiln")
    whole = samples.search.best(query, Page())
    pages = [
        samples.search.best(query, Page(limit=7, offset=at)).hits
        for at in range(0, whole.total + 7, 7)
    ]
    assert whole.total == len(whole.hits) > 14
    assert [hit for page in pages for hit in page] == whole.hits


def test_hits_are_the_records_of_the_lists(samples: Library) -> None:
    query = tree_of("redis")
    kinds = KINDS.keys() - {"problems", "conversations"}
    hits = samples.search.best(query, Page(), sorted(kinds)).hits

    found = [record for kind in kinds for record in rows(samples, kind, query)]
    assert {hit.record.ref for hit in hits} == {record.ref for record in found}
    assert len(hits) == len(found)
    assert [hit.score for hit in hits] == sorted((h.score for h in hits), reverse=True)
