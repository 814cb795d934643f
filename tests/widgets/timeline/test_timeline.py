"""The timeline on the screen: blocks, days, pauses, folds, and the cursor."""

import time

import pytest
from textual.geometry import Offset

from store.derive.statistics import ALONE, NEVER, Spans
from store.kinds.conversations import Conversation
from tests.widgets.one import OneApp
from tests.widgets.timeline.made import DAY, a_conversation, at, spans_of
from tests.widgets.timeline.shelf import ROWS, know, records, shelf, spans
from widgets import lines as reports
from widgets.rows import Held, Paged
from widgets.sheet import Sheet
from widgets.timeline import Shown, Timeline
from widgets.timeline_lines import Layout, Scale, in_rows, in_time

AT_60 = """\
━ Timeline ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ msgs ━━ took ━
 Tue 3 Mar 2026 ─────── 0h     █▃▆      24h  2 conv · 126 msg
 09:00 ▜ Redis timeouts on the build host        42  1h 50m ·
       ▐ kiln · main                          expires in 3 d
       ▐ Edit ×3 · Bash
 10:50 ▟ 87k tokens · claude-opus-4-6
       └ ▸ 1 sub-agent
       ┊ 1h 50m quiet
       ┊
 12:40 ▜ why is the DNS flaky                    42     48m ◇
       ▐ kiln · main · 87k tokens
 13:28 ▟ 12 tools
 Wed 4 Mar 2026 ───── 0h            █             24h  1 conv
 11:00 █ season rollover dry-run  kiln · mai…    42      3m ∅"""

AT_20 = """\
━ Timeline ━━━━━━━━━━
 Tue 3 Mar 2026 ─── 2
 ▜ Redis timeouts … ·
 ▐ k… expires in 3 d
 ▐ Edit ×3 · Bash
 ▟ 87k tokens · clau…"""


