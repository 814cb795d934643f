"""Our own search, asked as the others are."""

from pathlib import Path

from store import demo
from store.library import Library
from tests.tui.bench.finding.conftest import NOW
from tui.bench.finding.compare import OURS, compare
from tui.bench.finding.items import KINDS, Item
from tui.bench.finding.ours import ours
from tui.bench.finding.run import compare_over


def test_it_lists_what_holds_the_words_of_a_title(
    samples: Library, items: list[Item]
) -> None:
    find = ours(samples)

    for item in items[::20]:
        assert item.ref in find(item.title, 10)


def test_it_looks_only_through_the_kinds_that_are_looked_for(samples: Library) -> None:
    kinds = {"memories": "memory", "documents": "document"}
    known = {kinds.get(kind, "conversation") for kind in KINDS}

    found = {ref.partition(":")[0] for ref in ours(samples)("redis", 10)}

    assert found
    assert found <= known


def test_what_is_no_item_takes_no_place(samples: Library, items: list[Item]) -> None:
    refs = [item.ref for item in items]

    def finder(_query: str, _limit: int) -> list[str]:
        return ["memory:none", *refs]

    first = next(iter(compare(samples, finder)))

    assert first.finder == OURS
    assert first.recall > 0
    assert first.reciprocal_rank <= first.recall


def test_stores_that_are_named_are_looked_through_as_well(tmp_path: Path) -> None:
    (own, *_) = demo.write(tmp_path / "more", NOW)

    alone, beside = list(compare_over()), list(compare_over([own]))

    assert [score.way for score in alone] == [score.way for score in beside]
    asked = sum(score.queries for score in alone)
    assert sum(score.queries for score in beside) < asked  # titles that are two's
