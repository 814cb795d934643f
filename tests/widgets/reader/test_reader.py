"""The reader: tabs, a stable position, stepping through hits and links, copying."""

import pytest
from textual.pilot import Pilot

from tests.widgets.hostile import SIZES, TEXTS, assert_fit
from tests.widgets.one import OneApp
from tests.widgets.reader.texts import a_page
from widgets.page import Markdown, Page, Plain, Raw
from widgets.reader import Reader
from widgets.sheet import TextSheet
from widgets.styles import NONE
from widgets.text import Target

LONG = "\n\n".join(f"paragraph {number}" for number in range(500))


def opened(page: Page) -> tuple[Reader, OneApp]:
    reader = Reader(TextSheet())
    reader.show(page)
    return reader, OneApp(reader.text.sheet)


async def dragged(
    pilot: Pilot[None], start: tuple[int, int], end: tuple[int, int]
) -> None:
    """Select with the mouse."""
    await pilot.mouse_down(offset=start)
    await pilot.hover(offset=end)
    await pilot.mouse_up(offset=end)
    await pilot.pause()


async def test_a_page_has_its_title_and_its_tabs_at_the_top() -> None:
    page = a_page("The text.", raw=Raw(b"raw\n"), history=Plain("then"))
    reader, app = opened(page)
    async with app.at(50, 6) as pilot:
        assert app.shown() == [
            "━ A title ━━━━━━━━━━━━━━━━━━ read · raw · history",
            " The text.",
            "",
            "",
            "",
            "",
        ]

        reader.turn(1)
        assert (reader.tab, app.shown()[1]) == ("raw", " raw")
        reader.turn(-2)
        assert (reader.tab, app.shown()[1]) == ("history", " then")
        await pilot.click(offset=(app.shown()[0].index("raw"), 0))
        assert reader.tab == "raw"
        await pilot.pause()
        assert [m.name for m in app.told(Reader.TabShown)] == ["raw", "history", "raw"]


TABS = {name: Plain("") for name in ("read", "links", "facts", "raw", "why")}


@pytest.mark.parametrize(
    ("width", "tab", "head"),
    [
        (
            74,
            0,
            "━ A title that is long enough to be cut, as so… ━ read · links · … ━ 1/45",
        ),
        (60, 0, "━ A title that is long enough to be cut… ━ read · links · …"),
        (60, 2, "━ A title that is long enough to be … ━ … · facts · raw · …"),
        (60, 4, "━ A title that is long enough to be… ━ … · raw · why ━ 1/45"),
        (40, 0, "━ A title that is long enough t… ━ read"),
        (32, 0, "━ A title that is long … ━ read"),
        (27, 0, "━ A title that is long en…"),
    ],
)
async def test_tabs_make_room_for_the_title(width: int, tab: int, head: str) -> None:
    title = "A title that is long enough to be cut, as some are"
    reader, app = opened(Page("m:1", [(title, "")], TABS, "1/45"))
    async with app.at(width, 3):
        reader.turn(tab)
        assert app.shown()[0] == head


@pytest.mark.parametrize(
    ("width", "head"),
    [
        (102, "━ Redis connections … → Keepalive → A short title"),
        (75, "━ Redis connecti… → Keepalive → A short title"),
        (59, "━ … → Keepalive → A short title"),
        (26, "━ A short title"),
    ],
)
async def test_the_path_to_a_record_precedes_its_title(width: int, head: str) -> None:
    way = ["Redis connections die after a while", "Keepalive"]
    page = Page("m:1", [("A short title", "")], TABS, "1/45", way)
    _, app = opened(page)
    async with app.at(width, 3):
        assert app.shown()[0].partition(" ━━")[0] == head


async def test_a_page_without_the_tab_shows_its_first() -> None:
    reader, app = opened(Page("m:1", [("one", "")], TABS))
    async with app.at(40, 3) as pilot:
        reader.to_tab("links")
        reader.show(Page("m:2", [("two", "")], {"read": Plain("")}))
        await pilot.pause()
        assert [one.name for one in app.told(Reader.TabShown)] == ["links", "read"]


