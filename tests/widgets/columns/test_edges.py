"""The list of edges: both ends, kind, strength and flaws of a link."""

from collections.abc import Sequence

import pytest

from store.kinds.edges import Edge
from tests.widgets.hostile import SIZES, TEXTS, assert_fit
from tests.widgets.one import OneApp
from tests.widgets.records import an_edge
from widgets.memory_table import EdgeTable
from widgets.rows import Held
from widgets.sheet import Sheet

EDGES = (
    an_edge(),
    an_edge(ref="e:2", strength=0.5, type="RELATED_TO", sides=("outgoing",)),
    an_edge(ref="e:3", to=None, to_title="gone", strength=0.2, type="ALTERNATIVE_TO"),
    an_edge(ref="e:4", strength=None, type="link", problems=("one-sided",), sides=()),
)

AT_80 = """\
 from ━━━━━━━━━━━━━━━━━━━━ type ━━━━━━━━━━━ to ━━━━━━━━━━━━━━━━━━━━━━━━ str ━━━
 SOL Fixed Redis connecti… ━SOLVES━━━━━━━━▶ PRB Redis connection drop… 0.80 ✎
 SOL Fixed Redis connecti… ─RELATED_TO────▶ PRB Redis connection drop… 0.50
 SOL Fixed Redis connecti… ┄ALTERNATIVE_TO▶ ? gone                     0.20 ✎ ⚠
 SOL Fixed Redis connecti… ─link──────────▶ PRB Redis connection drop…        ⚠"""

AT_30 = """\
 from ━━━━━ type ━ to ━━━━━━━
 SOL Fixed… ━SOLV▶ PRB Redis…
 SOL Fixed… ─RELA▶ PRB Redis…
 SOL Fixed… ┄ALTE▶ ? gone
 SOL Fixed… ─link▶ PRB Redis…"""


def table(edges: Sequence[Edge]) -> tuple[EdgeTable, OneApp]:
    shown = EdgeTable(Sheet())
    shown.lines.set_rows(Held(edges, key=lambda edge: edge.ref))
    return shown, OneApp(shown.lines.sheet)


@pytest.mark.parametrize(("width", "expected"), [(80, AT_80), (30, AT_30)])
async def test_columns_follow_the_width(width: int, expected: str) -> None:
    _, app = table(EDGES)
    async with app.at(width, 5):
        assert "\n".join(app.shown()) == expected


async def test_with_room_the_reason_and_the_date_are_shown() -> None:
    _, app = table(EDGES)
    async with app.at(200, 5):
        assert "The keepalive fix resolves the idle disconnection" in app.shown()[1]
        assert app.shown()[1].endswith("2026-01-12")


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_hostile_gets_through(size: tuple[int, int]) -> None:
    edges = [
        an_edge(
            ref=str(number),
            type=text,
            from_title=text,
            to_title=text,
            to=None,
            context=text,
            created=text,
            strength=float(number),
        )
        for number, text in enumerate(TEXTS)
    ]
    shown, app = table(edges)
    shown.hits = lambda _: ([(0, 5)], [(3, 4)])
    async with app.at(*size) as pilot:
        for _ in edges:
            shown.lines.move(1)
            await pilot.pause()
            strips = [shown.lines.sheet.render_line(y) for y in range(size[1])]
            assert_fit(strips, shown.lines.sheet.text_width)
            assert not [s for s in strips if "cannot be drawn" in s.text]
