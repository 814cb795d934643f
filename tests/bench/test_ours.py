"""Our own search, called like the others."""

from pathlib import Path

from store import demo
from store.library import Library
from tests.bench.conftest import NOW
from tests.bench.queries import KINDS, Item
from tests.bench.search import OURS, compare, compare_over, ours


def test_records_with_the_words_of_a_title_are_listed(
    samples: Library, items: list[Item]
) -> None:
    find = ours(samples)

    for item in items[::20]:
        assert item.ref in find(item.title, 10)


def test_only_the_wanted_kinds_are_searched(samples: Library) -> None:
    kinds = {"memories": "memory", "documents": "document"}
    known = {kinds.get(kind, "conversation") for kind in KINDS}

    found = {ref.partition(":")[0] for ref in ours(samples)("redis", 10)}

    assert found
    assert found <= known


def test_other_records_take_no_place(samples: Library, items: list[Item]) -> None:
    refs = [item.ref for item in items]

    def finder(_query: str, _limit: int) -> list[str]:
        return ["memory:none", *refs]

    first = next(iter(compare(samples, finder)))

    assert first.finder == OURS
    assert first.recall > 0
    assert first.reciprocal_rank <= first.recall


def test_named_stores_are_searched_as_well(tmp_path: Path) -> None:
    (own, *_) = demo.write(tmp_path / "more", NOW)

    alone, beside = list(compare_over()), list(compare_over([own]))

    assert [score.way for score in alone] == [score.way for score in beside]
    asked = sum(score.queries for score in alone)
    assert sum(score.queries for score in beside) < asked  # titles that are two's
