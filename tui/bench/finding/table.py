"""The scores side by side: a line for each way of typing, a column for each finder."""

from collections.abc import Iterable, Iterator

from tui.bench.finding.score import LOOKED_AT, Score

_WAY = 20
_QUERIES = 8
_FINDER = 22


def table(scores: Iterable[Score]) -> Iterator[str]:
    """The lines of the table: mean reciprocal rank, and recall among the first."""
    by_way: dict[str, dict[str, Score]] = {}
    for score in scores:
        by_way.setdefault(score.way, {})[score.finder] = score
    finders = list(dict.fromkeys(name for row in by_way.values() for name in row))
    heads = "".join(f"{name:>{_FINDER}}" for name in finders)
    yield f"{'':{_WAY}}{'queries':>{_QUERIES}}{heads}"
    for way, row in by_way.items():
        count = next(iter(row.values())).queries
        cells = "".join(f"{_cell(row.get(name)):>{_FINDER}}" for name in finders)
        yield f"{way:{_WAY}}{count:>{_QUERIES}}{cells}"
    yield f"each: mean reciprocal rank, and recall among the first {LOOKED_AT}"


def _cell(score: Score | None) -> str:
    return f"{score.reciprocal_rank:.3f}  {score.recall:.3f}" if score else ""
