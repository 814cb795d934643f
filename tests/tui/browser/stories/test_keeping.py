"""`p` on a conversation keeps it from its agent's clean-up, and lets it go again."""

from tests.tui.browser.stories.vaulted import kept, told_of, went_to
from tests.tui.browser.stories.visit import visiting
from tests.tui.browser.stories.workbench import Workbench


async def test_a_conversation_is_kept_and_let_go(workbench: Workbench) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        transcript = await went_to(visit, "mugs")
        before = transcript.read_bytes()
        assert "kept" not in told_of(visit, "glaze")

        await visit.press("p")
        assert "  kept " in told_of(visit, "glaze")
        assert "kept “Which glaze for the mugs?” in the vault" in visit.status
        assert kept(visit) == ["second"]
        assert transcript.read_bytes() == before

        await visit.press("p")
        assert "let go of “Which glaze for the mugs?”" in visit.status
        assert kept(visit) == []
        assert "kept" not in told_of(visit, "glaze")


async def test_the_last_of_one_is_let_go_only_once_that_is_understood(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        transcript = await went_to(visit, "mugs")
        await visit.press("p")
        transcript.unlink()

        await visit.press("p")
        assert "the last of it" in visit.text
        await visit.press("escape")
        assert kept(visit) == ["second"]

        await visit.press("p", "enter")
        assert kept(visit) == []


async def test_all_that_is_marked_is_kept_at_once(workbench: Workbench) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await visit.press("4", "a", "p")
        assert "kept 2 conversations in the vault · 2 left out" in visit.status
        assert sorted(kept(visit)) == ["first", "second"]
