"""Typing a query: reported letter by letter, completed, remembered, closed."""

from collections.abc import Callable

import pytest
from rich.style import Style
from textual import events
from textual.pilot import Pilot

from tests.tui.browser.host import Host
from tests.widgets.hostile import SIZES, TEXTS, unfit
from tui.browser.layout import TEXTUAL_THEMES, palette_of
from tui.browser.query_bar import Counted, QueryBar
from tui.browser.query_input import QueryInput

VALUES = {
    "type": [("fix", 12), ("solution", 8), ("fact", 2)],
    "tags": [("redis", 45), ("docker compose", 3)],
}
SAVED = {"stale decisions": "type:decision seen>30d", "timeouts": "timeout"}
EARLIER = ["vite", "redis", "tag:redis strength<.2"]


def a_bar() -> QueryBar:
    bar = QueryBar(id="query")
    bar.know(values=VALUES, saved=SAVED, earlier=EARLIER)
    return bar


async def typed(bar: QueryBar, pilot: Pilot[None], text: str) -> None:
    """Type as people do, key by key."""
    if not bar.is_typed_in:
        bar.begin()
    await pilot.press(*("space" if key == " " else key for key in text))
    await pilot.pause()


def said(bar: QueryBar, look: Callable[[Style], object]) -> str:
    """The parts of the query with some style."""
    line = bar.query_one(QueryInput).render_line(0)
    return "".join(one.text for one in line if one.style and look(one.style))


async def pressed(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


async def test_every_letter_is_reported() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        await typed(bar, pilot, "red")

    assert [one.text for one in app.told(QueryBar.Asked)] == ["r", "re", "red"]


async def test_a_prefix_of_many_values_is_not_searched() -> None:
    bar = a_bar()
    bar.know(values={"tags": [(f"tag-{number}", 1) for number in range(60)]})
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        await typed(bar, pilot, "tag:t")
        assert not [one for one in app.told(QueryBar.Asked) if one.text == "tag:t"]
        await typed(bar, pilot, "ag-1")

    assert app.told(QueryBar.Asked)[-1].text == "tag:tag-1"


async def test_text_set_by_the_program_is_not_reported() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        bar.text = "type:fix"
        await pilot.pause()

        assert app.shown()[0] == "/ type:fix"
        bar.begin()
        await pressed(pilot, "end", "space")
    assert [one.text for one in app.told(QueryBar.Asked)] == ["type:fix "]


async def test_typing_replaces_the_query_that_the_bar_is_opened_with() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        bar.text = "glibc"
        await typed(bar, pilot, "re")
        assert bar.text == "re"
        await typed(bar, pilot, "dis")
    assert bar.text == "redis"


async def test_an_incomplete_value_keeps_the_last_results() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        await typed(bar, pilot, "type:fix")
        await typed(bar, pilot, "i")
        asked = [one.text for one in app.told(QueryBar.Asked)]
        assert asked == ["t", "ty", "typ", "type", "type:", "type:fix"]

        await pressed(pilot, "enter")
    assert app.told(QueryBar.Asked)[-1].text == "type:fixi"


async def test_enter_and_escape_move_to_the_list() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        await typed(bar, pilot, "redis")
        await pressed(pilot, "enter")
        await pressed(pilot, "escape")
        await pressed(pilot, "ctrl+g")

    assert [(one.text, one.is_accepted) for one in app.told(QueryBar.Left)] == [
        ("redis", True),
        ("redis", False),
        ("redis", False),
    ]


async def test_arrows_move_the_list_during_typing() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        await typed(bar, pilot, "type:")
        await pressed(pilot, "down", "ctrl+n", "up", "ctrl+p")

    assert [one.rows for one in app.told(QueryBar.Moved)] == [1, 1, -1, -1]


async def test_counts_are_at_the_right_end_and_stay_until_others_arrive() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        await typed(bar, pilot, "redis")
        bar.tell(Counted(45, 313, 0.0012))
        await pilot.pause()
        assert app.shown()[0] == "/ redis".ljust(66) + " 45/313 · 1 ms"

        await typed(bar, pilot, " t")
        assert app.shown()[0].endswith(" 45/313 · 1 ms")

        bar.tell(Counted(5000, 90_000, 1.25, is_cut=True))
        await pilot.pause()
        assert app.shown()[0].endswith(" ≥5000 · 1.2 s")

        bar.tell(Counted(7, 313, is_similar=True))
        await pilot.pause()
        assert app.shown()[0].endswith(" no exact match · 7 similar")


async def test_nothing_is_counted_before_anything_is_read() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        bar.tell(Counted(0, 0, is_reading=True))
        await pilot.pause()
        assert app.shown()[0].endswith(" reading…")

        bar.tell(Counted(3, 3, 0.0012, is_reading=True))
        await pilot.pause()
        assert app.shown()[0].endswith(" 3 so far")

        bar.tell(Counted(0, 0, 0.0012))
        await pilot.pause()
        assert app.shown()[0].endswith(" 0/0 · 1 ms")


async def test_narrow_bars_show_less() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(34, 12) as pilot:
        await typed(bar, pilot, "redis timeouts in prod")
        bar.tell(Counted(45, 313, 0.0012))
        await pilot.pause()

        assert app.shown()[0] == "/ redis timeouts in prod    45/313"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("type:fxi ", "No type 'fxi'; did you mean 'fix'?"),
        ("stage:fadin", ""),
        ("type:fi", ""),
        ("tpye:fix", "Unknown field 'tpye'; did you mean 'type'?"),
        ("tool:Bash", "Memories have no field 'tool'"),
        ("importance>much ", "'importance' needs a number such as .7, not 'much'"),
    ],
)
async def test_the_reason_is_at_the_right_end(text: str, reason: str) -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(120, 12) as pilot:
        await typed(bar, pilot, text)
        told = app.shown()[0].removeprefix(f"/ {text.strip()}").strip()

        assert told.startswith(reason)
        assert bool(told) == bool(reason)


