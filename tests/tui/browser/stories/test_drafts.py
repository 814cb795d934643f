"""Several texts of one record that were not saved are there side by side."""

from tests.tui.browser.stories.of_changes import at, text
from tests.tui.browser.stories.visit import visiting
from tests.tui.browser.stories.workbench import Workbench

THREE = "graph/fixes/memory-3.md"


async def test_one_goes_on_with_any_of_them(workbench: Workbench) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        record = await at(visit, 3)
        was = text(visit, THREE).encode()
        stem = record.ref.replace(":", "-")[: len("memory-") + 8]
        for name, word in ((f"{stem}.md", b"Older"), (f"{stem}.2.md", b"Newer")):
            workbench.library.keep_draft(name, was + word + b"\n", was)
        workbench.library.keep_draft("memory.md", b"Not made yet")
        await visit.browser.count_changes()

        await visit.press("O")
        assert visit.text.count("Memory 3") >= 2
        assert "memory.md" in visit.text
        await visit.type("memory.md")
        await visit.press("enter")
        assert "recollect new --draft goes on with it" in visit.text
        await visit.press("escape", "e")
        assert "mine    Newer" in visit.text
        await visit.press("enter", "ctrl+x", "enter")
        assert text(visit, THREE).endswith("Newer\n")

        await visit.press("e")
        assert "Older" in visit.text
        await visit.press("escape")
        left = {one.name for one in workbench.library.unsaved()}
        assert left == {f"{stem}.md", "memory.md"}
