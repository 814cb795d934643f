import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search.edit import written
from store.search.parse import parse
from store.search.tree import ALL, Fuzzy, Node, Text, texts
from tests.store.search.query.trees import HOSTILE, trees


@given(st.data(), st.sampled_from(sorted(ALL)))
def test_a_printed_tree_parses_to_the_same_tree(data: st.DataObject, kind: str) -> None:
    tree: Node = data.draw(trees(kind))
    query = parse(written(tree), [kind], is_finished=True)
    assert query.tree == tree
    assert query.complaints == ()


@given(HOSTILE)
def test_the_tree_of_any_text_can_be_printed(text: str) -> None:
    tree = parse(text).tree
    assert parse(written(tree), is_finished=True).tree == tree


@pytest.mark.parametrize(
    ("typed", "tidy"),
    [
        ("imp>=70%  a|( b c )", "importance>=.7 a|(b c)"),
        ('!tag:"a b",c ~"x" ', '-tag:"a b",c ~x'),
        ("in:2026-02-01..2026-02-28 -(a)", "in:2026-02 -a"),
        ("a:// http://x", '"a://" "http://x"'),
    ],
)
def test_a_query_is_printed_in_one_way_only(typed: str, tidy: str) -> None:
    assert written(parse(typed).tree) == tidy


def test_negated_terms_are_not_among_the_searched_texts() -> None:
    tree = parse("a -b -(c -d) type:x|~e").tree
    assert texts(tree) == (Text("a"), Text("d"), Fuzzy("e"))
