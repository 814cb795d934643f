import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search.language.kinds import ALL
from store.search.language.leaves import fields_named, texts
from store.search.language.parsing import parse
from store.search.language.printing import written
from store.search.language.tree import Fuzzy, Node, Text
from tests.store.search.language.trees import HOSTILE, trees


@given(st.data(), st.sampled_from(sorted(ALL)))
def test_a_tree_is_written_so_that_it_is_read_again(
    data: st.DataObject, kind: str
) -> None:
    tree: Node = data.draw(trees(kind))
    query = parse(written(tree), [kind], is_finished=True)
    assert query.tree == tree
    assert query.complaints == ()


@given(HOSTILE)
def test_what_was_understood_of_any_text_can_be_written(text: str) -> None:
    tree = parse(text).tree
    assert parse(written(tree), is_finished=True).tree == tree


@pytest.mark.parametrize(
    ("typed", "tidy"),
    [
        ("imp>=70%  a|( b c )", "importance>=.7 a|(b c)"),
        ('!tag:"a b",c ~"x" ', '-tags:"a b",c ~x'),
        ("in:2026-02-01..2026-02-28 -(a)", "in:2026-02 -a"),
        ("a:// http://x", '"a://" "http://x"'),
    ],
)
def test_there_is_one_way_to_write_a_query(typed: str, tidy: str) -> None:
    assert written(parse(typed).tree) == tidy


def test_what_is_sought_leaves_out_what_is_not_wanted() -> None:
    tree = parse("a -b -(c -d) type:x|~e -stage:fading uses>1").tree
    assert texts(tree) == (Text("a"), Text("d"), Fuzzy("e"))
    assert fields_named(tree) == {"type", "stage", "access_count"}
