"""Stories of recalls, statuses, rebuilding and checks."""

import json
from pathlib import Path

from store.kinds.conversations import Conversation
from store.machine import Places
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


async def said(visit: Visit, name: str) -> None:
    """Run a command by its name."""
    await visit.press("colon")
    await visit.type(name)
    await visit.press("enter")


@story("touch", changes=True)
async def a_memory_counts_as_recalled(visit: Visit) -> None:
    await visit.ask('"Memory 3" store:home')
    state = Path(visit.here.store) / "_state.json"
    before = state.read_bytes() if state.exists() else None

    await said(visit, "Mark as recalled")
    assert "marked as recalled: “Memory 3” · u undo" in visit.status
    (entry,) = json.loads(state.read_text())["entries"].values()
    assert entry["access_count"] == 1

    await visit.press("u")
    assert (state.read_bytes() if state.exists() else None) == before


@story("rebuild", changes=True)
async def an_index_is_made_anew_once_it_was_seen(visit: Visit) -> None:
    await visit.ask('"Memory 3" store:home')
    index = Path(visit.here.store) / "_index.json"
    assert not index.exists()

    await said(visit, "rebuild")
    assert "notes-index" not in visit.text
    await visit.type("index home")
    await visit.press("enter")
    assert "_index.json" in visit.text
    assert not index.exists()
    await visit.press("enter")
    assert "rebuilt index · u undo" in visit.status
    assert "Memory 3" in index.read_text()

    await said(visit, "rebuild")
    await visit.type("index home")
    await visit.press("enter")
    assert "Nothing to change." in visit.status


@story("check-again", "check-fully", changes=True)
async def a_file_that_was_put_right_is_checked_again_and_then_all(
    visit: Visit,
) -> None:
    await visit.ask('"Memory 3" store:home')
    day = Path(visit.here.store) / "episodes/2026-02-27.md"
    day.parent.mkdir(exist_ok=True)
    day.write_text(
        "# 2026-02-27\n\n## 10:30 - Done\n- **Memory:** [a](../graph/a.md)\n"
    )
    visit.browser.parts.session.library.sync()
    await visit.ask("")
    await visit.press("6")
    await visit.ask("code:lost-link path:2026-02-27")
    assert visit.table.count() == 1

    day.write_text("# 2026-02-27\n")
    await said(visit, "Check again")
    assert "Checked 2026-02-27.md again." in visit.status
    assert visit.table.count() == 0

    await visit.ask("")
    await said(visit, "Check everything")
    problems = visit.browser.parts.session.library.lists.count("problems")
    assert f"Checked everything: {problems:,} problems." in visit.status


@story("transit", changes=True)
async def a_conversation_is_passed_on_where_its_owner_allows_that(
    visit: Visit,
) -> None:
    settings = Places.usual().config / "config.toml"
    await visit.press("4")
    await visit.ask("format:claudia status:active")
    await visit.press("P")
    assert "Couldn't do that" in visit.text
    assert (
        f"`writes = true` under [claudia] in {settings}"
        in visit.browser.parts.status.message
    )
    await visit.press("escape")

    settings.parent.mkdir(parents=True)
    settings.write_text("[claudia]\nwrites = true\n")
    await visit.press("P")
    assert "set status" in visit.text
    assert "archived" not in visit.text
    await visit.press("enter")
    assert "to queued · u undo" in visit.status
    await visit.ask("format:claudia status:queued")
    assert isinstance(visit.here, Conversation)

    await visit.press("u")
    await visit.ask("format:claudia status:active")
    assert isinstance(visit.here, Conversation)
