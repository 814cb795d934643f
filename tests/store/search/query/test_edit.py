import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from store.search.edit import toggled
from store.search.parse import parse
from store.search.tree import Named, Node, leaves
from tests.store.search.query.trees import HOSTILE, SAID


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("", "fix", "type:fix"),
        ("redis  x", "fix", "redis  x type:fix"),
        ("type:fix redis", "solution", "type:fix,solution redis"),
        ("type:fix,solution redis", "solution", "type:fix redis"),
        ("redis type:fix", "fix", "redis"),
        ("type:Fix redis", "fix", "redis"),
        ("a type:fix b", "fix", "a b"),
        ("-type:fix a", "fix", "a type:fix"),
        ('"a"type:fix', "fix", '"a"'),
        ("typ:fix type:fix", "fix", ""),
        ('"unfinished', "fix", 'type:fix "unfinished'),
        ("a|", "fix", "type:fix a|"),
        ("/usr+ type:fix", "fix", "/usr+ "),
        ('|"a', "fix", "type:fix a"),
        ("a", "my type", 'a type:"my type"'),
    ],
)
def test_a_value_is_added_to_or_removed_from_a_query(
    before: str, value: str, after: str
) -> None:
    assert toggled(before, ["memories"], "type", value) == after


def test_a_value_can_be_excluded_and_reversed() -> None:
    ruled_out = toggled("redis", None, "tags", "old", negated=True)
    assert ruled_out == "redis -tag:old"
    more = toggled(ruled_out, None, "tags", "new", negated=True)
    assert more == "redis -tag:old,new"
    assert toggled(more, None, "tags", "old") == "redis -tag:new tag:old"
    assert toggled(more, None, "tags", "old", negated=True) == "redis -tag:new"


def test_a_date_is_treated_as_a_date() -> None:
    assert toggled("on:2026-02-14 a", None, "on", "2026-02-14") == "a"
    assert toggled("a", None, "on", "2026-02") == "a on:2026-02"


def has_tags(tree: Node) -> bool:
    return any(isinstance(one, Named) and one.name == "tags" for one, _ in leaves(tree))


@given(text=HOSTILE, value=SAID, negated=st.booleans())
def test_toggling_twice_changes_nothing(
    text: str, value: str, *, negated: bool
) -> None:
    tree = parse(text, ["memories"]).tree
    assume(not has_tags(tree))
    once = toggled(text, ["memories"], "tags", value, negated=negated)
    assert has_tags(parse(once, ["memories"]).tree)
    twice = toggled(once, ["memories"], "tags", value, negated=negated)
    assert parse(twice, ["memories"]).tree == tree


@given(SAID, SAID)
def test_a_value_merged_into_a_list_leaves_the_others_alone(
    one: str, other: str
) -> None:
    assume(one.casefold() != other.casefold())
    text = toggled("x", None, "tags", one)
    both = toggled(text, None, "tags", other)
    assert toggled(both, None, "tags", other) == text
