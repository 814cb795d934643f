"""`p` on a conversation protects it from clean-up, and releases it again."""

from tests.tui.browser.stories.vaulted import kept, told_of, went_to
from tests.tui.browser.stories.visit import visiting
from tests.tui.browser.stories.workbench import Workbench


async def test_a_conversation_is_pinned_and_unpinned(workbench: Workbench) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        transcript = await went_to(visit, "mugs")
        before = transcript.read_bytes()
        assert "pinned" not in told_of(visit, "glaze")

        await visit.press("p")
        assert "  pinned " in told_of(visit, "glaze")
        assert "pinned “Which glaze for the mugs?”" in visit.status
        assert kept(visit) == ["second"]
        assert transcript.read_bytes() == before

        await visit.press("p")
        assert "unpinned “Which glaze for the mugs?”" in visit.status
        assert kept(visit) == []
        assert "pinned" not in told_of(visit, "glaze")


async def test_the_last_copy_is_released_only_after_a_confirmation(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        transcript = await went_to(visit, "mugs")
        await visit.press("p")
        transcript.unlink()

        await visit.press("p")
        assert "this is the only copy" in visit.text
        await visit.press("escape")
        assert kept(visit) == ["second"]
        await visit.press("p", "enter")
        assert kept(visit) == ["second"]

        await visit.press("p", "x")
        assert kept(visit) == []


async def test_all_marked_conversations_are_pinned_at_once(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await visit.press("4", "a", "p")
        assert "pinned 2 conversations · 2 left out" in visit.status
        assert sorted(kept(visit)) == ["first", "second"]


async def test_a_pinned_conversation_is_undone_and_redone_like_any_change(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await went_to(visit, "mugs")
        await visit.press("p")
        assert (
            "pinned “Which glaze for the mugs?” in your vault · u undo" in visit.status
        )

        await visit.press("u")
        assert "undone: pin “Which glaze for the mugs?” · ^r redo" in visit.status
        assert kept(visit) == []

        await visit.press("ctrl+r")
        assert "redone: pin “Which glaze for the mugs?” · u undo" in visit.status
        assert kept(visit) == ["second"]

        await visit.press("p")
        assert kept(visit) == []
        await visit.press("u")
        assert kept(visit) == ["second"]
