"""Several unsaved texts of one record exist side by side."""

from tests.tui.browser.stories.of_changes import at, root, text
from tests.tui.browser.stories.visit import Visit, visiting
from tests.tui.browser.stories.workbench import Workbench

THREE = "graph/fixes/memory-3.md"


async def test_any_draft_can_be_continued(workbench: Workbench) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        record = await at(visit, 3)
        was = text(visit, THREE).encode()
        stem = record.ref.replace(":", "-")[: len("memory-") + 8]
        for name, word in ((f"{stem}.md", b"Older"), (f"{stem}.2.md", b"Newer")):
            workbench.library.journal.keep_draft(name, was + word + b"\n", was)
        workbench.library.journal.keep_draft("memory.md", b"Not made yet")
        await visit.browser.parts.journal.count()

        await visit.press("O")
        assert visit.text.count("Memory 3") >= 2
        assert "memory.md" in visit.text
        await visit.type("memory.md")
        await visit.press("enter")
        assert "recollect new --draft to continue" in visit.text
        await visit.press("escape", "e")
        assert "mine    Newer" in visit.text
        await visit.press("enter", "ctrl+x", "enter")
        assert text(visit, THREE).endswith("Newer\n")

        await visit.press("e")
        assert "Older" in visit.text
        await visit.press("escape")
        left = {one.name for one in workbench.library.journal.drafts()}
        assert left == {f"{stem}.md", "memory.md"}


async def test_a_draft_names_the_store_that_is_not_open(workbench: Workbench) -> None:
    workbench.library.journal.keep_draft(
        "memory-0123abcd.md", b"Half", title="Night shift", store="/elsewhere/notes"
    )
    async with visiting(workbench.library, (100, 24), kept=workbench.kept) as visit:
        assert "draft" not in visit.status

        await visit.press("O")
        assert "Night shift" in visit.text
        await visit.press("enter")
        assert "Its store is not open: /elsewhere/notes" in visit.text


def written_over(visit: Visit, old: str, new: str) -> str:
    """Another program changes the file while it is being edited."""
    file = root(visit) / THREE
    theirs = file.read_text(encoding="utf-8").replace(old, new)
    file.write_text(theirs, encoding="utf-8")
    return theirs


def unsaved(workbench: Workbench) -> list[str]:
    return [one.raw.decode() for one in workbench.library.journal.drafts()]


async def test_enter_in_a_conflict_discards_nothing_typed(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await at(visit, 3)
        await visit.press("e", *["down"] * 9)
        await visit.pilot.press(*"Mine. ")
        theirs = written_over(visit, "Body 3", "Theirs 3")
        await visit.press("ctrl+x")
        assert "changed by another program" in visit.text
        assert "saved as a draft" in visit.text

        await visit.press("enter")

        assert "Mine. Body 3." in visit.text
        assert "Theirs 3." in visit.text
        assert text(visit, THREE) == theirs
        assert any("Mine. Body 3." in one for one in unsaved(workbench))
        await visit.press("escape")
        assert "press e to continue" in visit.status
        assert any("Mine. Body 3." in one for one in unsaved(workbench))


async def test_text_left_by_escape_is_kept(workbench: Workbench) -> None:
    """The same if another program's version was kept."""
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await at(visit, 3)
        before = text(visit, THREE)
        await visit.press("e", *["down"] * 9)
        await visit.pilot.press(*"Half a")
        await visit.press("escape")
        assert "Your text is saved as a draft" in visit.status
        assert text(visit, THREE) == before
        (draft,) = unsaved(workbench)
        assert "Half a" in draft

        await visit.press("e", "enter")
        written_over(visit, "Body 3", "Theirs 3")
        await visit.press("ctrl+x")
        assert "changed by another program" in visit.text
        await visit.press("2")
        assert "Kept theirs" in visit.status
        assert unsaved(workbench) == [draft]

        await at(visit, 2)
        await visit.press("e", "escape")
        assert unsaved(workbench) == [draft]
        assert "No changes." in visit.status


async def test_changes_of_different_fields_are_not_a_conflict(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, (100, 40), kept=workbench.kept) as visit:
        await at(visit, 3)
        title, importance = 'title: "Memory 3"', "importance: 0.5"
        assert f"{title}\n{importance}" in text(visit, THREE)
        await visit.press("e", *["down"] * 3, "end", "left")
        await visit.pilot.press(*" b")
        written_over(visit, importance, "importance: 0.9")
        await visit.press("ctrl+x")

        assert "save changes?" in visit.text
        assert "The text has both changes" in visit.text
        await visit.press("enter")

        assert 'title: "Memory 3 b"\nimportance: 0.9' in text(visit, THREE)
        assert unsaved(workbench) == []


async def test_conflict_markers_are_saved_only_if_confirmed(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, (100, 40), kept=workbench.kept) as visit:
        await at(visit, 3)
        await visit.press("e", *["down"] * 9)
        await visit.pilot.press(*"Mine. ")
        theirs = written_over(visit, "Body 3", "Theirs 3")
        await visit.press("ctrl+x", "enter", "ctrl+x")
        assert "conflict markers (lines " in visit.text

        await visit.press("enter")
        assert "<<<<<<< mine" in visit.text
        assert text(visit, THREE) == theirs

        await visit.press("ctrl+x", "1")
        assert "<<<<<<< mine" in text(visit, THREE)
