"""The index of memories shows what its own width has room for, whatever is in it."""

from collections.abc import Sequence

import pytest

from store.records.memory import Memory
from tests.widgets.hostile import SIZES, TEXTS, assert_fit
from tests.widgets.one import OneApp
from tests.widgets.records import NOW, a_memory
from widgets.columns.memories import IMPORTANCE, STRENGTH, MemoryTable
from widgets.columns.table import Sorting
from widgets.lines.rows import Held

MEMORIES = (
    a_memory(),
    a_memory(
        ref="m:2",
        type="problem",
        title="Redis connection drops under load",
        strength=0.6,
        links_in=1,
        links_out=2,
        importance=0.75,
        accessed="2026-02-27T12:00:00Z",
        problems=("one-sided",),
    ),
    a_memory(
        ref="m:3",
        type="fix",
        title="Pinned systemd timer in foundryvtt",
        strength=999.0,
        stage="vault",
        pinned=True,
        links_in=0,
        links_out=0,
        accessed="2026-01-14",
    ),
    a_memory(
        ref="m:4",
        type="core",
        title="What the user prefers, at length",
        importance="high",
        strength=None,
        stage=None,
        accessed=None,
        access_count=12_345,
    ),
)

AT_80 = """\
   typ title                                              links i▼strength seen
✓● SOL Fixed Redis connection timeouts                      3→3 8 ━━━━━━━╸   5h
 ● PRB ⚠ Redis connection drops under load                  1→2 7 ━━━━━╸──   2d
 ◆ FIX Pinned systemd timer in foundryvtt                     · 8 ━━━━━━━━  46d
   COR What the user prefers, at length                     3→3 h           28d"""

AT_40 = """\
   typ title            i▼strength seen
✓● SOL Fixed Redis con… 8 ━━━━━━━╸   5h
 ● PRB ⚠ Redis connect… 7 ━━━━━╸──   2d
 ◆ FIX Pinned systemd … 8 ━━━━━━━━  46d
   COR What the user p… h           28d"""

AT_20 = """\
   title
✓● Fixed Redis con…
 ● ⚠ Redis connect…
 ◆ Pinned systemd …
   What the user p…"""

AT_120 = """\
   typ title                                              tags             \
        links i▼strength     score used seen
✓● SOL Fixed Redis connection timeouts                    redis timeout    \
          3→3 8 ━━━━━━━━━━━╸  2.86    7   5h
 ● PRB ⚠ Redis connection drops under load                redis timeout    \
          1→2 7 ━━━━━━━━────  0.60    7   2d
 ◆ FIX Pinned systemd timer in foundryvtt                 redis timeout    \
            · 8 ━━━━━━━━━━━━   pin    7  46d
   COR What the user prefers, at length                   redis timeout    \
          3→3 h                     12k  28d"""


def table(memories: Sequence[Memory]) -> tuple[MemoryTable, OneApp]:
    shown = MemoryTable()
    shown.now = NOW
    shown.sorting = Sorting("strength")
    shown.set_rows(Held(memories, key=lambda memory: memory.ref))
    return shown, OneApp(shown)


@pytest.mark.parametrize(
    ("width", "expected"), [(20, AT_20), (40, AT_40), (80, AT_80), (120, AT_120)]
)
async def test_its_columns_follow_its_width(width: int, expected: str) -> None:
    shown, app = table(MEMORIES)
    async with app.at(width, 5) as pilot:
        shown.mark()
        await pilot.pause()

        assert "\n".join(app.shown()) == expected


async def test_what_no_memory_has_takes_no_room_from_titles() -> None:
    shown, app = table(MEMORIES)
    async with app.at(120, 5) as pilot:
        shown.lacks = frozenset({STRENGTH, IMPORTANCE})
        await pilot.pause()
        assert app.shown()[0].split() == [
            "typ",
            "title",
            "tags",
            "links",
            "used",
            "seen",
        ]
        assert app.shown()[1].split()[-3:] == ["3→3", "7", "5h"]

        shown.lacks = frozenset()
        await pilot.pause()
        assert "strength" in app.shown()[0]
        assert MEMORIES[0].title in app.shown()[1]


async def test_what_was_found_stands_out() -> None:
    shown, app = table(MEMORIES)
    shown.hits = lambda memory: (
        [(memory.title.index("Redis"),) * 2] if False else [(6, 11)]
    )
    async with app.at(80, 5):
        styles = {s.text: s.style for s in shown.render_line(1) if s.style}

        assert styles["Redis"].bold
        assert styles["Redis"].underline
        assert not styles["Fixed "].underline


async def test_found_text_with_hidden_characters_is_still_where_it_is() -> None:
    title = "\x1b[31mRedis\u202e up"
    shown, app = table([a_memory(title=title)])
    shown.hits = lambda _: [(5, 10)]
    async with app.at(80, 3):
        found = [s.text for s in shown.render_line(1) if s.style and s.style.underline]

        assert found == ["Redis"]
        assert "␛[31mRedis⟨U+202E⟩ up" in app.shown()[1]


async def test_a_click_on_a_title_asks_for_another_order() -> None:
    _, app = table(MEMORIES)
    async with app.at(80, 5) as pilot:
        for x in (4, 20, 58, 65, 77, 0):
            await pilot.click(offset=(x, 0))
        asked = [asked.name for asked in app.told(MemoryTable.SortAsked)]

    assert asked == ["type", "title", "links_in", "strength", "accessed"]


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_hostile_gets_through(size: tuple[int, int]) -> None:
    memories = [
        a_memory(
            ref=str(number),
            title=text,
            type=text or None,
            tags=(text, text),
            stage=text or None,
            importance=text,
            accessed=text,
        )
        for number, text in enumerate(TEXTS)
    ]
    odd = float("nan"), float("inf"), -1.0, 1e308, 0.0
    memories += [a_memory(ref=repr(x), strength=x, importance=x) for x in odd]
    shown, app = table(memories)
    shown.hits = lambda _: [(0, 3), (2, 5), (100, 90), (-5, 10**9)]
    async with app.at(*size) as pilot:
        for _ in memories:
            shown.mark()
            await pilot.pause()
            strips = [shown.render_line(y) for y in range(size[1])]
            assert_fit(strips, shown.text_width)
            assert not [s for s in strips if "cannot be drawn" in s.text]
