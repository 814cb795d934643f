import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from store.search.language.editing import toggled
from store.search.language.leaves import fields_named
from store.search.language.parsing import parse
from tests.store.search.language.trees import HOSTILE, SAID


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
def test_a_value_is_asked_for_or_not(before: str, value: str, after: str) -> None:
    assert toggled(before, ["memories"], "type", value) == after


def test_a_value_can_be_ruled_out_and_turned_over() -> None:
    ruled_out = toggled("redis", None, "tags", "old", negated=True)
    assert ruled_out == "redis -tags:old"
    more = toggled(ruled_out, None, "tags", "new", negated=True)
    assert more == "redis -tags:old,new"
    assert toggled(more, None, "tags", "old") == "redis -tags:new tags:old"
    assert toggled(more, None, "tags", "old", negated=True) == "redis -tags:new"


def test_a_day_is_taken_for_a_day() -> None:
    assert toggled("on:2026-02-14 a", None, "on", "2026-02-14") == "a"
    assert toggled("a", None, "on", "2026-02") == "a on:2026-02"


@given(text=HOSTILE, value=SAID, negated=st.booleans())
def test_twice_is_not_at_all(text: str, value: str, *, negated: bool) -> None:
    tree = parse(text, ["memories"]).tree
    assume("tags" not in fields_named(tree))
    once = toggled(text, ["memories"], "tags", value, negated=negated)
    assert "tags" in fields_named(parse(once, ["memories"]).tree)
    twice = toggled(once, ["memories"], "tags", value, negated=negated)
    assert parse(twice, ["memories"]).tree == tree


@given(SAID, SAID)
def test_a_value_that_joined_others_leaves_them_alone(one: str, other: str) -> None:
    assume(one.casefold() != other.casefold())
    text = toggled("x", None, "tags", one)
    both = toggled(text, None, "tags", other)
    assert toggled(both, None, "tags", other) == text
