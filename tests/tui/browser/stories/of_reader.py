"""Stories of the reader."""

from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("follow-link", "back-to-list", size=(80, 24))
async def a_link_of_the_text_is_followed(visit: Visit) -> None:
    before = visit.here
    await visit.press("enter", "l")
    assert visit.scope == "links", "tags come after links"
    await visit.press("escape", "escape")
    await visit.press("enter", "left_square_bracket")
    await visit.press("right_square_bracket", "right_square_bracket", "l")
    assert visit.reader.link
    assert visit.here == before
    await visit.press("l")
    assert visit.here != before

    await visit.press("h")
    assert visit.scope == "episodes"
    await visit.press("H")
    assert visit.here == before


@story("next-section", "previous-section", size=(80, 24))
async def from_heading_to_heading(visit: Visit) -> None:
    await visit.press("7")
    await visit.ask("role:core")
    visit.browser.parts.lists.order.sort("text_bytes")
    await visit.settle()
    await visit.press("g", "g", "enter")
    before = visit.pane("reader")
    await visit.press("right_curly_bracket")
    assert visit.pane("reader") != before
    await visit.press("left_curly_bracket", "left_curly_bracket")
    assert visit.pane("reader")[1] == before[1]


@story("wrap", size=(80, 24))
async def long_lines_are_cut(visit: Visit) -> None:
    await visit.press("7")
    await visit.ask("role:core")
    await visit.press("enter", "right_curly_bracket")
    wrapped = visit.pane("reader")
    await visit.press("W")
    cut = visit.pane("reader")
    assert cut != wrapped
    assert cut[1] == wrapped[1], "one stays at the same line"
    assert any(line.endswith("…") for line in cut[2:])

    await visit.press("W")
    assert visit.pane("reader") == wrapped
