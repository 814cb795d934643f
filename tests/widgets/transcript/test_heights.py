"""Sums of heights stay correct through any changes."""

from hypothesis import given
from hypothesis import strategies as st

from widgets.transcript_layout import Heights

GUESS = 2
changes = st.lists(
    st.tuples(st.integers(0, 599), st.integers(0, 9) | st.just(0)), max_size=60
)


def told(heights: Heights) -> list[int]:
    return [heights[at] for at in range(len(heights))]


def changed(count: int, some: list[tuple[int, int]]) -> Heights:
    heights = Heights(count, GUESS)
    for at, lines in some:
        if at < count:
            heights[at] = lines
    return heights


@given(st.integers(0, 600), changes)
def test_every_line_belongs_to_the_message_it_is_found_in(
    count: int, some: list[tuple[int, int]]
) -> None:
    heights = changed(count, some)
    known = told(heights)
    assert heights.total == sum(known)
    line = 0
    for at, lines in enumerate(known):
        assert heights.before(at) == line
        if lines:
            assert heights.find(line) == (at, 0)
            assert heights.find(line + lines - 1) == (at, lines - 1)
        line += lines
    assert heights.find(line) == (count, 0)


@given(st.integers(1, 600), changes, st.integers(0, 599))
def test_messages_without_lines_are_skipped(
    count: int, some: list[tuple[int, int]], at: int
) -> None:
    heights = changed(count, some)
    at = min(at, count - 1)
    with_lines = [one for one, lines in enumerate(told(heights)) if lines]
    assert heights.next(at) == next((o for o in with_lines if o >= at), count)
    assert heights.previous(at) == next(
        (o for o in reversed(with_lines) if o <= at), -1
    )


@given(st.integers(0, 600), changes, st.integers(0, 600))
def test_added_messages_change_nothing_before_them(
    count: int, some: list[tuple[int, int]], more: int
) -> None:
    heights = changed(count, some)
    before = told(heights)
    heights.extend(count + more)
    assert told(heights) == before + [GUESS] * more
    assert heights.total == sum(before) + GUESS * more


def test_fifty_thousand_hidden_messages_are_one_step() -> None:
    heights = Heights(50_000, GUESS)
    shown = bytearray(50_000)
    shown[0] = shown[49_999] = 1
    heights.show_only(bytes(shown))
    assert heights.total == 2 * GUESS
    assert heights.next(1) == 49_999
    assert heights.previous(49_998) == 0
