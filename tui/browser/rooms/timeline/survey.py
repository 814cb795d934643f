"""What the timeline asks the library of a result, all at once and off the screen."""

from collections.abc import Collection

from msgspec import Struct

from store.library import Library
from tui.browser.data.found import RELEVANCE, Found
from widgets.timeline.activity import Activity, Window, activity
from widgets.timeline.items import in_rows, in_time
from widgets.timeline.layout import Layout
from widgets.timeline.scale import Scale
from widgets.timeline.shown import Shown
from widgets.timeline.staying import leaving_soon

_TIMES = frozenset({"last", "first", RELEVANCE, None})
"""The orders in which conversations lie along their time; what was meant most is where
the cursor begins then."""


class Looks(Struct, frozen=True):
    """How somebody wants to look at it."""

    window: Window = Window.WEEK
    scale: Scale = Scale.LOG


class Survey(Struct, frozen=True):
    """A result, as the timeline shows it."""

    shown: Shown
    activity: Activity
    leaving: int
    """How many are removed within a week that are not kept."""


def survey(
    library: Library, found: Found, looks: Looks, unfolded: Collection[int] = ()
) -> Survey:
    """When all was that was found, and which lines that becomes.

    `unfolded` are the rows whose sub-agents are to be shown.
    """
    spans = library.spans(found.rows)
    wish = found.wish
    order = None if wish.sort in _TIMES else wish.sort
    if order is None:
        newest_first = wish.is_reversed and wish.sort != RELEVANCE
        items = in_time(spans, newest_first=newest_first)
    else:
        items = in_rows(len(spans))
    opened = [at for at, row in enumerate(found.rows) if row in unfolded]
    return Survey(
        Shown(Layout(items, looks.scale, opened), spans, order),
        activity(spans, looks.window, library.now),
        leaving_soon(spans, library.now),
    )
