"""The agenda shows days and their entries; the cursor goes from entry to entry."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

import pytest
from msgspec.structs import replace

from store.derive.statistics import Timing
from store.kinds.pages import Episode
from tests.widgets.agenda.episodes import DAYS, an_episode
from tests.widgets.hostile import SIZES, TEXTS, assert_fit
from tests.widgets.one import OneApp
from widgets.agenda import Agenda, Noted, Outline, heading, moment_of
from widgets.calendar import MEMORIES, TALKS, Counted
from widgets.lines import Chosen
from widgets.rows import Held, Paged
from widgets.sheet import Sheet, text_of
from widgets.styles import PALETTES, Palette

TODAY = date(2026, 2, 20)

AT_60 = """\
━ Episodes ━ Fri 20 Feb 2026 · today ━ 3 entries ━━━━━━━━━
 14:05 ▎SOL Redis keepalive
       ▎Three incidents share o… → most-production-incide…
       ┊ 2h 50m
 11:15 ▎INS WebSocket
       ▎⚠ most-production-incidents
       ┊ 2h 13m
 09:02 ▎INS Missing timeouts
       ▎Three incidents share o… → most-production-incide…
 Thu 19 Feb 2026 · yesterday  1 entry · 2 memories ───────
 09:02 ▎INS Quiet
       ┊ 17 quiet days
 Sun 1 Feb 2026  1 entry · 1 conversation ────────────────
       ▎Long ago
       ▎Three incidents share o… → most-production-incide…"""

AT_24 = """\
━ Fri 20 Feb 2026 · to…
 ▎SOL Redis keepalive
       ┊ 2h 50m
 ▎INS WebSocket
       ┊ 2h 13m
 ▎INS Missing timeouts
 Thu 19 Feb 2026 · yes…
 ▎INS Quiet
       ┊ 17 quiet days
 Sun 1 Feb 2026  1 ent…
 ▎Long ago"""

BY_TITLE = """\
━ Episodes ━ when typ title ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
 2026-02-01           Long ago
 2026-02-20 09:02 INS Missing timeouts
 2026-02-19 09:02 INS Quiet"""


def outline_of(episodes: Sequence[Episode]) -> Outline:
    return Outline.of(Timing.of(map(moment_of, episodes)))


def agenda(episodes: Sequence[Episode] = DAYS) -> tuple[Agenda, OneApp]:
    shown = Agenda(Sheet())
    shown.label = "Episodes"
    others = (
        Counted.of({"2026-02-19": 2}, MEMORIES),
        Counted.of({"2026-02-01": 1}, TALKS),
    )
    shown.tell(Noted(TODAY, others=others))
    shown.lines.set_rows(Held(episodes, key=lambda episode: episode.ref))
    shown.lay(outline_of(episodes))
    return shown, OneApp(shown.lines.sheet)


@pytest.mark.parametrize(("width", "drawn"), [(59, AT_60), (24, AT_24)])
async def test_entries_are_listed_under_their_days(width: int, drawn: str) -> None:
    _, app = agenda()
    async with app.at(width, 15):
        assert "\n".join(app.shown()).rstrip() == drawn


async def test_with_more_room_links_and_tags_are_separate() -> None:
    _, app = agenda(DAYS[:1])
    async with app.at(80, 40):
        shown = app.shown()
        assert shown[1].startswith(" 14:05 ▎SOL Redis keepalive")
        assert shown[1].endswith("redis timeout")
        assert shown[2].endswith("a client without a timeout.")
        assert shown[3] == "       ▎→ most-production-incidents"


async def test_in_another_order_entries_are_rows_of_a_table() -> None:
    by_title = sorted(DAYS, key=lambda episode: episode.title)
    shown, app = agenda(by_title)
    async with app.at(60, 15) as pilot:
        assert not shown.is_by_day
        assert "\n".join(app.shown()[:4]) == BY_TITLE
        await pilot.click(offset=(25, 0))

    assert [asked.name for asked in app.told(Agenda.SortAsked)] == ["title"]


async def test_the_day_in_the_header_is_not_a_column() -> None:
    _, app = agenda()
    async with app.at(60, 15) as pilot:
        await pilot.click(offset=(25, 0))

    assert not app.told(Agenda.SortAsked)


async def test_the_cursor_moves_from_entry_to_entry_and_stays_in_view() -> None:
    shown, app = agenda(many(50))
    async with app.at(60, 12) as pilot:
        for _ in range(49):
            shown.lines.move(1)
            await pilot.pause()
            assert row_of_cursor(shown, app) > 0
        for _ in range(49):
            shown.lines.move(-1)
            await pilot.pause()
            assert row_of_cursor(shown, app) > 0
        assert shown.lines.sheet.scroll_offset.y == 0


async def test_the_header_shows_the_day_in_view() -> None:
    shown, app = agenda(many(50))
    async with app.at(60, 12) as pilot:
        for position in range(0, 50, 7):
            shown.lines.to(position)
            await pilot.pause()
            first = shown.day_of(shown.lines.first) or ""
            assert f" {int(first[-2:])} Feb 2026" in app.shown()[0]
            assert "─" not in app.shown()[1]


async def test_pages_move_by_what_is_in_view() -> None:
    shown, app = agenda(many(50))
    async with app.at(60, 12) as pilot:
        seen = [shown.lines.cursor]
        while shown.lines.cursor < 49:
            shown.lines.page(1)
            await pilot.pause()
            seen.append(shown.lines.cursor)
        assert all(1 < after - at < 12 for at, after in pairwise(seen[:-1]))
        shown.lines.half_page(-1)
        assert 40 < shown.lines.cursor < 49


async def test_the_cursor_moves_from_day_to_day() -> None:
    shown, app = agenda()
    async with app.at(60, 15):
        shown.to_day(1)
        assert shown.lines.cursor == 3
        shown.to_day(1)
        shown.to_day(1)
        assert shown.lines.cursor == 4
        shown.to_day(-1)
        assert shown.lines.cursor == 3


async def test_every_line_of_an_entry_can_be_clicked() -> None:
    shown, app = agenda()
    async with app.at(60, 15) as pilot:
        for y, position in {1: 0, 2: 0, 4: 1, 8: 2, 9: 3, 14: 4}.items():
            await pilot.click(offset=(20, y))
            assert shown.lines.cursor == position
        await pilot.click(offset=(20, 4), times=2)

    assert [chosen.key for chosen in app.told(Chosen)] == ["2"]


async def test_the_wheel_scrolls_by_lines() -> None:
    shown, app = agenda(many(50))
    async with app.at(60, 12) as pilot:
        shown.lines.drawing.scroll(3)
        await pilot.pause()
        assert shown.lines.sheet.scroll_offset.y == 3
        shown.lines.drawing.scroll(-9)
        await pilot.pause()
        assert shown.lines.sheet.scroll_offset.y == 0


async def test_a_new_outline_moves_nothing_on_the_screen() -> None:
    episodes = many(400)
    shown, app = agenda(())
    async with app.at(60, 12) as pilot:
        rows: Paged[Episode] = Paged([episode.ref for episode in episodes])
        rows.bring(0, episodes[:100])
        shown.lines.set_rows(rows, keeps=False)
        shown.lines.to(300)
        rows.bring(280, episodes[280:320])
        shown.lines.arrived()
        await pilot.pause()
        row = row_of_cursor(shown, app)
        assert shown.day_of(300) is None

        shown.lay(outline_of(episodes))
        await pilot.pause()
        assert row_of_cursor(shown, app) == row
        assert shown.day_of(300) == episodes[300].date

        shown.lines.set_rows(Paged([episode.ref for episode in episodes]))
        assert shown.day_of(300) == episodes[300].date
        shown.lay(outline_of(episodes[:5]))
        assert shown.day_of(300) == episodes[300].date


async def test_hits_are_highlighted() -> None:
    shown, app = agenda()
    async with app.at(60, 15) as pilot:
        shown.tell(replace(shown.noted, sought=("redis",)))
        await pilot.pause()
        styles = {
            part.text: part.style
            for part in shown.lines.sheet.render_line(1)
            if part.style
        }
        assert styles["Redis"].underline


async def test_lines_are_drawn_on_the_current_themes_colours() -> None:
    shown, app = agenda()
    async with app.at(60, 15) as pilot:
        for theme in ("textual-light", "textual-dark"):
            app.theme = theme
            shown.lines.sheet.palette = PALETTES[theme.removeprefix("textual-")]
            shown.lines.sheet.redraw()
            await pilot.pause()
            (blank,) = shown.lines.sheet.render_line(14).crop(0, 1)
            assert blank.style
            assert blank.style.bgcolor == shown.lines.sheet.rich_style.bgcolor


def test_a_day_shows_only_what_there_is_room_for() -> None:
    others = [Counted.of({"2026-02-01": 2}, noun) for noun in (MEMORIES, TALKS)]

    def told(width: int) -> str:
        return text_of(heading("2026-02-01", 1, others, TODAY, width)).rstrip(" ─")

    assert told(55) == "Sun 1 Feb 2026  1 entry · 2 memories · 2 conversations"
    assert told(54) == "Sun 1 Feb 2026  1 entry · 2 memories"
    assert told(30) == "Sun 1 Feb 2026  1 entry"


async def test_an_empty_agenda_says_so() -> None:
    shown, app = agenda(())
    async with app.at(30, 8) as pilot:
        note = "These stores keep no episodes, but memories."
        aside = ([("Fri 20 Feb 2026", "heading")],)
        shown.tell(replace(shown.noted, note=note, aside=aside))
        await pilot.pause()
        assert [line.strip() for line in app.shown() if line] == [
            "━ Episodes ━━━━━━━━━━━━━━━━━━",
            "These stores keep no",
            "episodes, but memories.",
            "Fri 20 Feb 2026",
        ]


@pytest.mark.parametrize("palette", PALETTES.values(), ids=repr)
@pytest.mark.parametrize("size", [(1, 1), (20, 6), (40, 12), (120, 36)])
async def test_an_agenda_is_drawn_at_every_size_in_every_theme(
    size: tuple[int, int], palette: Palette
) -> None:
    shown, app = agenda()
    shown.lines.sheet.palette = palette.in_ascii()
    async with app.at(*size):
        strips = [shown.lines.sheet.render_line(y) for y in range(size[1])]
        assert_fit(strips, shown.lines.sheet.text_width)
        assert all(strip.text.isascii() for strip in strips)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("is_by_day", [True, False])
async def test_nothing_hostile_gets_through(
    size: tuple[int, int],
    is_by_day: bool,  # noqa: FBT001  # a parameter of the test
) -> None:
    episodes = [
        an_episode(
            ref=str(number),
            date="2026-02-20" if is_by_day else text,
            time=text,
            title=text,
            type=text or None,
            tags=(text, text),
            summary=text,
            memory=None,
            link=text,
        )
        for number, text in enumerate(TEXTS)
    ]
    shown, app = agenda(episodes)
    shown.tell(replace(shown.noted, sought=("x", "\x1b", "界")))
    async with app.at(*size) as pilot:
        for _ in episodes:
            shown.lines.marks.toggle()
            await pilot.pause()
            strips = [shown.lines.sheet.render_line(y) for y in range(size[1])]
            assert_fit(strips, shown.lines.sheet.text_width)
            assert not [s for s in strips if "cannot be drawn" in s.text]


def many(count: int) -> list[Episode]:
    """Entries of many days, three a day, newest first."""
    return [
        an_episode(
            ref=f"r{number}",
            date=f"2026-02-{28 - number // 3 % 28:02}"
            if number < 84
            else f"2025-{12 - number // 84:02}-{28 - number // 3 % 28:02}",
            time=f"{20 - number % 3 * 5:02}:00",
            title=f"Entry {number}",
        )
        for number in range(count)
    ]


def row_of_cursor(shown: Agenda, app: OneApp) -> int:
    """The screen row at which the current entry begins."""
    episode = shown.lines.at_cursor
    assert episode is not None
    rows = [at for at, row in enumerate(app.shown()) if episode.title in row]
    exact = [at for at in rows if app.shown()[at].rstrip().endswith(episode.title)]
    return (exact or [-1])[0]