async def test_terms_of_other_views_are_struck_through() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(120, 12) as pilot:
        await typed(bar, pilot, "tool:Bash type:fxi ")
        assert said(bar, lambda style: style.strike) == "tool:Bash"
        assert said(bar, lambda style: style.underline) == "fxi"

        bar.ask_about("events")
        await pilot.pause()
        assert said(bar, lambda style: style.strike) == "type:fxi"


async def test_values_are_offered_and_tab_completes_them() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        await typed(bar, pilot, "redis type:f")
        assert [line.split()[0] for line in app.shown()[1:3]] == ["fix", "fact"]
        assert app.shown()[1].endswith(" 12")

        await pressed(pilot, "tab", "down", "tab")
        assert bar.text == "redis type:fact "
        assert app.shown()[1] == ""


async def test_a_value_is_found_by_its_plain_letters() -> None:
    bar = a_bar()
    bar.know(values={"tags": [("łódź", 4), ("redis", 2)]})
    app = Host(bar)
    async with app.at(120, 12) as pilot:
        await typed(bar, pilot, "tags:lo")
        assert app.shown()[1].split()[0] == "łódź"
        await typed(bar, pilot, "dz ")
        assert "never" not in app.shown()[0]
        await typed(bar, pilot, "tags:lon ")
        assert "No tag 'lon'" in app.shown()[0]


async def test_the_only_completion_is_taken_at_once() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        await typed(bar, pilot, "tags:doc")
        await pressed(pilot, "tab")

        assert bar.text == 'tags:"docker compose" '
        assert app.told(QueryBar.Asked)[-1].text == bar.text


async def test_saved_and_earlier_queries_are_offered_too() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        bar.begin()
        await pressed(pilot, "tab")
        rows = app.shown()
        assert rows[1].split() == [
            "'",
            "stale",
            "decisions",
            "type:decision",
            "seen>30d",
        ]
        assert rows[3].split() == ["↶", "tag:redis", "strength<.2"]
        assert rows[6].split()[0] == "type:"
        assert len([row for row in rows[1:] if row]) == 8

        await pressed(pilot, "enter")
        assert bar.text == "type:decision seen>30d"
        assert not app.told(QueryBar.Left)


