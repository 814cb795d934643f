"""Moving in the graph: along a link, back, beyond."""

import pytest

from tests.widgets.graph.test_ego import ARROWS, CENTER, SHOWN, an_arrow
from tests.widgets.hostile import SIZES, TEXTS, assert_fit
from tests.widgets.one import OneApp
from widgets.graph import NOBODY, Arrow, Graph, Node
from widgets.sheet import Sheet


def opened(arrows: tuple[Arrow, ...] = ARROWS) -> tuple[Graph, OneApp]:
    graph = Graph(Sheet())
    graph.show(CENTER, arrows)
    return graph, OneApp(graph.lines.sheet)


async def test_a_graph_is_shown_with_the_cursor_on_the_first_link() -> None:
    graph, app = opened()
    async with app.at(60, 7):
        assert app.shown()[0].startswith("━ Links ━ 2 in · 2 out ━━")
        assert "\n".join(row[1:] for row in app.shown()[1:6]) == SHOWN
        assert graph.lines.at_cursor
        assert graph.lines.at_cursor.node.ref == "m:3"


async def test_mentions_are_counted_by_themselves_as_lists_do_not_count_them() -> None:
    mention = Arrow(kind="mentions", comes_in=True, other=NOBODY, is_mention=True)
    graph, app = opened((*ARROWS, mention))
    async with app.at(60, 7):
        assert app.shown()[0].startswith("━ Links ━ 2 in · 2 out · 1 mention ━━")
    graph.show(CENTER, (mention, mention))
    assert "0 in · 0 out · 2 mentions" in "".join(text for text, _ in graph.head(60))


async def test_a_link_can_be_followed_and_left_again() -> None:
    graph, app = opened()
    async with app.at(60, 7) as pilot:
        graph.lines.choose()
        graph.back()
        graph.lines.move(-1)
        graph.lines.choose()
        await pilot.pause()

        assert [message.ref for message in app.told(Graph.Followed)] == ["m:3"]
        assert len(app.told(Graph.WentBack)) == 1


async def test_nested_links_are_requested_shown_and_hidden() -> None:
    graph, app = opened()
    async with app.at(60, 9) as pilot:
        graph.toggle()
        await pilot.pause()
        assert [message.ref for message in app.told(Graph.BeyondAsked)] == ["m:3"]

        graph.grow("m:3", [an_arrow("CAUSES", "m:9", 0.5)])
        assert graph.lines.count() == 6
        assert graph.lines.at_cursor
        assert graph.lines.at_cursor.node.ref == "m:3"

        graph.toggle()
        assert graph.lines.count() == 5
        graph.lines.to_key(())
        graph.toggle()
        await pilot.pause()
        assert len(app.told(Graph.BeyondAsked)) == 1


async def test_all_links_of_a_hub_can_be_requested() -> None:
    hub = tuple(an_arrow("RELATED_TO", f"m:{n}", 0.5, comes_in=True) for n in range(9))
    graph, app = opened(hub)
    async with app.at(60, 9) as pilot:
        assert graph.lines.cursor == 5
        graph.lines.choose()
        await pilot.pause()

        asked = app.told(Graph.MoreAsked)
        assert [(one.kind, one.comes_in) for one in asked] == [("RELATED_TO", True)]


async def test_the_same_record_keeps_the_place_and_another_does_not() -> None:
    graph, app = opened()
    async with app.at(60, 9):
        graph.lines.to(0)
        graph.show(CENTER, ARROWS)
        assert graph.lines.cursor == 0

        graph.show(Node(ref="m:7", title="alone"), ())
        assert (graph.lines.cursor, app.shown()[1]) == (0, " ◉ alone")
        graph.show(NOBODY, ())
        assert "".join(app.shown()).rstrip("━") == "━ Links "


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_hostile_gets_through(size: tuple[int, int]) -> None:
    hostile = tuple(
        an_arrow(
            text, None if number % 2 else text, float(number), title=text, type=text
        )
        for number, text in enumerate(TEXTS)
    )
    graph, app = opened(hostile)
    async with app.at(*size) as pilot:
        for _ in hostile:
            graph.lines.move(1)
            await pilot.pause()
            strips = [graph.lines.sheet.render_line(y) for y in range(size[1])]
            assert_fit(strips, graph.lines.sheet.text_width)
            assert not [s for s in strips if "cannot be drawn" in s.text]
