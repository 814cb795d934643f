"""The query and the pane of facets share one state."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from store.search.parse import parse
from tui.browser.filters import Stand, Standing, toggled_query, wanted

FADING = "stage:fading importance>=.7"

TEXTS = st.lists(
    st.sampled_from(
        [
            "redis",
            '"time out"',
            "type:fix,solution",
            "-tag:old",
            "a|b",
            "(x y)",
            "importance>=.7",
            '"open',
            "/re",
            "is:",
            "~fuzzy",
            "!x",
            "nofield:x",
        ]
    ),
    max_size=6,
).map(" ".join) | st.text(max_size=40)


@pytest.mark.parametrize(
    ("text", "stand"),
    [
        ("", Stand.OPEN),
        ("type:fix", Stand.ASKED),
        ("type:Fix,solution redis", Stand.ASKED),
        ("-type:fix", Stand.EXCLUDED),
        ("type:fix|redis", Stand.OPEN),
        ("tag:fix", Stand.OPEN),
    ],
)
def test_a_value_is_included_or_excluded(text: str, stand: Stand) -> None:
    assert Standing(text, "memories").to_value("type", "fix") is stand


def test_months_are_matched_as_text() -> None:
    standing = Standing("month:2026-02", "memories")

    assert standing.to_value("month", "2026-02") is Stand.ASKED
    assert standing.to_value("month", "2026-03") is Stand.OPEN
    assert list(standing.named("month")) == ["2026-02"]


@pytest.mark.parametrize(
    ("text", "query", "is_negated", "after"),
    [
        ("", "is:orphan", False, "is:orphan"),
        ("redis ", "is:orphan", False, "redis  is:orphan"),
        ("redis is:orphan x", "is:orphan", False, "redis x"),
        ("redis", "is:orphan", True, "redis -is:orphan"),
        ("is:orphan", "is:orphan", True, "-is:orphan"),
        ("-is:orphan", "is:orphan", False, "is:orphan"),
        ("-is:orphan", "is:orphan", True, ""),
        ("redis", FADING, False, f"redis {FADING}"),
        ("stage:fading redis", FADING, False, "stage:fading redis importance>=.7"),
        (f"redis {FADING}", FADING, False, "redis"),
        ("", FADING, True, f"-({FADING})"),
        (f"-({FADING}) x", FADING, True, "x"),
        ('"open', "is:orphan", False, "open is:orphan"),
    ],
)
def test_a_query_is_added_to_another(
    text: str, query: str, *, is_negated: bool, after: str
) -> None:
    assert toggled_query(text, "memories", query, is_negated=is_negated) == after


@given(
    text=TEXTS,
    query=st.sampled_from(["is:orphan", FADING]),
    is_negated=st.booleans(),
)
def test_toggling_a_value_twice_restores_it(
    text: str, query: str, *, is_negated: bool
) -> None:
    before = parse(text, ["memories"]).tree
    terms = {*wanted(query, "memories"), *wanted(query, "memories", is_negated=True)}
    assume(terms.isdisjoint(getattr(before, "terms", (before,))))

    on = toggled_query(text, "memories", query, is_negated=is_negated)
    off = toggled_query(on, "memories", query, is_negated=is_negated)

    stand = Stand.EXCLUDED if is_negated else Stand.ASKED
    assert Standing(on, "memories").to_query(query) is stand
    assert Standing(off, "memories").to_query(query) is Stand.OPEN
    assert parse(off, ["memories"]).tree == before