async def test_a_neighbouring_tab_can_be_clicked() -> None:
    reader, app = opened(Page("m:1", [("A title that is long", "")], TABS, "1/45"))
    async with app.at(50, 3) as pilot:
        head = app.shown()[0]
        assert head.endswith("━ read · links · … ━ 1/45")
        await pilot.click(offset=(head.index("links"), 0))
        assert reader.tab == "links"
        await pilot.click(offset=(app.shown()[0].rindex("…"), 0))
        assert reader.tab == "links"


async def test_the_same_page_keeps_its_place() -> None:
    reader, app = opened(a_page(LONG))
    async with app.at(50, 10) as pilot:
        reader.text.page(3)
        await pilot.pause()
        first = reader.text.sheet.first
        assert first == 24

        reader.show(a_page(LONG))
        assert reader.text.sheet.first == first

        reader.show(a_page(LONG, key="m:2"))
        assert reader.text.sheet.first == 0


async def test_another_width_keeps_the_place() -> None:
    words = "\n\n".join(f"w{number} " + "word " * 30 for number in range(200))
    reader, app = opened(a_page(words))
    async with app.at(90, 10) as pilot:
        reader.text.move(100)
        await pilot.pause()
        there = next(
            word
            for line in app.shown()[1:]
            for word in line.split()
            if word[1:].isdigit()
        )

        await pilot.resize_terminal(40, 10)
        await pilot.pause()

        place = int(there[1:])
        near = [f"w{number}" for number in range(place - 3, place + 2)]
        assert any(word in near for line in app.shown() for word in line.split())


async def test_scrolling_reaches_the_end_of_text_not_laid_out_yet() -> None:
    reader, app = opened(a_page(LONG))
    async with app.at(50, 10) as pilot:
        assert reader.text.count() < 400

        reader.text.bottom()
        while not reader.laid.is_done:
            await pilot.pause()
        await pilot.pause()
        assert app.shown()[-1] == " paragraph 499"

        reader.text.top()
        await pilot.pause()
        assert app.shown()[1] == " paragraph 0"
        reader.text.half_page(1)
        await pilot.pause()
        assert reader.text.sheet.first == 4


async def test_text_coming_into_view_is_laid_out_in_time() -> None:
    reader, app = opened(a_page(LONG))
    async with app.at(50, 10) as pilot:
        for page in range(40):
            reader.text.page(1)
            await pilot.pause()
            assert app.shown()[1].strip() == f"paragraph {(page + 1) * 4}"


async def test_scrolling_to_a_far_end_can_be_reversed() -> None:
    reader, app = opened(a_page(LONG * 100))
    async with app.at(50, 10) as pilot:
        reader.text.bottom()
        assert not reader.laid.is_done

        reader.text.top()
        known = len(reader.laid.lines)
        await pilot.press("x", "x")
        assert (reader.text.sheet.first, len(reader.laid.lines)) == (0, known)


async def test_headings_can_be_stepped_through() -> None:
    text = "\n\n".join(f"## Part {part}\n\n" + "text\n\n" * 10 for part in range(9))
    reader, app = opened(a_page(text))
    async with app.at(50, 10) as pilot:
        for part in (1, 2):
            reader.text.section(1)
            await pilot.pause()
            assert app.shown()[1] == f" Part {part}"
        reader.text.section(-1)
        await pilot.pause()
        assert app.shown()[1] == " Part 1"
        reader.text.section(-1)
        reader.text.section(-1)
        await pilot.pause()
        assert app.shown()[1] == " Part 0"


