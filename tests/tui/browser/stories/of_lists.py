"""Stories of commands of every list."""

from textual import events

from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("read", "leave", size=(80, 24))
async def a_record_on_the_whole_screen(visit: Visit) -> None:
    title = visit.titles[0]
    await visit.press("enter")
    assert visit.scope == "reader"
    assert len(visit.pane("reader")) == 20
    assert title[:25] in visit.pane("reader")[0]

    await visit.press("q")
    assert visit.scope == "memories"
    assert len(visit.pane("reader")) == 11
    for key in ("enter", "q"):
        visit.browser.post_message(events.Key(key, None))
    await visit.settle()
    assert visit.scope == "memories", "one leaves the reader, however fast one is"
    await visit.press("q")
    assert visit.browser.return_code == 0


@story("scroll-reader-down", "scroll-reader-up", size=(80, 24))
async def the_reader_scrolls_while_the_list_keeps_the_keys(visit: Visit) -> None:
    before = visit.pane("reader")
    await visit.press("J")
    scrolled = visit.pane("reader")
    assert scrolled[0][:40] == before[0][:40]
    assert scrolled[1:5] == before[2:6]
    assert visit.scope == "memories"

    await visit.press("K", "K", "K")
    assert visit.pane("reader") == before


@story("sort", "reverse")
async def another_order(visit: Visit) -> None:
    await visit.press("s")
    assert "sort by" in visit.text
    assert "▼ updated" in visit.text

    await visit.type("title")
    await visit.press("enter", "g", "g")
    ascending = visit.titles
    assert "title ▲" in visit.pane("list-memories")[0]
    assert [title.casefold() for title in ascending[:5]] == sorted(
        title.casefold() for title in ascending[:5]
    )

    await visit.press("S")
    opened = visit.browser.parts.reader.opened
    assert opened
    assert opened.record == visit.here, "though it lies far below"
    await visit.press("g", "g")
    assert "title ▼" in visit.pane("list-memories")[0]
    assert visit.titles[0] != ascending[0]
    await visit.press("s")
    await visit.type("title")
    await visit.press("enter", "g", "g")
    assert visit.titles == ascending


@story("mark", "mark-all", "invert-marks")
async def marks_one_by_one_and_all(visit: Visit) -> None:
    await visit.press("space", "space")
    assert [line[0] for line in visit.pane("list-memories")[1:4]] == ["✓", "✓", " "]
    assert "✓ 2" in visit.status

    await visit.press("tilde")
    assert f"✓ {visit.table.count() - 2}" in visit.status
    await visit.press("a")
    assert f"✓ {visit.table.count()}" in visit.status
    await visit.press("a")
    assert "✓" not in visit.status

    await visit.press("space", "escape")
    assert not visit.table.marks


@story("mark-range", "unmark-range")
async def marks_from_here_to_there(visit: Visit) -> None:
    await visit.press("v", "j", "j", "j", "v")
    assert "✓ 4" in visit.status

    await visit.press("V", "k", "V")
    assert "✓ 2" in visit.status
    await visit.press("j", "j", "j")
    assert "✓ 2" in visit.status
