"""Stories of history: who wrote a memory, how it changed, what is new."""

from store.kinds.conversations import Conversation
from store.kinds.memories import Memory
from store.kinds.messages import Message
from store.kinds.pages import Episode
from store.kinds.problems import Problem
from store.library import Library, Page
from tests.tui.browser.stories.of_transcript import BUSY, point_to, read
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit

WRITTEN = "path:errors-point"
"""A note that a sitting wrote."""


@story("to-writer", size=(120, 36))
async def to_the_message_that_wrote_it(visit: Visit) -> None:
    await visit.ask("path:guild-ids")
    await visit.press("g", "c")
    assert "No message is known to have written this." in visit.status

    await visit.ask(WRITTEN)
    memory = visit.here
    await visit.press("g", "c")
    message = visit.here
    assert isinstance(message, Message)
    assert "Write" in message.tools
    assert visit.scope == "transcript"
    pane = visit.browser.parts.transcript.pane
    assert pane is not None
    assert pane.text.entry is not None
    assert pane.text.entry.name == message.ref
    assert f"→ wrote FEE  {getattr(memory, 'title', '')}" in visit.text

    await visit.press("h")
    assert visit.query == f"conversation:{message.conversation}"
    assert visit.screen[1].startswith("/ in “")
    assert visit.table.count() > 1
    await visit.press("slash")
    assert visit.screen[1].startswith("/ conversation:conversation:")
    await visit.press("escape")

    await visit.press("H")
    assert visit.here == memory


@story("to-memories", size=(120, 36))
async def to_the_memories_of_a_message_and_of_a_conversation(visit: Visit) -> None:
    await visit.ask(WRITTEN)
    memory = visit.here
    await visit.press("g", "c", "g", "m")
    assert visit.here == memory

    await visit.press("4")
    await visit.ask(f"ref:{await visit.browser.parts.session.ask(_busiest)}")
    assert isinstance(visit.here, Conversation)
    await visit.press("g", "m")
    assert "related memories" in visit.text
    await visit.press("escape")

    pane = await read(visit, f"{BUSY} tool:Write has:errors")
    await visit.press("g", "m")
    assert "related memories" in visit.text
    await visit.press("escape")
    told = await point_to(visit, pane, "mark")
    await visit.press("g", "m")
    assert isinstance(visit.here, Memory)
    assert visit.here.title in told


@story("to-teller", size=(120, 36))
async def to_the_episode_that_tells_of_it(visit: Visit) -> None:
    await visit.ask(WRITTEN)
    await visit.press("g", "e")
    assert "No related episodes." in visit.status

    await visit.ask('"collation version mismatch"')
    await visit.press("g", "e")
    assert isinstance(visit.here, Episode)

    await visit.press("1")
    await visit.ask('"Quarterly restore drill"')
    await visit.press("g", "e")
    assert "related episodes" in visit.text
    await visit.press("enter")
    assert isinstance(visit.here, Episode)


@story("as-of", "since-then", "back-to-now", size=(120, 36))
async def as_of_a_day_and_back_to_now(visit: Visit) -> None:
    everything = visit.table.count()
    await _called(visit, "back to now")
    assert "You are viewing the present." in visit.text
    await visit.press("escape")

    await visit.press("at")
    await visit.type("2025-11-30")
    await visit.press("enter")
    assert "as of 2025-11-30 · read-only" in visit.text
    assert " new" in visit.text
    await visit.press("enter")
    assert visit.table.count() < everything
    assert "as of 2025-11-30 · read-only" in visit.screen[0]
    assert "since" in visit.status
    await visit.press("R")
    assert "You are viewing the past." in visit.status

    await _called(visit, "what is other since then")
    assert "Memories" in visit.text
    await visit.press("escape")

    await _called(visit, "back to now")
    assert visit.table.count() == everything
    assert "as of" not in visit.screen[0]


@story("what-is-new", size=(120, 36))
async def what_is_new_and_the_way_to_it(visit: Visit) -> None:
    everything = visit.table.count()
    await visit.press("g", "n")
    assert "what's new" in visit.text
    assert "all stores" in visit.text
    assert f"{everything} memories" in visit.text

    await visit.type("work")
    assert "work · first visit" in visit.text
    await visit.press("enter")
    assert visit.query.startswith("since:last store:")
    assert 0 < visit.table.count() < everything


@story("next-link", "previous-link", size=(120, 36))
async def from_link_to_link_of_a_text(visit: Visit) -> None:
    await visit.ask("path:guild-ids")
    await visit.press("enter", ")")
    assert "No links in this text." in visit.status

    await visit.press("h", "7")
    await visit.ask("role:core")
    visit.browser.parts.lists.order.sort("text_bytes")
    await visit.settle()
    await visit.press("g", "g")
    await visit.press("enter", ")")
    first = visit.reader.link
    await visit.press(")")
    assert visit.reader.link != first
    await visit.press("(")
    assert visit.reader.link == first


async def _called(visit: Visit, name: str) -> None:
    """Run a command that has no key."""
    await visit.press("colon")
    await visit.type(name)
    await visit.press("enter")


def _busiest(library: Library) -> str:
    """The conversation that wrote most memories."""
    talks = library.lists.page("conversations", Page())
    return max(
        (talk.ref or "" for talk in talks),
        key=lambda ref: sum(
            link.type == "wrote" for link in library.records.links(ref)
        ),
    )


@story("to-problems")
async def to_what_is_wrong_with_a_memory(visit: Visit) -> None:
    await visit.ask("is:vault")
    await visit.press("g", "h")
    assert "No known problems" in visit.status

    await visit.ask("is:broken")
    memory = visit.here
    await visit.press("g", "h")
    assert visit.browser.parts.lists.kind == "problems"
    assert isinstance(memory, Memory)
    assert isinstance(visit.here, Problem)
    assert (visit.here.store, visit.here.path) == (memory.store, memory.path)

    await visit.press("H")
    assert visit.here == memory


@story("pinned-memories")
async def to_what_is_pinned(visit: Visit) -> None:
    await visit.press("2", "g", "v")
    assert visit.browser.parts.lists.kind == "memories"
    assert visit.query == "is:vault"
    assert isinstance(visit.here, Memory)
    assert visit.here.pinned
