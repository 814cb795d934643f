"""Lines and rows: each line belongs to one row, whatever is known of the rows."""

from hypothesis import given
from hypothesis import strategies as st

from store.derive.statistics import Moment, Parts, Timing
from widgets.agenda import Break, Outline, Place, Plan, Shape, plan_of, shape_in

HEIGHTS = st.lists(st.integers(1, 5), max_size=50)


@given(HEIGHTS, st.integers(0, 30), st.integers(1, 3))
def test_every_line_is_part_of_one_row(
    heights: list[int], unknown: int, usual: int
) -> None:
    count = len(heights) + unknown
    plan = Plan.of(heights, count, usual)
    known = [*heights, *[usual] * unknown]

    assert plan.lines == sum(known)
    assert [plan.at(line) for line in range(plan.lines)] == [
        Place(row, part) for row, height in enumerate(known) for part in range(height)
    ]
    assert [plan.at(plan.start(row)) for row in range(count)] == [
        Place(row, 0) for row in range(count)
    ]


@given(HEIGHTS, st.integers(-10, 300))
def test_a_missing_line_means_the_nearest(heights: list[int], line: int) -> None:
    plan = Plan.of(heights, len(heights))
    nearest = max(0, min(line, plan.lines - 1))

    assert plan.at(line) == plan.at(nearest)
    assert 0 <= plan.at(line).row <= max(len(heights) - 1, 0)


def test_an_entry_takes_as_many_lines_as_it_has_parts() -> None:
    both = Parts.SUMMARY | Parts.LINK
    days = Outline.of(
        Timing.of(
            [
                Moment("2026-02-20", "14:00", 0),
                Moment("2026-02-20", "13:00", both),
                Moment("2026-02-20", "10:00", Parts.LINK),
                Moment("2026-02-19", "10:00", Parts.SUMMARY),
                Moment("2026-01-19", "10:00", 0),
            ]
        )
    )

    def heights(shape: Shape) -> list[int]:
        plan = plan_of(days, shape, 6)
        return [plan.start(row + 1) - plan.start(row) for row in range(6)]

    assert heights(Shape.LINE) == [1, 1, 2, 2, 3, 1]
    assert heights(Shape.PAIR) == [1, 2, 3, 3, 3, 2]
    assert heights(Shape.WHOLE) == [1, 3, 3, 3, 3, 3]
    assert list(days.breaks) == [0, 0, Break.GAP, Break.DAY, Break.DAY | Break.GAP]


def test_more_room_shows_more_of_each() -> None:
    assert shape_in(80, 4) is Shape.LINE
    assert shape_in(29, 40) is Shape.LINE
    assert shape_in(80, 11) is Shape.PAIR
    assert shape_in(80, 40) is Shape.WHOLE
