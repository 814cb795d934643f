"""The message of a change stays readable during the next keys."""

import pytest

from tests.tui.browser.stories.visit import visiting
from tests.tui.browser.stories.workbench import Workbench
from tui.browser import status as staying


async def test_a_message_stays_during_moves_and_until_the_next_one(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await visit.ask('"Memory 3"|"Memory 4" store:home')
        await visit.press("g", "g")
        title = visit.titles[0]
        await visit.press("p", "j", "k", "tab", "tab")
        assert f"pinned “{title}”, moved to vault/ · u undo" in visit.status

        await visit.press("y", "i")
        assert "pinned “" not in visit.status
        await visit.press("j")
        assert "pinned “" not in visit.status


async def test_a_message_does_not_follow_to_another_view(workbench: Workbench) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await visit.ask('"Memory 3" store:home')
        await visit.press("p", "2", "j")
        assert "pinned “" not in visit.status


async def test_a_message_disappears_after_a_while(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staying, "SECONDS", 0.001)
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await visit.ask('"Memory 3" store:home')
        await visit.press("p")
        await visit.until(lambda: "pinned “" not in visit.status)
        await visit.press("j")
        assert "pinned “" not in visit.status
        assert visit.browser.parts.journal.undoable == 1
