"""Stories of transcripts."""

import os
from pathlib import Path

from store.kinds.conversations import Conversation
from store.kinds.memories import Memory
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit
from tui.browser.transcript import TalkPane

BUSY = "Double booking traced"
"""The title of a conversation in which much happens."""


async def read(visit: Visit, query: str) -> TalkPane:
    """Read the conversation with the most messages that a query finds."""
    await visit.press("4")
    visit.browser.parts.lists.order.sort("messages")
    await visit.ask(query)
    await visit.press("g", "g", "enter")
    assert visit.scope == "transcript"
    return visit.browser.parts.transcript.talk


async def point_to(visit: Visit, pane: TalkPane, *kinds: str) -> str:
    """Move to the next part of some kind; returns its first line."""
    for _ in range(100):
        if pane.text.part is not None and pane.text.part.kind in kinds:
            break
        await visit.press("j")
    laid = pane.text.reading.part
    assert laid is not None
    return laid.line(0).text


def beginnings(visit: Visit) -> set[str]:
    """The beginnings of the transcript's lines."""
    return {line.lstrip("▌ ")[:1] for line in visit.pane("transcript")[1:]}


@story("unfold-part", "unfold-all", "leave-transcript")
async def what_is_folded_is_opened_and_closed(visit: Visit) -> None:
    pane = await read(visit, "tool:Bash")
    before = visit.pane("transcript")[1:]
    assert "▸" in beginnings(visit)
    await point_to(visit, pane, "call")
    folded = pane.text.sheet.content.height
    await visit.press("space")
    assert "▾" in beginnings(visit)
    assert pane.text.sheet.content.height > folded
    await visit.press("enter")
    assert pane.text.sheet.content.height == folded

    await visit.press("a", "g", "g")
    assert "▸" not in beginnings(visit)
    await visit.press("a", "g", "g")
    assert visit.pane("transcript")[1:] == before
    await visit.press("h")
    assert visit.scope == "timeline"


@story("next-prompt", "previous-prompt", "outline")
async def from_prompt_to_prompt(visit: Visit) -> None:
    pane = await read(visit, "prompts>3")
    first = pane.text.reading.spot.at
    await visit.press("right_curly_bracket")
    second = pane.text.reading.spot.at
    assert second > first
    await visit.press("right_curly_bracket", "left_curly_bracket")
    assert pane.text.reading.spot.at == second
    await visit.press("left_curly_bracket", "left_curly_bracket")
    assert pane.text.reading.spot.at == first

    await visit.press("g", "o")
    assert "prompts" in visit.text
    await visit.press("down", "enter")
    assert pane.text.reading.spot.at == second


@story("go-to-time")
async def to_what_was_said_at_a_time(visit: Visit) -> None:
    pane = await read(visit, BUSY)
    assert pane.skim is not None
    minutes = [moment // 60_000_000 for moment in pane.skim.micros]
    answer = pane.skim.of_kind("tool_result")[-1]
    for minute in (minutes[0], minutes[answer]):
        of_day = divmod(minute % 1440, 60)
        await visit.press("g", "t")
        assert "go to time" in visit.text
        await visit.type(f"{of_day[0]}:{of_day[1]:02d}")
        await visit.press("enter")
        assert pane.text.reading.spot.at == pane.skim.calls[minutes.index(minute)]
        assert pane.text.part is not None

    await visit.press("g", "t")
    await visit.type("nowhen")
    assert "No messages at that time." in visit.text


@story("show-kinds")
async def only_some_of_it(visit: Visit) -> None:
    pane = await read(visit, f"{BUSY} has:errors")
    everything = pane.text.sheet.content.height
    said = ""
    for choice, kinds in (("prompts", {"said"}), ("errors", {"failed"})):
        await visit.press("f")
        await visit.type(choice)
        await visit.press("enter")
        said = visit.status
        await visit.press("g", "g")
        assert 0 < pane.text.sheet.content.height < everything
        view = pane.text.view
        shown = {one.part.kind for row in view if row.laid for one in row.laid.parts}
        assert shown == kinds
    assert "Showing errors only." in said

    await visit.press("f")
    await visit.type("everything")
    await visit.press("enter", "g", "g")
    view = pane.text.view
    assert {"said", "call"} <= {
        one.part.kind for row in view if row.laid for one in row.laid.parts
    }


@story("next-conversation", "previous-conversation")
async def another_one_without_going_back(visit: Visit) -> None:
    pane = await read(visit, "tool:Bash")
    first = pane.talk
    await visit.press("J")
    assert visit.scope == "transcript"
    assert pane.talk is not None
    assert first is not None
    assert pane.talk.conversation != first.conversation
    assert pane.talk.conversation == visit.here
    await visit.press("K")
    assert pane.talk.conversation == first.conversation


@story("follow-part")
async def to_what_a_sub_agent_did_and_what_was_remembered(visit: Visit) -> None:
    pane = await read(visit, f"{BUSY} tool:Agent tool:Write")
    while "Agent" not in await point_to(visit, pane, "call"):
        await visit.press("j")
    await visit.press("l")
    agent = visit.here
    assert isinstance(agent, Conversation)
    assert agent.parent
    await visit.press("H")
    assert visit.here.ref == agent.parent

    pane = await read(visit, f"{BUSY} tool:Agent tool:Write")
    told = await point_to(visit, pane, "mark")
    await visit.press("l")
    memory = visit.here
    assert isinstance(memory, Memory)
    assert memory.title in told


@story("copy-code", "copy-resume")
async def what_is_worth_taking_elsewhere(visit: Visit) -> None:
    pane = await read(visit, f"{BUSY} tool:Bash")
    await visit.press("y", "c")
    assert "No code at the cursor." in visit.status
    told = await point_to(visit, pane, "call", "failed")
    while "Bash" not in told:
        await visit.press("j")
        told = await point_to(visit, pane, "call", "failed")
    await visit.press("y", "c")
    assert visit.copied
    assert visit.copied[:20] in told

    await visit.press("y", "r")
    conversation = visit.here
    assert isinstance(conversation, Conversation)
    assert visit.copied == (
        f"cd {conversation.cwd} && claude --resume {conversation.session}"
    )
    assert "Its folder no longer exists." in visit.status


@story("export")
async def a_file_of_ones_own(visit: Visit) -> None:
    pane = await read(visit, f"{BUSY} tool:Bash")
    assert pane.talk is not None
    folder = Path(os.environ["XDG_RUNTIME_DIR"])
    await visit.press("w")
    assert "export · Double booking" in visit.text
    await visit.press("ctrl+u")
    await visit.type(str(folder / "talk"))
    assert [line for line in visit.screen if "html" in line]
    await visit.press("enter")
    page = (folder / "talk.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {pane.talk.conversation.title[:10]}")
    assert "Exported to " in visit.status

    await visit.press("w", "ctrl+u")
    await visit.type(str(folder / "talk.md"))
    assert "will be overwritten" in visit.text
    await visit.press("ctrl+u")
    await visit.type(str(folder / "nowhere" / "talk.html"))
    assert "No such folder." in visit.text
