"""Moving in a transcript: no line is skipped, and the selection is in view."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.widgets.transcript.talks import (
    called,
    entry,
    reading,
    said,
    shown,
    talk,
    talks,
)
from widgets.text import Look
from widgets.transcript_cursor import Reading, Spot
from widgets.transcript_layout import Entry, Layout, Place

LONG = "\n".join(f"line {number}" for number in range(50))

shapes = st.lists(st.lists(st.integers(1, 30), max_size=3), min_size=1, max_size=6)
"""How many lines each part of each message has."""

moves = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.integers(-3, 3).filter(bool)),
        st.tuples(st.just("scroll"), st.integers(-30, 30).filter(bool)),
        st.tuples(st.just("page"), st.integers(-30, 30).filter(bool)),
        st.tuples(st.just("go"), st.integers(0, 20)),
        st.tuples(st.just("to_line"), st.integers(0, 300)),
        st.tuples(st.just("bottom"), st.none()),
        st.tuples(st.just("beginning"), st.none()),
    ),
    max_size=12,
)


def done(view: Reading, name: str, amount: int | None) -> None:
    action = getattr(view, name)
    _ = action() if amount is None else action(amount)


@given(talks, moves, st.integers(1, 30))
def test_the_view_is_full_and_something_is_selected(
    entries: list[Entry], some: list[tuple[str, int | None]], room: int
) -> None:
    view = reading(entries, room)
    for name, amount in some:
        done(view, name, amount)
        rows = view.rows()
        assert len(rows) == min(room, view.layout.heights.total)
        if any(one.parts for one in entries):
            assert view.part is not None


@given(shapes, st.integers(2, 12))
def test_stepping_shows_every_line(shape: list[list[int]], room: int) -> None:
    entries = [
        entry(at, *(said("x\n" * (lines - 1), str(n)) for n, lines in enumerate(some)))
        for at, some in enumerate(shape)
    ]
    view = reading(entries, room)
    seen = {row[:2] for row in view.rows()}
    for _ in range(2_000):
        before = (view.spot, view.top)
        view.move(1)
        seen.update(row[:2] for row in view.rows())
        if (view.spot, view.top) == before:
            break
    everything = {row[:2] for row in view.layout.rows(Place(0, 0), 100_000)}
    last = max((at for at, one in enumerate(entries) if one.parts), default=-1)
    assert {place for place in everything if place[0] <= last} <= seen


@given(talks, st.integers(1, 30))
def test_the_end_is_the_end(entries: list[Entry], room: int) -> None:
    view = reading(entries, room)
    view.bottom()
    assert view.is_at_end
    view.beginning()
    assert view.top == Place(0, 0)


def test_a_part_longer_than_the_view_is_read_line_by_line() -> None:
    view = reading([entry(0, said(LONG)), entry(1, said("after"))], 10)
    for _ in range(42):
        assert view.spot == Spot(0, 0)
        view.move(1)
    assert "line 49" in "\n".join(shown(view))
    assert view.spot == Spot(0, 0)
    view.move(1)
    assert view.spot == Spot(1, 0)
    view.move(-1)
    assert view.spot == Spot(0, 0)
    first = shown(view)[0]
    view.move(-1)
    assert shown(view)[1] == first


def test_parts_shown_elsewhere_are_not_selected() -> None:
    view = reading(talk(10))
    spots: list[int] = []
    for _ in range(12):
        spots.append(view.spot.at)
        view.move(1)
    assert 4 not in spots
    assert {3, 5} <= set(spots)


def test_opening_moves_nothing_above_it() -> None:
    view = reading(talk(40), 20)
    view.go(20, 1)
    view.move(-1)
    view.move(1)
    before, row = shown(view), view.keep()
    laid = view.laid
    assert laid is not None
    assert row is not None
    view.layout.folds.toggle(laid.entry, laid.parts[view.spot.part].part)
    view.layout.replace(view.spot.at, laid.entry)
    view.restore(row)
    assert shown(view)[:row] == before[:row]
    assert view.keep() == row


@pytest.mark.parametrize("at", [0, 1, 137, 499])
def test_a_target_is_reached_once_it_is_loaded(at: int) -> None:
    entries = talk(500)
    view = Reading()
    view.layout = Layout(500)
    view.layout.change(Look(60))
    view.room = 20
    view.go(at)
    for first in range(0, 500, 64):
        view.layout.bring(first, entries[first : first + 64])
        view.brought()
    assert view.spot.at in {at, at - 1}
    assert any(row.at == view.spot.at for row in view.rows())


def test_the_end_is_reached_once_it_is_loaded() -> None:
    entries = talk(500)
    view = Reading()
    view.layout = Layout(500)
    view.layout.change(Look(60))
    view.room = 20
    view.bottom()
    view.layout.bring(448, entries[448:])
    view.brought()
    assert view.spot.at == 498
    assert view.is_at_end
    assert shown(view)[-1].startswith("▸ ✓ Bash")


def test_a_huge_result_is_laid_out_as_far_as_it_is_read() -> None:
    text = "\n".join(f"row {number}" for number in range(100_000))
    call = called(text)
    view = reading([entry(0, call), entry(1, said("after"))], 20)
    laid = view.laid
    assert laid is not None
    view.layout.folds.toggle(laid.entry, call)
    view.layout.change()
    view.settle()
    assert view.layout.heights.total < 1_000
    for _ in range(20):
        view.page(19)
    assert "row 390" in "\n".join(shown(view))
    view.bottom()
    assert shown(view)[-1].endswith("after")
