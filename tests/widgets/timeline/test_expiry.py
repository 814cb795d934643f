"""When a conversation expires, and what the vault has of it."""

import pytest

from store.derive.statistics import NEVER, Keeping
from tests.widgets.timeline.made import DAY, spans_of
from widgets.timeline import Shown
from widgets.timeline_lines import (
    Layout,
    Scale,
    in_time,
    leaving_soon,
    staying,
    staying_in_brief,
)

NOW = 1_000 * DAY
LATE, SOON, DUE = NOW + 27 * DAY, NOW + 7 * DAY, NOW - DAY

NOTHING, EARLIER, WHOLE, ONLY = Keeping


@pytest.mark.parametrize(
    ("leaves", "keeping", "told", "brief"),
    [
        (NEVER, NOTHING, None, None),
        (LATE, NOTHING, ("expires in 27 d", "faint"), None),
        (SOON, NOTHING, ("expires in 7 d", "fading"), ("-7d", "fading")),
        (NOW + 1, NOTHING, ("expires in 1 d", "fading"), ("-1d", "fading")),
        (DUE, NOTHING, ("may expire any time", "fading"), ("-0d", "fading")),
        (SOON, WHOLE, ("pinned", "vault"), ("pinned", "vault")),
        (NEVER, WHOLE, ("pinned", "vault"), ("pinned", "vault")),
        (NEVER, ONLY, ("only in the vault", "vault"), ("pinned", "vault")),
        (NEVER, EARLIER, ("pinned, grew since", "vault"), ("pinned", "vault")),
        (
            LATE,
            EARLIER,
            ("grew since pinned · expires in 27 d", "faint"),
            ("pinned", "vault"),
        ),
        (
            DUE,
            EARLIER,
            ("grew since pinned · may expire any time", "fading"),
            ("-0d", "fading"),
        ),
    ],
)
def test_an_imminent_expiry_is_highlighted_and_pinned_ones_have_none(
    leaves: int,
    keeping: Keeping,
    told: tuple[str, str] | None,
    brief: tuple[str, str] | None,
) -> None:
    assert staying(leaves, keeping, NOW) == told
    assert staying_in_brief(leaves, keeping, NOW) == brief


def test_an_up_to_date_copy_is_in_no_danger() -> None:
    leaves = [NEVER, DUE, NOW + DAY, SOON, NOW + 8 * DAY, SOON]
    kept = [NOTHING, WHOLE, EARLIER, NOTHING, NOTHING, WHOLE]
    spans = spans_of([(0, 0)] * 6, leaves=leaves, kept=kept)

    assert leaving_soon(spans, NOW) == 2
    shown = Shown(Layout(in_time(spans), Scale.LOG), spans)
    assert [shown.removed_after(at) for at in (1, 2, 3, 4)] == [2, 3, 4, 2]
