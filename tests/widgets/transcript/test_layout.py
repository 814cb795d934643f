"""Every line of every message is in its place, however the view was moved."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.widgets.hostile import unfit
from tests.widgets.transcript.talks import laid_out, said, talk, talks
from widgets.page import Made
from widgets.transcript_layout import Entry, Layout, Place

widths = st.integers(24, 120)


def lines(layout: Layout) -> list[tuple[int, int]]:
    """The place of each line, from the beginning to the end."""
    return [(row.at, row.line) for row in layout.rows(Place(0, 0), 100_000)]


@given(talks, widths)
def test_the_lines_of_all_messages_are_in_order(
    entries: list[Entry], width: int
) -> None:
    layout = laid_out(entries, width)
    found = lines(layout)
    assert found == sorted(found)
    for at in range(len(entries)):
        own = [line for place, line in found if place == at]
        assert own == list(range(layout.height(at)))


@given(talks, widths)
def test_no_line_is_too_wide_or_unfit_to_show(entries: list[Entry], width: int) -> None:
    layout = laid_out(entries, width)
    drawn = [
        row.laid.line(row.line).text
        for row in layout.rows(Place(0, 0), 3_000)
        if row.laid
    ]
    assert all(cell_len(line) <= width for line in drawn)
    assert unfit(drawn) == set()


@given(talks, st.data())
def test_opening_and_closing_restores_the_layout(
    entries: list[Entry], data: st.DataObject
) -> None:
    layout = laid_out(entries)
    before = lines(layout)
    entry = data.draw(st.sampled_from(entries))
    for part in entry.parts:
        layout.folds.toggle(entry, part)
    layout.change()
    lines(layout)
    for part in entry.parts:
        layout.folds.toggle(entry, part)
    layout.change()
    assert lines(layout) == before
    layout.folds.set_all(are_open=True)
    layout.folds.set_all(are_open=False)
    layout.change()
    assert lines(layout) == before


@given(st.integers(0, 300), st.integers(0, 300))
def test_moving_up_reverses_moving_down(start: int, steps: int) -> None:
    layout = laid_out(talk(80))
    lines(layout)
    begin = layout.down(Place(0, 0), start)
    end = layout.down(begin, steps)
    gone = layout.distance(begin, end, 10_000)
    assert gone == min(steps, layout.heights.total - start)
    assert layout.up(end, gone) == begin


def test_the_place_of_a_line_does_not_depend_on_estimates_before_it() -> None:
    layout = laid_out(talk(200))
    middle = layout.rows(Place(100, 0), 20)
    lines(layout)
    assert [row[:2] for row in layout.rows(Place(100, 0), 20)] == [
        row[:2] for row in middle
    ]


def test_only_nearby_messages_are_laid_out() -> None:
    drawn: list[int] = []

    def noted(number: int) -> Made:
        return Made(lambda _: drawn.append(number) or ())

    entries = [Entry(at, (said(""),), (noted(at),)) for at in range(5_000)]
    layout = laid_out(entries)
    layout.rows(Place(4_000, 0), 20)
    assert drawn
    assert len(drawn) <= 20
    assert min(drawn) >= 4_000