@pytest.fixture(autouse=True)
def _at_greenwich(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


async def test_the_timeline_shows_times_and_pauses() -> None:
    shown = shelf()
    async with shown.app.at(62, 14):
        know(shown.timeline)
        assert "\n".join(shown.lines()) == AT_60


async def test_in_brief_a_gap_is_on_the_line_of_the_day() -> None:
    apart = spans_of(
        [(at(9, "08:00"), at(9, "19:00")), (at(3, "08:00"), at(3, "08:20"))]
    )
    timeline = Timeline(Sheet())
    app = OneApp(timeline.lines.sheet)
    async with app.at(80, 8):
        timeline.lines.set_rows(Held(records()[:2], key=lambda one: one.ref))
        timeline.show(Shown(Layout(in_time(apart), Scale.BRIEF), apart))
        first, *_, day, _, facts = app.shown()[1:7]
        assert "quiet" not in first
        assert day.startswith(" Mon 9 Mar 2026 ─ 5 d quiet ──")
        assert facts.startswith(" 19:00 ▟ ")


async def test_less_width_shows_less() -> None:
    shown = shelf()
    async with shown.app.at(22, 6):
        know(shown.timeline)
        shown.timeline.lines.top()
        assert "\n".join(shown.lines()) == AT_20


async def test_the_cursor_starts_at_the_newest() -> None:
    shown = shelf()
    async with shown.app.at(62, 6):
        assert shown.title == "season rollover dry-run"
        assert shown.lines()[-1].startswith(" 11:00 █ season")


async def test_the_cursor_moves_from_block_to_block() -> None:
    shown = shelf()
    async with shown.app.at(62, 8):
        seen = [shown.title]
        for _ in range(4):
            shown.timeline.lines.move(-1)
            seen.append(shown.title)
        assert seen == [
            "season rollover dry-run",
            "why is the DNS flaky",
            *["Redis timeouts on the build host"] * 3,
        ]
        shown.timeline.lines.bottom()
        assert shown.title == "season rollover dry-run"
        shown.timeline.lines.page(-1)
        assert shown.title == "why is the DNS flaky"


async def test_days_can_be_stepped_through() -> None:
    shown = shelf()
    async with shown.app.at(62, 14):
        shown.timeline.lines.to(1)
        shown.timeline.to_day(-1)
        assert shown.title == "Redis timeouts on the build host"
        shown.timeline.to_day(1)
        assert shown.title == "season rollover dry-run"
        shown.timeline.to_day(1)
        assert shown.title == "season rollover dry-run"
        shown.timeline.to_day(-1)
        assert shown.title == "Redis timeouts on the build host"


async def test_sub_agents_unfold_and_fold() -> None:
    shown = shelf()
    async with shown.app.at(62, 20):
        assert not any("look through" in line for line in shown.lines())
        assert shown.timeline.fold(3, folded=False)
        assert "09:20   └ look through the logs" in shown.lines()[7]
        assert "└ ▾ 1 sub-agent" in shown.lines()[6]

        shown.timeline.lines.to(2)
        assert shown.timeline.fold(3, folded=True)
        assert shown.title == "Redis timeouts on the build host"
        assert shown.timeline.unfolded == set()


async def test_a_folded_target_is_shown() -> None:
    shown = shelf()
    async with shown.app.at(62, 20):
        assert shown.timeline.lines.to_key("conversation:2")
        assert shown.title == "look through the logs"
        assert any("└ look through" in line for line in shown.lines())


async def test_the_header_shows_the_day_out_of_view() -> None:
    shown = shelf()
    async with shown.app.at(62, 6):
        shown.timeline.lines.to(1)
        assert "━ from Tue 3 Mar 2026 ━" in shown.lines()[0]
        shown.timeline.lines.sheet.scroll_top(0)
        assert "Tue" not in shown.lines()[0]


async def test_a_pause_between_two_days_belongs_to_the_first() -> None:
    apart = spans_of(
        [(at(9, "08:00"), at(9, "09:00")), (at(3, "08:00"), at(3, "08:01"))]
    )
    timeline = Timeline(Sheet())
    app = OneApp(timeline.lines.sheet)
    async with app.at(62, 5):
        timeline.lines.set_rows(Held(records()[:2], key=lambda one: one.ref))
        timeline.show(Shown(Layout(in_time(apart), Scale.LOG), apart))
        timeline.lines.sheet.scroll_top(2)
        assert app.shown()[0].startswith("━ from Tue 3 Mar 2026 ━")
        assert "5 d quiet" in app.shown()[1]


async def test_pauses_may_take_no_room() -> None:
    shown = shelf(Scale.NONE)
    async with shown.app.at(62, 20):
        assert not any("quiet" in line for line in shown.lines())


async def test_another_scale_keeps_the_cursor() -> None:
    shown = shelf()
    async with shown.app.at(62, 8):
        shown.timeline.lines.to(1)
        row = shown.line_of("why is the DNS")
        before = shown.timeline.laid
        shown.timeline.scale(before, Layout(before.items, Scale.LINEAR))
        assert shown.title == "why is the DNS flaky"
        assert shown.line_of("why is the DNS") == row
        shown.timeline.scale(before, before)
        assert shown.timeline.laid is not before


async def test_until_the_layout_is_known_the_screen_stays() -> None:
    shown = shelf()
    async with shown.app.at(62, 14) as pilot:
        before = shown.lines()
        fewer = records()[1:]
        shown.timeline.lines.set_rows(Held(fewer, key=lambda one: one.ref))
        shown.timeline.lines.move(-1)
        shown.timeline.lines.page(-1)
        await pilot.pause()
        assert shown.timeline.lines.count() == 3
        assert shown.timeline.laid.lines == len(before) - 1

        few = spans_of([(b, e) for _, b, e, _ in ROWS[1:]], parents=[ALONE, 2, ALONE])
        shown.timeline.show(Shown(Layout(in_time(few), Scale.LOG), few))
        assert shown.title == "Redis timeouts on the build host"
        assert not any("season" in line for line in shown.lines())


async def test_the_cursor_keeps_its_record_and_its_row() -> None:
    shown = shelf()
    async with shown.app.at(62, 10):
        shown.timeline.lines.to(1)
        row = shown.line_of("why is the DNS")
        more = [a_conversation(ref="new", title="brand new"), *records()]
        rows = [(at(4, "11:40"), at(4, "11:45")), *((b, e) for _, b, e, _ in ROWS)]
        shown.timeline.lines.set_rows(Held(more, key=lambda one: one.ref))
        many = spans_of(rows)
        shown.timeline.show(Shown(Layout(in_time(many), Scale.LOG), many))
        assert shown.title == "why is the DNS flaky"
        assert shown.line_of("why is the DNS") == row


async def test_in_another_order_there_is_a_line_each() -> None:
    shown = shelf()
    async with shown.app.at(80, 6):
        laid = Layout(in_rows(4), Scale.LOG)
        shown.timeline.show(Shown(laid, spans(), "tool_errors"))
        assert shown.lines()[0].startswith("━ Timeline ━ when title ━")
        assert "tool errors" in shown.lines()[0]
        assert "tokens" not in shown.lines()[0]
        assert shown.lines()[1].startswith(" 2026-03-04 11:00 season rollover")
        assert len(shown.lines()) - 1 == 5

        shown.timeline.show(Shown(laid, spans(), "tokens"))
        assert "tokens" in shown.lines()[0]


async def test_a_click_goes_to_a_block_and_opens_a_fold() -> None:
    shown = shelf()
    async with shown.app.at(62, 14) as pilot:
        know(shown.timeline)
        await pilot.click(offset=Offset(20, shown.line_of("Edit ×3")))
        assert shown.title == "Redis timeouts on the build host"
        await pilot.click(offset=Offset(20, shown.line_of("1h 50m quiet")))
        assert shown.title == "Redis timeouts on the build host"
        await pilot.click(offset=Offset(20, shown.line_of("1 sub-agent")))
        assert shown.timeline.laid.unfolded == {3}
        await pilot.click(offset=Offset(20, shown.line_of("1 sub-agent")))
        assert shown.timeline.laid.unfolded == set()
        await pilot.click(offset=Offset(20, shown.line_of("why is")), times=2)
        assert [chosen.position for chosen in shown.app.told(reports.Chosen)] == [1]


async def test_marks_follow_the_visible_rows() -> None:
    shown = shelf()
    async with shown.app.at(62, 14):
        shown.timeline.lines.top()
        shown.timeline.lines.marks.select()
        shown.timeline.lines.move(1)
        shown.timeline.lines.marks.select()
        assert shown.timeline.lines.marks == {"conversation:3", "conversation:1"}
        assert shown.lines()[shown.line_of("why is")].startswith("✓12:40 ▜")
        shown.timeline.lines.bottom()
        shown.timeline.lines.marks.toggle()
        assert "conversation:0" in shown.timeline.lines.marks


async def test_only_details_in_view_are_requested() -> None:
    count = 100_000
    begins = [(-number * DAY, -number * DAY + 60_000_000) for number in range(count)]
    far = spans_of(begins)
    timeline = Timeline(Sheet())
    app = OneApp(timeline.lines.sheet)
    async with app.at(62, 12) as pilot:
        timeline.lines.set_rows(Paged(range(count)), keeps=False)
        timeline.show(Shown(Layout(in_time(far), Scale.LOG), far))
        await pilot.pause()
        wanted = app.told(reports.Wanted)
        assert [(one.first, one.last) for one in wanted] == [(0, 11)]
        closer = app.told(Timeline.CloseupsWanted)
        assert closer[-1].keys == [5, 4, 3, 2, 1, 0]

        timeline.lines.top()
        await pilot.pause()
        last = app.told(reports.Wanted)[-1]
        assert (last.first, last.last) == (count - 11, count)
        assert timeline.lines.cursor == count - 1


async def test_an_empty_timeline_is_blank() -> None:
    timeline = Timeline(Sheet())
    app = OneApp(timeline.lines.sheet)
    async with app.at(40, 5):
        timeline.lines.set_rows(Held[Conversation](()), keeps=False)
        none = Spans.none()
        timeline.show(Shown(Layout(in_time(none), Scale.LOG), none))
        timeline.lines.move(1)
        timeline.lines.page(1)
        timeline.to_day(1)
        timeline.lines.marks.toggle_all()
        assert [line.strip() for line in app.shown()[1:]] == [""] * 4
        assert timeline.shown.newest() is None
        assert timeline.shown.removed_after(0) is None


def test_the_next_to_expire_can_be_stepped_through() -> None:
    soon = spans_of([(0, 0)] * 4, leaves=[30, NEVER, 10, 20])
    shown = Shown(Layout(in_time(soon), Scale.LOG), soon)

    assert shown.removed_after(1) == 2
    assert shown.removed_after(2) == 3
    assert shown.removed_after(3) == 0
    assert shown.removed_after(0) == 2
