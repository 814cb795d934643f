"""Ranges of time: part of the query, like everything that narrows a list."""

from collections.abc import Iterator
from datetime import date, timedelta

from store.search.language.parsing import parse
from store.search.language.printing import written
from store.search.language.tree import All, Compared, Days, Named, Node, Not
from tui.browser.popups.rows import Choice

_ALWAYS = frozenset({"since", "on", "month", "year"})
"""The fields that say nothing but when."""

_SPANS = {
    "since:1d": "the last 24 hours",
    "since:7d": "the last 7 days",
    "since:30d": "the last 30 days",
    "since:90d": "the last 90 days",
    "since:1y": "the last year",
}


def ranges_menu(text: str, kind: str, today: date) -> list[Choice[str]]:
    """The ranges to choose from; the one that is asked for marked."""
    asked = set(map(written, filter(_is_of_time, _terms(text, kind))))
    return [
        Choice(
            token,
            name,
            token,
            before=[("✓ " if _is_asked(token, asked) else "  ", "marked")],
        )
        for token, name in _ranges(today)
    ]


def ranged(text: str, kind: str, token: str) -> str:
    """A query with a range in place of every other; an empty one leaves none."""
    terms = _terms(text, kind)
    kept = [term for term in terms if not _is_of_time(term)]
    rest = text.rstrip() if len(kept) == len(terms) else written(All(tuple(kept)))
    return " ".join(filter(None, (rest, token)))


def _ranges(today: date) -> Iterator[tuple[str, str]]:
    """Every range, as it is typed and as one says it."""
    yield "", "all time"
    yield from _SPANS.items()
    last_month = today.replace(day=1) - timedelta(days=1)
    yield f"month:{today:%Y-%m}", "this month"
    yield f"month:{last_month:%Y-%m}", "last month"
    yield f"year:{today:%Y}", "this year"
    yield f"year:{today.year - 1:04}", "last year"


def _is_asked(token: str, asked: set[str]) -> bool:
    return token in asked if token else not asked


def _terms(text: str, kind: str) -> tuple[Node, ...]:
    tree = parse(text, [kind], is_finished=True).tree
    return tree.terms if isinstance(tree, All) else (tree,)


def _is_of_time(term: Node) -> bool:
    """Whether a term says nothing but when."""
    match term:
        case Not(inner):
            return _is_of_time(inner)
        case Named(name, values):
            return name in _ALWAYS or any(isinstance(one, Days) for one in values)
        case Compared(name):
            return name == "date"
        case _:
            return False
