"""Only rows in view, or soon to be, are requested."""

from tests.widgets.lines.words import HEIGHT, WordsApp, absent, bring, numbered
from widgets import lines as reports
from widgets.rows import Paged

MANY = 1_000_000


def wanted(app: WordsApp) -> list[tuple[int, int]]:
    """The requests of the list since the last check."""
    spans = [(m.first, m.last) for m in app.told if isinstance(m, reports.Wanted)]
    app.told.clear()
    return spans


async def test_missing_rows_are_requested_and_drawn_when_they_arrive() -> None:
    rows = absent(MANY)
    app = WordsApp(rows)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        assert wanted(app)[-1] == (0, 2 * HEIGHT)
        assert app.shown() == [" …"] * HEIGHT
        assert app.words.at_cursor is None

        bring(rows, 0, 2 * HEIGHT)
        app.words.arrived()
        assert app.shown()[:2] == [" word 0", " word 1"]
        assert app.words.at_cursor == "word 0"


async def test_rows_are_requested_before_they_come_into_view_and_only_once() -> None:
    rows = absent(MANY)
    app = WordsApp(rows)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        bring(rows, 0, 2 * HEIGHT)
        app.words.arrived()
        await pilot.pause()
        app.told.clear()

        app.words.to(HEIGHT + 2)
        await pilot.pause()
        assert wanted(app) == [(20, 23)]

        app.words.to(HEIGHT + 2)
        app.words.marks.toggle()
        app.words.move(-1)
        await pilot.pause()
        assert wanted(app) in ([], [(20, 24)])


async def test_jumping_to_the_end_requests_nothing_in_between() -> None:
    app = WordsApp(absent(MANY))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        app.told.clear()
        app.words.bottom()
        await pilot.pause()

        assert wanted(app) == [(MANY - 2 * HEIGHT, MANY)]


def test_the_least_recently_used_rows_are_dropped_first() -> None:
    rows: Paged[str] = Paged(range(MANY))
    bring(rows, 0, 10)
    for first in range(1000, 1000 + 200 * 49, 200):
        bring(rows, first, first + 5)
        assert rows.page(0, 2) == ["word 0", "word 1"]
    bring(rows, 500_000, 500_200)

    assert rows.page(0, 2) == ["word 0", "word 1"]
    assert rows.page(1000, 1002) == [None, None]
    assert rows.page(500_199, 500_201) == ["word 500199", None]


def test_a_deleted_record_moves_no_other() -> None:
    rows: Paged[str] = Paged(range(9))
    rows.bring(3, ["three", None, "five"])

    assert rows.page(3, 6) == ["three", None, "five"]


def test_a_row_is_found_by_its_key() -> None:
    rows: Paged[str] = Paged([7, 5, 9])

    assert (rows.find(9), rows.find(1)) == (2, None)
    assert [rows.key(position) for position in range(len(rows))] == [7, 5, 9]
    assert rows.page(2, 9) == [None]


async def test_scrolling_is_at_once_also_if_that_makes_the_list_scroll_elsewhere() -> (
    None
):
    app = WordsApp(numbered(MANY))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        words = app.sheet
        scrolled: list[float] = []

        def scrolls_on(position: float) -> None:
            scrolled.append(position)
            if position == HEIGHT:
                words.scroll_top(0)

        words.watch(words, "scroll_y", scrolls_on, init=False)
        words.scroll_page_down()
        await pilot.pause()

        assert scrolled == [HEIGHT, 0]
