"""What journals are asked of a result, all at once and away from the screen."""

from collections.abc import Mapping

from msgspec import Struct

from store.derive.quantiles import quantile
from store.library import Library
from store.records.tally import Durations
from store.search.language.tree import Named, Node
from tui.browser.rooms.journals.sections import SECTIONS
from widgets.journals.windows import Chart, Window, chart_of, since, until

_SECOND = 1_000_000
_MOST = 0.9
"""Bars of single rows are full where so many took less."""


class Survey(Struct, frozen=True):
    """A result in figures."""

    chart: Chart
    durations: Durations
    """How long that took which the chart shows."""
    long: float
    """How long most of the whole result took less than."""


def survey(library: Library, kind: str, tree: Node, window: Window) -> Survey:
    """How much of a result there was when, and how long it took."""
    tally = library.tally(kind, tree, window.step)
    chart = chart_of(tally, window, library.now)
    whole = library.durations(kind, tree)
    begin, end = since(chart), until(chart)
    shown = whole
    if begin is not None and end is not None:
        first, last = (int(each.timestamp()) * _SECOND for each in (begin, end))
        shown = library.durations(kind, tree, first, last)
    return Survey(chart, shown, quantile(whole.seconds, _MOST) or 0.0)


def amounts(library: Library) -> Mapping[str, int]:
    """How much there is in each section, by its name."""
    shares = library.facets("measures", names=("kind",)).get("kind", ())
    of_kind = dict(shares)
    found = {one.name: of_kind.get(one.value, 0) for one in SECTIONS if one.field}
    found["errors"] = library.count("events", Named("is", ("error",)))
    for section in SECTIONS:
        if not section.field:
            found[section.name] = library.count(section.kind)
    return found
