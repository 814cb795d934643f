"""The list of memories shows what fits its width, whatever its content."""

from collections.abc import Sequence

import pytest

from store.kinds.memories import Memory
from tests.widgets.hostile import SIZES, TEXTS, assert_fit
from tests.widgets.one import OneApp
from tests.widgets.records import NOW, a_memory
from widgets.memory_table import IMPORTANCE, STRENGTH, MemoryTable
from widgets.rows import Held
from widgets.sheet import Sheet
from widgets.table import Sorting

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
        title="Pinned nightly timer in foundryvtt",
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
━ Memories ━ title ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ links  imp ▼strength seen
✓● SOL Fixed Redis connection timeouts                  3→3  0.8  ━━━━━━━╸   5h
 ● PRB ⚠ Redis connection drops under load              1→2  0.8  ━━━━━╸──   2d
 ◆ FIX Pinned nightly timer in foundryvtt                 –  0.8  ━━━━━━━━  46d
   COR What the user prefers, at length                 3→3 high            28d"""

AT_40 = """\
━ Memories ━ title ━ imp ▼strength seen
✓● SOL Fixed Redis…  0.8  ━━━━━━━╸   5h
 ● PRB ⚠ Redis con…  0.8  ━━━━━╸──   2d
 ◆ FIX Pinned nigh…  0.8  ━━━━━━━━  46d
   COR What the us… high            28d"""

AT_20 = """\
━ Memories ━ title
✓● Fixed Redis con…
 ● ⚠ Redis connect…
 ◆ Pinned nightly …
   What the user p…"""

AT_120 = """\
━ Memories ━ title ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ tags ━━━━━━━━━━━━\
━━━━━━━ links  imp strength ▼ ━ score used seen
✓● solution  Fixed Redis connection timeouts           redis timeout    \
          3→3  0.8 ━━━━━━━━━━━╸  2.86    7   5h
 ● problem   ⚠ Redis connection drops under load       redis timeout    \
          1→2  0.8 ━━━━━━━━────  0.60    7   2d
 ◆ fix       Pinned nightly timer in foundryvtt        redis timeout    \
            –  0.8 ━━━━━━━━━━━━   pin    7  46d
   core      What the user prefers, at length          redis timeout    \
          3→3 high                     12k  28d"""


def table(memories: Sequence[Memory], label: str = "") -> tuple[MemoryTable, OneApp]:
    shown = MemoryTable(Sheet())
    shown.label = label
    shown.be_at(NOW)
    shown.sorting = Sorting("strength")
    shown.lines.set_rows(Held(memories, key=lambda memory: memory.ref))
    return shown, OneApp(shown.lines.sheet)


@pytest.mark.parametrize(
    ("width", "expected"), [(20, AT_20), (40, AT_40), (80, AT_80), (120, AT_120)]
)
async def test_columns_follow_the_width(width: int, expected: str) -> None:
    shown, app = table(MEMORIES, "Memories")
    async with app.at(width, 5) as pilot:
        shown.lines.marks.toggle()
        await pilot.pause()

        assert "\n".join(app.shown()) == expected


@pytest.mark.parametrize(
    ("modified", "shown"),
    [
        ("2026-02-27T12:00:00Z", "~2d"),
        ("2025-10-01T00:00:00Z", "151d"),
        (None, "3→3"),
    ],
)
async def test_the_time_of_a_file_is_marked(modified: str | None, shown: str) -> None:
    memory = a_memory(accessed=None, updated=None, created=None, modified=modified)
    held, app = table([memory])
    async with app.at(80, 3) as pilot:
        held.hide({STRENGTH, IMPORTANCE})
        await pilot.pause()

        assert app.shown()[1].split()[-1] == shown


@pytest.mark.parametrize(
    ("modified", "shown"),
    [("2026-02-27T12:00:00Z", "~2d"), ("2026-02-01T12:00:00Z", "28d"), (None, "28d")],
)
async def test_the_age_is_that_of_the_order(modified: str | None, shown: str) -> None:
    written = "2026-02-01T10:00:00Z"
    memory = a_memory(accessed=None, updated=None, created=written, modified=modified)
    held, app = table([memory])
    held.sorting = Sorting("updated", is_ascending=False)
    async with app.at(80, 3):
        assert app.shown()[1].split()[-1] == shown


async def test_empty_columns_take_no_room_from_titles() -> None:
    shown, app = table(MEMORIES)
    async with app.at(120, 5) as pilot:
        shown.hide({STRENGTH, IMPORTANCE})
        await pilot.pause()
        assert app.shown()[0].replace("━", " ").split() == [
            "type",
            "title",
            "tags",
            "links",
            "used",
            "seen",
        ]
        assert app.shown()[1].split()[-3:] == ["3→3", "7", "5h"]

        shown.hide(())
        await pilot.pause()
        assert "strength" in app.shown()[0]
        assert MEMORIES[0].title in app.shown()[1]


async def test_hits_are_highlighted() -> None:
    shown, app = table(MEMORIES)
    shown.hits = lambda memory: (
        [(memory.title.index("Redis"),) * 2] if False else [(6, 11)]
    )
    async with app.at(80, 5):
        styles = {s.text: s.style for s in shown.lines.sheet.render_line(1) if s.style}

        assert styles["Redis"].bold
        assert styles["Redis"].underline
        assert not styles["Fixed "].underline


async def test_hits_beside_hidden_characters_are_in_the_right_place() -> None:
    title = "\x1b[31mRedis\u202e up"
    shown, app = table([a_memory(title=title)])
    shown.hits = lambda _: [(5, 10)]
    async with app.at(80, 3):
        found = [
            s.text
            for s in shown.lines.sheet.render_line(1)
            if s.style and s.style.underline
        ]

        assert found == ["Redis"]
        assert "␛[31mRedis⟨U+202E⟩ up" in app.shown()[1]


async def test_a_click_on_a_column_title_sorts_by_it() -> None:
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
            shown.lines.marks.toggle()
            await pilot.pause()
            strips = [shown.lines.sheet.render_line(y) for y in range(size[1])]
            assert_fit(strips, shown.lines.sheet.text_width)
            assert not [s for s in strips if "cannot be drawn" in s.text]
