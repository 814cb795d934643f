"""The status of a conversation follows from its last message, its length, and now."""

import pytest

from store.derive.conversations import MINUTE, USUAL, Rule, status


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
def test_a_conversation_becomes_ready(
    minutes: float, entries: int, word: str, *, closed: bool
) -> None:
    silence = int(minutes * MINUTE)
    assert status(silence, entries, USUAL, is_closed=closed) == word


def test_a_conversation_without_a_time_is_ready_at_once() -> None:
    assert status(None, 9, USUAL, is_closed=False) == "ready"


def test_a_longer_gap_keeps_it_active_for_longer() -> None:
    rule = Rule(gap=90 * MINUTE)
    assert status(70 * MINUTE, 9, rule, is_closed=False) == "active"
