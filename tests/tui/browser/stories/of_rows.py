"""Stories of moving the cursor in a list."""

from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("down", "up")
async def a_row_down_and_up_again(visit: Visit) -> None:
    first = visit.here
    await visit.press("j", "down")
    assert visit.table.cursor == 2
    assert visit.titles[2][:20] in visit.pane("reader")[0]

    await visit.press("k", "up")
    assert visit.here == first
    await visit.press("k")
    assert visit.here == first


@story("top", "bottom")
async def to_the_ends_of_the_list(visit: Visit) -> None:
    await visit.press("G")
    assert visit.table.cursor == visit.table.count() - 1
    last = visit.here

    await visit.press("g", "g")
    assert visit.table.cursor == 0
    await visit.press("end")
    assert visit.here == last
    await visit.press("home")
    assert visit.table.cursor == 0


@story("page-down", "page-up", "half-page-down", "half-page-up")
async def by_what_is_in_view(visit: Visit) -> None:
    room = visit.table.sheet.room
    await visit.press("pagedown")
    assert visit.table.cursor == room - 1
    await visit.press("ctrl+f")
    assert visit.table.cursor == 2 * (room - 1)
    await visit.press("pageup", "pageup")
    assert visit.table.cursor == 0

    await visit.press("ctrl+d", "ctrl+d")
    assert visit.table.cursor == 2 * (room // 2)
    await visit.press("ctrl+u")
    assert visit.table.cursor == room // 2