async def test_hits_can_be_stepped_through_anywhere() -> None:
    reader, app = opened(a_page(f"needle\n\n{LONG}\n\nneedle two"))
    async with app.at(50, 10) as pilot:
        assert not reader.next_hit()
        reader.seek(["needle"])
        assert reader.hit is None

        assert reader.next_hit()
        assert (reader.hit, reader.text.sheet.first) == ((1, 1), 0)
        assert reader.next_hit()
        await pilot.pause()
        assert reader.hit == (2, 2)
        assert " needle two" in app.shown()
        assert reader.next_hit()
        assert reader.hit == (1, 2)
        assert reader.next_hit(-1)
        assert reader.hit == (2, 2)


async def test_the_current_hit_differs_from_the_others() -> None:
    reader, app = opened(a_page("needle and needle"))
    async with app.at(50, 4):
        reader.text.sheet.palette = NONE
        reader.seek(["needle"])
        reader.next_hit()
        reader.next_hit()

        shown = [
            (s.text, bool(s.style and s.style.reverse))
            for s in reader.text.sheet.render_line(1)
        ]
        assert shown[1:4] == [("needle", False), (" and ", False), ("needle", True)]


async def test_links_can_be_stepped_through_and_followed() -> None:
    reader, app = opened(a_page("[one](a.md) [[two]] [three](a.md)"))
    async with app.at(50, 4) as pilot:
        assert reader.link is None
        reader.follow()
        for target in (
            ("link", "a.md"),
            ("wiki", "two"),
            ("link", "a.md"),
            ("link", "a.md"),
        ):
            assert reader.next_link()
            assert reader.link == Target(*target)
        reader.next_link(-1)
        reader.follow()
        await pilot.click(offset=(6, 1))
        await pilot.pause()

        followed = [message.target for message in app.told(Reader.Followed)]
        assert followed == [Target("link", "a.md"), Target("wiki", "two")]


async def test_a_page_shown_again_keeps_its_link() -> None:
    page = a_page("[a](a.md) [b](b.md)")
    reader, app = opened(page)
    async with app.at(50, 4):
        reader.next_link()
        reader.next_link()

        reader.show(Page(page.key, page.title, page.bodies, "again"))
        assert reader.link == Target("link", "b.md")
        reader.show(Page("another", page.title, page.bodies))
        assert reader.link is None


async def test_a_page_without_links_has_none_to_step_to() -> None:
    reader, app = opened(a_page("nothing"))
    async with app.at(50, 4):
        assert not reader.next_link()
        assert reader.link is None


async def test_a_selection_is_copied_as_it_was_written() -> None:
    text = "one two three four five six seven\n\n```\n  code\nmore\n```"
    reader, app = opened(a_page(text))
    async with app.at(20, 9) as pilot:
        assert app.shown()[1:3] == [" one two three", " four five six"]

        await dragged(pilot, (5, 1), (10, 2))
        assert reader.text.sheet.selected_text() == "two three four five"

        await dragged(pilot, (1, 5), (18, 6))
        assert reader.text.sheet.selected_text() == "  code\nmore"
        assert app.screen.get_selected_text() == "  code\nmore"
        selected = [
            s.text
            for s in reader.text.sheet.render_line(6)
            if s.style and s.style.reverse
        ]
        assert "".join(selected).strip() == "more"


async def test_an_empty_selection_copies_nothing() -> None:
    reader, app = opened(a_page("text"))
    async with app.at(20, 9):
        assert reader.text.sheet.selected_text() == ""


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_hostile_gets_through(size: tuple[int, int]) -> None:
    reader, app = opened(a_page(""))
    async with app.at(*size) as pilot:
        for number, text in enumerate(TEXTS):
            raw = text.encode("utf-8", "surrogatepass")
            bodies = {"read": Markdown(text), "raw": Raw(raw), "plain": Plain(text)}
            reader.show(Page(number, [(text, "title")], bodies, text))
            reader.seek([text[:5], "x"])
            for _ in bodies:
                reader.next_hit()
                reader.next_link()
                await pilot.pause()
                strips = [reader.text.sheet.render_line(y) for y in range(size[1])]
                assert_fit(strips, reader.text.sheet.text_width)
                assert not [s for s in strips if "cannot be drawn" in s.text]
                reader.turn(1)
