"""Every line belongs to one item, and each item has the right number of lines."""

from hypothesis import given
from hypothesis import strategies as st

from store.derive.statistics import ALONE, Spans
from tests.widgets.timeline.made import DAY, HOUR, MINUTE, any_spans, at, spans_of
from widgets.timeline_lines import (
    Kind,
    Layout,
    Scale,
    block_lines,
    gap_lines,
    in_rows,
    in_time,
)

FAMILY = spans_of(
    [
        (at(1, "08:00"), at(1, "08:20")),
        (at(1, "08:05"), at(1, "08:06")),
        (at(1, "08:07"), at(1, "08:09")),
        (at(1, "12:00"), at(1, "12:01")),
    ],
    parents=[ALONE, 0, 0, ALONE],
)


def told(layout: Layout) -> list[str]:
    return [
        f"{(part := layout.part(line)).kind.name} {part.item}"
        for line in range(layout.lines)
    ]


def test_lines_follow_one_another() -> None:
    layout = Layout(in_time(FAMILY), Scale.LOG)

    assert told(layout) == [
        *("DAY 0", "BLOCK 0", "BLOCK 0", "FOLD 0"),
        *("GAP 3", "GAP 3", "GAP 3", "BLOCK 3"),
    ]
    assert layout.block(0) == range(1, 4)
    assert layout.with_day(0) == range(4)
    assert layout.is_hidden(1)
    assert layout.owner(2) == 0


def test_folded_items_are_shown_and_hidden_again() -> None:
    layout = Layout(in_time(FAMILY), Scale.NONE)
    before = told(layout)

    assert layout.fold(0, folded=False)
    assert told(layout)[4:6] == ["CHILD 1", "CHILD 2"]
    assert layout.unfolded == {0}
    assert not layout.fold(0, folded=False)
    assert not layout.fold(3, folded=False)
    assert layout.fold(0, folded=True)
    assert told(layout) == before


def test_the_cursor_skips_hidden_items() -> None:
    layout = Layout(in_time(FAMILY), Scale.LOG)

    assert layout.moved(0, 1) == 3
    assert layout.moved(3, -1) == 0
    assert layout.moved(3, 1) == 3
    assert layout.moved(0, -5) == 0
    assert list(layout.between(3, 0)) == [0, 3]
    assert Layout(in_time(FAMILY), Scale.LOG, [0]).moved(0, 2) == 2


def test_blocks_double_with_their_duration() -> None:
    minutes = (0, 3, 14, 15, 29, 30, 59, 60, 600)

    assert [block_lines(m * MINUTE) for m in minutes] == [1, 1, 1, 2, 2, 3, 3, 4, 4]


def test_pauses_double_or_grow_in_proportion_or_take_no_room() -> None:
    quiet = [20 * MINUTE, 62 * MINUTE, 280 * MINUTE, 460 * MINUTE, 20 * HOUR, -2, -90]

    assert [gap_lines(each, Scale.LOG) for each in quiet] == [0, 1, 3, 4, 5, 1, 3]
    assert [gap_lines(each, Scale.LINEAR) for each in quiet] == [0, 1, 4, 7, 20, 2, 24]
    assert {gap_lines(each, Scale.NONE) for each in quiet} == {0}
    assert list(Scale) == [Scale.BRIEF, Scale.LOG, Scale.LINEAR, Scale.NONE]


@given(st.integers(0, 400 * DAY), st.integers(0, 400 * DAY))
def test_a_longer_pause_never_takes_less_room(one: int, other: int) -> None:
    for scale in Scale:
        lines = [gap_lines(quiet, scale) for quiet in sorted((one, other))]
        assert lines == sorted(lines)
        assert 0 <= lines[0] <= lines[1] <= 24


@given(any_spans(), st.sampled_from(Scale), st.data())
def test_every_line_belongs_to_one_item_in_order(
    spans: Spans, scale: Scale, data: st.DataObject
) -> None:
    items = in_time(spans)
    owners = [
        p for p in range(len(spans)) if items.kids[list(items.positions).index(p)]
    ]
    opened = data.draw(st.sets(st.sampled_from(owners))) if owners else set[int]()
    layout = Layout(items, scale, opened)
    parts = [layout.part(line) for line in range(layout.lines)]
    shown = [
        item
        for item in range(len(items))
        if not layout.is_hidden(items.positions[item])
    ]

    assert sorted({part.item for part in parts}) == shown
    assert [(p.item, p.kind, p.line) for p in parts] == sorted(
        (p.item, p.kind, p.line) for p in parts
    )
    assert sum(part.kind is Kind.DAY for part in parts) == len(items.days)
    assert sum(part.is_first for part in parts) == len(shown)
    for item in shown:
        position = items.positions[item]
        block = layout.block(position)
        mine = [part for part in parts if part.item == item]
        assert 1 <= len(block) <= 5
        assert parts[block.start].is_first
        assert [parts[line].item for line in block] == [item] * len(block)
        assert len(mine) <= 24 + 1 + 5
        assert all(0 <= part.line < part.lines for part in mine)


@given(any_spans(), st.integers(-3, 60), st.integers(1, 20))
def test_items_in_view_are_those_with_lines_there(
    spans: Spans, line: int, room: int
) -> None:
    items = in_time(spans)
    layout = Layout(items, Scale.LOG)
    seen = layout.in_view(line, room)
    expected = {
        items.positions[layout.part(each).item]
        for each in range(max(line, 0), min(line + room, layout.lines))
    }

    assert expected <= set(seen)
    assert len(seen) == len(set(seen))
    assert not any(layout.is_hidden(position) for position in seen)


@given(any_spans(), st.data())
def test_one_step_forward_and_back_returns(spans: Spans, data: st.DataObject) -> None:
    layout = Layout(in_time(spans), Scale.LOG)
    shown = [p for p in range(len(spans)) if not layout.is_hidden(p)]
    for position in shown:
        after = layout.moved(position, 1)
        assert after == position or layout.moved(after, -1) == position
        assert layout.row_at(layout.block(position).start) == position
    if shown:
        steps = data.draw(st.integers(0, len(shown)))
        first = layout.row_at(0)
        assert layout.moved(layout.moved(first, steps), -steps) == first


@given(st.integers(0, 50))
def test_rows_in_their_own_order_are_lines(count: int) -> None:
    layout = Layout(in_rows(count), Scale.LOG)

    assert layout.lines == count
    assert told(layout) == [f"BLOCK {line}" for line in range(count)]
