"""Where a conversation stands follows from its last word, its length, and now."""

import pytest

from store.derive.lifecycle import status
from store.derive.segments import MINUTE, USUAL, Rule


@pytest.mark.parametrize(
    ("minutes", "entries", "closed", "word"),
    [
        (0, 9, False, "active"),
        (60, 9, False, "active"),
        (60.1, 9, False, "ready"),
        (60.1, 4, False, "skipped"),
        (60.1, 5, False, "ready"),
        (0, 2, False, "active"),
        (5, 9, True, "ready"),
        (5, 1, True, "skipped"),
    ],
)
def test_a_conversation_ripens(
    minutes: float, entries: int, word: str, *, closed: bool
) -> None:
    silence = int(minutes * MINUTE)
    assert status(silence, entries, USUAL, is_closed=closed) == word


def test_one_that_tells_no_time_is_not_waited_for() -> None:
    assert status(None, 9, USUAL, is_closed=False) == "ready"


def test_a_longer_gap_keeps_it_active_for_longer() -> None:
    rule = Rule(gap=90 * MINUTE)
    assert status(70 * MINUTE, 9, rule, is_closed=False) == "active"
