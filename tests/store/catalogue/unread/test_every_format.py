"""Unread files of every format give the results of the next sync."""

import pytest

from store.discover import Found
from store.formats.register import FORMATS
from store.library import Library, Page, sorts
from tests.store.catalogue.search.question import tree_of
from tests.store.catalogue.unread.queries import AT_LEISURE, hits, listed, refs

QUERIES = [
    "redis",
    "Redis",
    "redis keepalive",
    '"idle connections"',
    "kiln | glaze",
    "retry -redis",
    "type:solution",
    "naïve",
    "/re[dt]is/",
    "~kilnbook",
    "^how",
    "tag:redis keepalive",
    "Bash",
    "is:pinned",
]

TOLD_BY_SEVERAL = {"accessed", "access_count", "links", "links_in", "strength"}
"""What memories are sorted by that other files tell."""


@pytest.mark.parametrize("text", QUERIES)
def test_unread_files_give_the_results_of_the_next_sync(
    text: str, whole: Library, unread: Library
) -> None:
    tree = tree_of(text)

    found = refs(hits(unread, tree, looks=True))

    assert found
    assert found == refs(hits(whole, tree))
    assert not hits(unread, tree)


@pytest.mark.parametrize("form", [form.name for form in FORMATS])
def test_every_format_is_searched(form: str, whole: Library, unread: Library) -> None:
    tree = tree_of(f"format:{form} e")

    found = refs(hits(unread, tree, looks=True))

    assert found
    assert found == refs(hits(whole, tree))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("memories", "redis"),
        ("episodes", "kiln"),
        ("conversations", "redis"),
        ("messages", "redis"),
        ("events", "test"),
        ("documents", "kiln"),
    ],
)
def test_lists_are_in_their_final_order(
    kind: str, text: str, whole: Library, unread: Library
) -> None:
    tree = tree_of(text, kind)
    for sort in sorts(kind):
        for reverse in (False, True):
            page = Page(sort=sort, reverse=reverse)
            found = [row.ref for row in listed(unread, kind, tree, page)]
            will_be = [row.ref for row in whole.lists.page(kind, page, query=tree)]
            assert sorted(found, key=str) == sorted(will_be, key=str)
            if sort not in TOLD_BY_SEVERAL:
                assert found == will_be, (sort, reverse)


def test_pages_of_a_search_follow_one_another(unread: Library) -> None:
    tree = tree_of("kiln")
    with unread.search.unread(tree, (), AT_LEISURE) as look:
        all_at_once = unread.search.best(tree, Page(), unread=look)
        pages = [
            unread.search.best(tree, Page(limit=7, offset=offset), unread=look)
            for offset in range(0, 21, 7)
        ]

    in_turn = [hit for page in pages for hit in page.hits]
    assert in_turn == all_at_once.hits[:21]
    assert {page.total for page in pages} == {all_at_once.total}


def test_read_and_unread_files_make_one_answer(whole: Library, unread: Library) -> None:
    tree = tree_of("redis")
    forms = {form.name: form for form in FORMATS}
    every = [Found(one.path, forms[one.format]) for one in whole.stores.remembered()]
    for read in (every[:2], every[:5], every[:-2], every):
        unread.stores.choose(read)
        unread.sync()
        unread.stores.choose(every)
        found = hits(unread, tree, looks=True)
        assert refs(found) == refs(hits(whole, tree))
        assert [hit.score for hit in found] == sorted(
            (hit.score for hit in found), reverse=True
        )
