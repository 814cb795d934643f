"""What becomes of a conversation: when it is removed, and what the vault has of it."""

import pytest

from store.records.spans import NEVER, Keeping
from tests.widgets.timeline.made import DAY, spans_of
from widgets.timeline.items import in_time
from widgets.timeline.layout import Layout
from widgets.timeline.scale import Scale
from widgets.timeline.shown import Shown
from widgets.timeline.staying import leaving_soon, staying, staying_in_brief

NOW = 1_000 * DAY
LATE, SOON, DUE = NOW + 27 * DAY, NOW + 7 * DAY, NOW - DAY

NOTHING, EARLIER, WHOLE, ONLY = Keeping


@pytest.mark.parametrize(
    ("leaves", "keeping", "told", "brief"),
    [
        (NEVER, NOTHING, None, None),
        (LATE, NOTHING, ("removed in 27 d", "faint"), None),
        (SOON, NOTHING, ("removed in 7 d", "fading"), ("-7d", "fading")),
        (NOW + 1, NOTHING, ("removed in 1 d", "fading"), ("-1d", "fading")),
        (DUE, NOTHING, ("removed any time", "fading"), ("-0d", "fading")),
        (SOON, WHOLE, ("kept", "vault"), ("kept", "vault")),
        (NEVER, WHOLE, ("kept", "vault"), ("kept", "vault")),
        (NEVER, ONLY, ("only in the vault", "vault"), ("kept", "vault")),
        (NEVER, EARLIER, ("kept, grew since", "vault"), ("kept", "vault")),
        (
            LATE,
            EARLIER,
            ("grew since kept · removed in 27 d", "faint"),
            ("kept", "vault"),
        ),
        (
            DUE,
            EARLIER,
            ("grew since kept · removed any time", "fading"),
            ("-0d", "fading"),
        ),
    ],
)
def test_a_removal_stands_out_when_it_comes_soon_and_nothing_is_kept(
    leaves: int,
    keeping: Keeping,
    told: tuple[str, str] | None,
    brief: tuple[str, str] | None,
) -> None:
    assert staying(leaves, keeping, NOW) == told
    assert staying_in_brief(leaves, keeping, NOW) == brief


def test_what_is_kept_as_it_is_is_in_no_danger() -> None:
    leaves = [NEVER, DUE, NOW + DAY, SOON, NOW + 8 * DAY, SOON]
    kept = [NOTHING, WHOLE, EARLIER, NOTHING, NOTHING, WHOLE]
    spans = spans_of([(0, 0)] * 6, leaves=leaves, kept=kept)

    assert leaving_soon(spans, NOW) == 2
    shown = Shown(Layout(in_time(spans), Scale.LOG), spans)
    assert [shown.removed_after(at) for at in (1, 2, 3, 4)] == [2, 3, 4, 2]