async def test_escape_closes_the_offers_before_it_closes_the_bar() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        await typed(bar, pilot, "type:")
        await pressed(pilot, "escape")
        assert app.shown()[1] == ""
        assert not app.told(QueryBar.Left)

        await pressed(pilot, "escape")
    assert len(app.told(QueryBar.Left)) == 1


async def test_up_in_an_empty_bar_brings_back_the_last_query() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        bar.begin()
        seen: list[str] = []
        for key in ("up", "up", "up", "up", "down", "down", "down", "down"):
            await pressed(pilot, key)
            seen.append(bar.text)

    newest, redis, vite = reversed(EARLIER)
    assert seen == [newest, redis, vite, vite, redis, newest, "", ""]
    assert len(app.told(QueryBar.Moved)) == 1


async def test_typing_leaves_the_earlier_queries() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        bar.begin()
        await pressed(pilot, "up")
        await typed(bar, pilot, "x")
        await pressed(pilot, "up")

    assert [one.rows for one in app.told(QueryBar.Moved)] == [-1]


async def test_earlier_queries_are_searched() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        await typed(bar, pilot, "edis")
        await pressed(pilot, "ctrl+r")
        assert [row.strip() for row in app.shown()[1:3]] == [
            "↶ tag:redis strength<.2",
            "↶ redis",
        ]

        await pressed(pilot, "ctrl+r", "enter")
        assert bar.text == "redis"


async def test_pasted_lines_are_joined() -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(80, 12) as pilot:
        bar.begin()
        await pilot.pause()
        app.post_message(events.Paste("redis\r\n  timeouts\n\n in\x1b[2J prod\n"))
        await pilot.pause()

        assert bar.text == "redis timeouts in␛[2J prod"
        assert [one.text for one in app.told(QueryBar.Asked)] == [bar.text]


@pytest.mark.parametrize("text", TEXTS)
async def test_no_text_in_the_bar_does_harm(text: str) -> None:
    bar = a_bar()
    app = Host(bar)
    bar.know(values={"type": [(text, 1)]}, saved={text: text}, earlier=[text])
    async with app.at(80, 12) as pilot:
        bar.text = text
        bar.begin()
        await pressed(pilot, "ctrl+r")
        assert unfit(app.shown()) == set()

        bar.text = ""
        await pressed(pilot, "tab")
        assert unfit(app.shown()) == set()
        assert len(app.shown()[0]) <= 80


@pytest.mark.parametrize("size", [*SIZES, (40, 12)])
async def test_any_size_works(size: tuple[int, int]) -> None:
    bar = a_bar()
    app = Host(bar)
    async with app.at(*size) as pilot:
        await typed(bar, pilot, "redis type:")
        bar.tell(Counted(45, 313, 0.0012))
        await pressed(pilot, "tab")

        assert max(map(len, app.shown())) <= size[0]


@pytest.mark.parametrize("theme", TEXTUAL_THEMES)
async def test_the_bar_is_drawn_in_every_theme_and_in_ascii(theme: str) -> None:
    bar = a_bar()
    app = Host(bar, theme=theme)
    async with app.at(80, 12) as pilot:
        bar.tell(Counted(5000, 90_000, 0.001, is_cut=True))
        bar.palette = palette_of(theme, is_ascii=True)
        bar.begin()
        await pressed(pilot, "tab")

        assert app.shown()[0].endswith(" >=5000 - 1 ms")
        assert "".join(app.shown()).isascii()


async def test_without_colours_nothing_has_one() -> None:
    bar = a_bar()
    app = Host(bar, theme="none")
    async with app.at(80, 12) as pilot:
        bar.palette = palette_of("none", is_ascii=False)
        await typed(bar, pilot, "redis type:fxi -x tool:")
        line = bar.query_one(QueryInput).render_line(0)
        colours = {segment.style.color for segment in line if segment.style}

        assert {colour.name for colour in colours if colour} <= {"default"}
