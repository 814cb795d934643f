import pytest

from store.library import Library
from tests.bench.queries import Item, Query, queries
from tests.bench.search import Score, compare, measure, others, table

ASKED = [
    Query("exact", "one", "a"),
    Query("exact", "two", "b"),
    Query("exact", "three", "c"),
    Query("exact", "four", "d"),
    Query("typo", "eno", "a"),
]
LISTED = {"one": ["a", "b"], "two": ["a", "b"], "three": [*"0123456789", "c"]}


def test_scores_are_listed_class_by_class() -> None:
    def finder(query: str, _limit: int) -> list[str]:
        return LISTED.get(query, [])

    exact, typo = measure("ours", finder, ASKED)

    assert exact == Score(
        way="exact", finder="ours", queries=4, reciprocal_rank=0.375, recall=0.5
    )
    assert (typo.queries, typo.reciprocal_rank, typo.recall) == (1, 0, 0)


def test_scores_are_shown_side_by_side() -> None:
    scores = [
        score
        for name, place in (("ours", 1), ("theirs", 2))
        for score in measure(
            name, lambda _q, _l, at=place: ["x"] * (at - 1) + ["a"], ASKED
        )
    ]

    *lines, meaning = table(scores)

    assert [line.split() for line in lines] == [
        ["queries", "ours", "theirs"],
        ["exact", "4", "0.250", "0.250", "0.125", "0.250"],
        ["typo", "1", "1.000", "1.000", "0.500", "1.000"],
    ]
    assert meaning == "each: mean reciprocal rank, and recall among the first 10"


def test_every_other_finder_finds_titles_by_their_words(items: list[Item]) -> None:
    exact = [query for query in queries(items) if query.way == "words of the title"]

    with others(items) as finders:
        assert {"WRatio over titles", "FTS5 bm25"} <= finders.keys()
        for name, finder in finders.items():
            (score,) = measure(name, finder, exact)
            assert score.recall > 0.9


@pytest.mark.parametrize("query", ["zzzzqqqq", "äöü", "接続"])
def test_a_query_without_results_is_answered_too(items: list[Item], query: str) -> None:
    with others(items) as finders:
        for finder in finders.values():
            assert len(finder(query, 3)) <= 3


def test_ours_is_compared_with_the_others(samples: Library) -> None:
    scores = list(compare(samples, lambda _query, _limit: []))

    finders = list(dict.fromkeys(score.finder for score in scores))
    assert finders[0] == "recollect"
    assert {"WRatio over titles", "FTS5 bm25"} <= set(finders[1:])
    assert all(score.recall == 0 for score in scores if score.finder == "recollect")
    assert len(scores) == len(finders) * len({score.way for score in scores})
