"""What cannot be kept is not passed over in silence."""

from tests.tui.browser.stories.vaulted import kept, went_to
from tests.tui.browser.stories.visit import visiting
from tests.tui.browser.stories.workbench import Workbench


async def test_what_cannot_be_read_whole_is_told_of(workbench: Workbench) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        transcript = await went_to(visit, "bowls")
        transcript.with_suffix("").joinpath(*"abcdefghij").mkdir(parents=True)

        await visit.press("X", "enter")

        told = "“Why do the bowls crack?” cannot be read whole: not kept"
        assert told in visit.status
        assert kept(visit) == []
