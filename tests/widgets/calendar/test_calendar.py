"""The calendar is drawn in every theme at every size; a day can be clicked."""

from datetime import date

import pytest
from rich.cells import cell_len

from tests.widgets.hostile import assert_fit
from tests.widgets.one import OneApp
from widgets.calendar import MEMORIES, Calendar, CalendarSheet, Counted
from widgets.styles import ANSI, CONTRAST, DARK, NONE, PALETTES, Palette

TODAY = date(2026, 2, 20)
SIZES = ((1, 1), (20, 6), (40, 12), (80, 24), (120, 36), (200, 50))

AT_26 = """\
━━━━━━━━ 2026 ━━ Feb ━━━━━
 Mon · · · · · · · · · ·
     · · · · · · · · ░ ·
 Wed · · · · · · · · ▒ ·
     · · · · · · · · ▓ ·
 Fri · · · · · · · · █ ◉
     · · · · · · · · ·
 Sun · · · · · · · ·[░]
     less · ░ ▒ ▓ █ more …"""


def counted(**days: int) -> Counted:
    """Counts by days, such as `feb_08`."""
    return Counted.of(
        {f"2026-02-{name.removeprefix('feb_')}": n for name, n in days.items()}
    )


FEBRUARY = counted(feb_10=1, feb_11=2, feb_12=3, feb_13=4, feb_15=1)


def calendar(counts: Counted = FEBRUARY) -> tuple[Calendar, OneApp]:
    shown = Calendar(CalendarSheet())
    shown.show(counts, TODAY.toordinal())
    return shown, OneApp(shown.sheet)


def day(year: int, month: int, at: int) -> int:
    return date(year, month, at).toordinal()


async def test_weeks_are_columns_and_weekdays_are_rows() -> None:
    shown, app = calendar()
    shown.sheet.palette = NONE
    async with app.at(26, 9):
        assert "\n".join(app.shown()) == AT_26


async def test_the_latest_day_is_selected_until_another_is_chosen() -> None:
    shown, app = calendar()
    async with app.at(80, 9):
        assert shown.chosen == day(2026, 2, 15)
        shown.choose(day(2026, 1, 1))
        shown.show(FEBRUARY, TODAY.toordinal())
        assert shown.chosen == day(2026, 1, 1)

    shown, app = calendar(Counted())
    async with app.at(80, 9):
        assert shown.chosen == TODAY.toordinal()


@pytest.mark.parametrize(("width", "weeks"), [(80, 37), (113, 53), (200, 53)])
async def test_as_many_weeks_as_fit_are_shown_up_to_a_year(
    width: int, weeks: int
) -> None:
    _, app = calendar()
    async with app.at(width, 9):
        row = app.shown()[2]
        drawn = row.partition("━")[0][4:]
        assert len(drawn.replace("[", " ").replace("]", " ").split()) == weeks


async def test_older_entries_show_more_than_a_year() -> None:
    _, app = calendar(Counted.of({"2024-02-14": 1, "2026-02-14": 3}))
    async with app.at(250, 9):
        assert app.shown()[0].split().count("2025") == 1
        assert app.shown()[0].split().count("2026") == 1
        assert "less" in app.shown()[8]


async def test_totals_of_weekdays_are_shown_beside_the_weeks() -> None:
    _, app = calendar()
    async with app.at(200, 9):
        numbers = [line.split()[-1] for line in app.shown()[1:8]]
        assert numbers == ["0", "1", "2", "3", "4", "0", "1"]


@pytest.mark.parametrize("palette", PALETTES.values(), ids=repr)
@pytest.mark.parametrize("size", SIZES)
async def test_a_calendar_is_drawn_at_every_size_in_every_theme(
    size: tuple[int, int], palette: Palette
) -> None:
    for theme in (palette, palette.in_ascii()):
        shown, app = calendar()
        shown.sheet.palette = theme
        async with app.at(*size) as pilot:
            for chosen in (1, 700_000, TODAY.toordinal(), date.max.toordinal()):
                shown.choose(chosen)
                await pilot.pause()
                height = shown.sheet.size.height
                strips = [shown.sheet.render_line(y) for y in range(height)]
                assert_fit(strips, shown.sheet.text_width)
                assert not [s for s in strips if "cannot be drawn" in s.text]
                if theme.is_ascii:
                    assert all(s.text.isascii() for s in strips)


@pytest.mark.parametrize("palette", [ANSI, CONTRAST, NONE], ids=repr)
async def test_with_few_colours_shades_show_the_level_of_a_day(
    palette: Palette,
) -> None:
    shown, app = calendar()
    shown.sheet.palette = palette
    async with app.at(80, 9):
        text = "\n".join(app.shown()[:8])
        assert all(shade in text for shade in "·░▒▓█◉")


async def test_with_colours_each_level_has_its_own() -> None:
    shown, app = calendar()
    shown.sheet.palette = DARK
    async with app.at(80, 9):
        styles = {
            segment.style.color
            for y in range(1, 8)
            for segment in shown.sheet.render_line(y)
            if "■" in segment.text and segment.style
        }
        assert len(styles) == 4


async def test_a_day_is_clicked_and_opened() -> None:
    shown, app = calendar()
    async with app.at(80, 9) as pilot:
        row = app.shown()[4]
        column = row.rindex("■")
        await pilot.click(offset=(column, 4))
        await pilot.click(offset=(column + 2, 2), times=2)
        await pilot.click(offset=(0, 4))
        await pilot.click(offset=(30, 8))

    assert [told.day for told in app.told(Calendar.Went)] == [
        day(2026, 2, 12),
        day(2026, 2, 17),
    ]
    assert [told.day for told in app.told(Calendar.Opened)] == [day(2026, 2, 17)]
    assert shown.chosen == day(2026, 2, 17)


@pytest.mark.parametrize(
    ("latest", "last"),
    [("2026-02-15", TODAY), ("2026-03-01", date(2026, 3, 1)), ("9999-12-31", date.max)],
)
async def test_the_cursor_does_not_leave_the_calendar(latest: str, last: date) -> None:
    shown, app = calendar(Counted.of({latest: 1}))
    async with app.at(80, 9) as pilot:
        for far in (0, -5, date.max.toordinal() + 5):
            shown.go(far)
            await pilot.pause()

    went = [told.day for told in app.told(Calendar.Went)]
    assert went == [1, last.toordinal()]


async def test_with_only_one_row_the_days_are_in_it() -> None:
    shown, app = calendar()
    shown.sheet.styles.height = 1
    shown.sheet.palette = NONE
    async with app.at(60, 1):
        (row,) = app.shown()
        assert row.startswith(" Feb ·")
        assert "░▒▓█·░····◉" in row
        assert row.endswith("Sun 15 Feb 2026 · 1 entry")
        assert cell_len(row) <= 60
        for x in range(5, row.index("◉") + 1):
            assert shown.day_at(0, x) == TODAY.toordinal() - row.index("◉") + x
        assert shown.day_at(0, 4) is shown.day_at(0, 58) is None


def test_counts_name_what_they_count() -> None:
    days = {"2026-02-14": 2, "2026-02-15": 1, "someday": 3, "2026-02-30": 1, "": 0}
    found = Counted.of(days, MEMORIES)

    assert (found.total, found.undated, found.streak) == (3, 4, 2)
    assert found.on(day(2026, 2, 14)) == 2
    assert found.on(day(2026, 2, 16)) == 0
    assert found.earliest == day(2026, 2, 14)
    assert found.noun.counted(1) == "1 memory"
    assert found.noun.counted(12_345) == "12 345 memories"
