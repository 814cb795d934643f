"""Conversations that cannot be saved are reported."""

from tests.tui.browser.stories.vaulted import kept, went_to
from tests.tui.browser.stories.visit import visiting
from tests.tui.browser.stories.workbench import Workbench


async def test_an_unreadable_conversation_is_reported(workbench: Workbench) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        transcript = await went_to(visit, "bowls")
        transcript.with_suffix("").joinpath(*"abcdefghij").mkdir(parents=True)

        await visit.press("X", "enter")

        told = "Couldn't pin “Why do the bowls crack?”: parts can't be read"
        assert told in visit.status
        assert kept(visit) == []
