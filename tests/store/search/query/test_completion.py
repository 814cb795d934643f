from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from store.search.edit import completions
from tests.store.search.query.trees import HOSTILE


def of_stores(field: str, begun: str) -> Sequence[tuple[str, int]]:
    known = {"type": [("solution", 9), ("fix", 4)], "tags": [("my tag", 2)]}
    return [one for one in known.get(field, []) if one[0].startswith(begun)]


def offered(text: str, kind: str = "memories") -> list[str]:
    """The resulting texts, each with the text typed around it."""
    found = completions(text, len(text), [kind], of_stores)
    return [text[: c.span.start] + c.text + text[c.span.end :] for c in found]


def test_names_are_offered_with_their_operators() -> None:
    assert offered("redis ta") == ["redis tag:"]
    assert offered("-ta") == ["-tag:"]
    assert offered("imp") == ["importance>="]
    assert offered("se") == ["seen<", "session:"]
    assert offered("strength")[:2] == ["strength>=", "strength<="]
    assert "type:" in offered("")
    assert "stage:" not in offered("", "edges")


def test_values_come_from_the_table_or_from_the_stores() -> None:
    assert offered("stage:f") == ["stage:fading"]
    assert offered("type:") == ["type:solution", "type:fix"]
    assert offered("type:fix,s") == ["type:fix,solution"]
    assert offered("x tag:m") == ['x tag:"my tag"']
    assert offered("stage:q") == []
    assert offered("importance>=") == []


def test_values_of_the_stores_come_with_their_counts() -> None:
    (found,) = completions("type:s", 6, ["memories"], of_stores)
    assert (found.text, found.count) == ("solution", 9)


def test_nothing_is_offered_inside_a_phrase() -> None:
    assert offered('"ta') == []
    assert offered("/ta/") == []
    assert offered("(a)") == []


def test_only_text_before_the_cursor_counts() -> None:
    found = completions("ta redis", 2, ["memories"], of_stores)
    assert [(c.span, c.text) for c in found] == [((0, 2), "tag:")]


@given(HOSTILE, st.integers(min_value=0, max_value=200))
def test_any_text_can_be_continued(text: str, cursor: int) -> None:
    at = min(cursor, len(text))
    for one in completions(text, at, None, of_stores):
        assert 0 <= one.span.start <= one.span.end == at
