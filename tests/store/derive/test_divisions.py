"""Later versions divide by size as well as by silence."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from store.derive.conversations import CHARACTERS, ENTRIES, MINUTE, USUAL, divisions


def told(*entries: tuple[float, int]) -> list[tuple[int, str | None]]:
    found = divisions((int(minute * MINUTE), length) for minute, length in entries)
    return [(each.entries, each.ended_by) for each in found]


def test_a_short_session_is_one() -> None:
    assert told((0, 10), (60, 10)) == [(2, None)]


def test_a_pause_divides() -> None:
    assert told((0, 10), (60.1, 10)) == [(1, "gap"), (1, None)]


def test_a_full_conversation_is_followed_by_another() -> None:
    entries = [(number / 10, 1) for number in range(ENTRIES + 1)]
    assert told(*entries) == [(ENTRIES, "entries"), (1, None)]


def test_an_entry_that_no_longer_fits_begins_another() -> None:
    assert told((0, CHARACTERS), (1, 1)) == [(1, "characters"), (1, None)]
    assert told((0, CHARACTERS - 1), (1, 1)) == [(2, None)]


@given(st.lists(st.tuples(st.integers(0, 10**10), st.integers(0, 100_000))))
def test_every_entry_is_in_one_and_none_is_too_large(
    entries: list[tuple[int, int]],
) -> None:
    found = list(divisions(entries))
    assert sum(each.entries for each in found) == len(entries)
    for each in found:
        assert each.entries <= ENTRIES
        assert each.characters <= CHARACTERS or each.entries == 1
    for before, after in itertools.pairwise(found):
        assert before.last <= after.first
        if before.ended_by == "gap":
            assert after.first - before.last > USUAL.gap
