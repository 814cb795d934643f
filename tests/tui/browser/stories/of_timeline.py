"""Stories of the timeline of conversations."""

from typing import cast

from store.kinds.conversations import Conversation
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit
from widgets.timeline import Timeline


def timeline(visit: Visit) -> Timeline:
    """The list of the timeline."""
    assert isinstance(visit.table.face, Timeline)
    return visit.table.face


def begun(visit: Visit) -> str:
    """When the conversation at the cursor began."""
    assert isinstance(visit.here, Conversation)
    return visit.here.first or ""


@story("earlier-day", "later-day", "now")
async def from_day_to_day(visit: Visit) -> None:
    await visit.press("4")
    newest = begun(visit)
    assert newest[:10] == "2026-02-23"
    await visit.press("left_curly_bracket")
    before = begun(visit)
    assert before[:10] < newest[:10]
    assert f"{int(before[8:10])} Jan 2026" in "\n".join(
        visit.pane("list-conversations")
    )

    await visit.press("right_curly_bracket")
    assert begun(visit)[:10] == newest[:10]
    await visit.press("g", "g")
    assert begun(visit) < before
    await visit.press("g", "t")
    assert begun(visit) == newest


@story("go-to-day", size=(120, 36))
async def to_a_day_that_is_typed(visit: Visit) -> None:
    await visit.press("4", "g", "d")
    assert "go to date" in visit.text
    await visit.type("2025-11-08")
    assert "conversation" in visit.text
    await visit.press("enter")
    assert begun(visit)[:10] == "2025-11-08"

    await visit.press("g", "d")
    await visit.type("2025-11-12")
    await visit.press("enter")
    assert begun(visit)[:10] == "2025-11-09"


@story("unfold-agents", "fold-agents", size=(120, 36))
async def sub_agents_under_whoever_started_them(visit: Visit) -> None:
    await visit.press("4", "l")
    assert "No hidden sub-agents." in visit.status
    await visit.press("g", "g")
    for _ in range(visit.table.count()):
        if folded(visit):
            break
        await visit.press("j")
    before = timeline(visit).laid.lines
    await visit.press("l")
    assert timeline(visit).laid.lines > before

    await visit.press("j")
    assert cast("Conversation", visit.here).parent
    assert visit.here.ref
    assert "└ " in visit.pane("list-conversations")[visit_row(visit)]
    await visit.press("h")
    assert not cast("Conversation", visit.here).parent
    assert timeline(visit).laid.lines == before
    await visit.press("h")
    assert "No sub-agents to hide." in visit.status


@story("show-skipped")
async def what_is_done_with_is_listed_or_not(visit: Visit) -> None:
    await visit.press("4")
    everything = visit.table.count()
    await visit.press("full_stop")
    assert visit.table.count() == everything - 8
    assert "skipped" not in visit.status
    assert "archived" not in visit.status

    await visit.press("1")
    assert "archived" in visit.status
    await visit.press("4", "full_stop")
    assert visit.table.count() == everything


@story("activity-window")
async def what_went_on_lately_or_ever(visit: Visit) -> None:
    await visit.press("4")
    seen = [visit.pane("lists")[0].split()[0]]
    for _ in range(4):
        await visit.press("Z")
        seen.append(visit.pane("lists")[0].split()[0])
    assert seen == ["7d", "30d", "all", "24h", "7d"]


@story("quiet-scale")
async def quiet_takes_much_room_or_none(visit: Visit) -> None:
    await visit.press("4")
    here = visit.here
    lines = [timeline(visit).laid.lines]
    for told in ("log", "to scale", "none", "brief"):
        await visit.press("equals_sign")
        assert f"Gaps: {told}." in visit.status
        lines.append(timeline(visit).laid.lines)
    assert lines[0] < lines[3] < lines[1] < lines[2]
    assert lines[4] == lines[0]
    assert visit.here == here


@story("next-removal", size=(120, 36))
async def what_is_removed_next_and_what_is_not(visit: Visit) -> None:
    await visit.press("4")
    assert "2 expire within 7 days" in visit.pane("lists")[0]
    for days in ("expires in 4 d", "expires in 7 d", "expires in 50 d"):
        await visit.press("g", "x")
        facts = visit.pane("list-conversations")[visit_row(visit) + 1]
        assert facts.endswith(days)

    await visit.ask("format:claudia")
    await visit.press("g", "x")
    told = "Nothing here is due to be deleted."
    assert told in visit.status


def folded(visit: Visit) -> bool:
    """Whether sub-agents are folded away under the conversation at the cursor."""
    laid = timeline(visit).laid
    return bool(laid.items.kids[laid.item_of(visit.table.cursor)])


def visit_row(visit: Visit) -> int:
    """The current row of the list."""
    return visit.browser.cursor_position.y - visit.table.sheet.region.y
