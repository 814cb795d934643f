"""Stories of changes and undo."""

import re
from pathlib import Path

from store.kinds.memories import Memory
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit
from tui.browser.session import ONLY_READ

ONE = "graph/fixes/one.md"


def root(visit: Visit) -> Path:
    """The store of the record at the cursor."""
    return Path(visit.here.store)


def text(visit: Visit, path: str = ONE) -> str:
    return (root(visit) / path).read_text(encoding="utf-8")


async def at(visit: Visit, number: int, store: str = "home") -> Memory:
    """Go to the memory with a number."""
    await visit.ask(f'"Memory {number}" store:{store}')
    record = visit.here
    assert isinstance(record, Memory)
    assert record.title == f"Memory {number}"
    return record


@story("pin", "undo", "redo", changes=True)
async def a_pin_is_taken_back_and_made_again(visit: Visit) -> None:
    await at(visit, 1)
    before = text(visit)

    await visit.press("p")
    assert "pinned “Memory 1”, moved to vault/ · u undo" in visit.status
    assert (root(visit) / "vault/one.md").exists()
    assert not (root(visit) / ONE).exists()
    record = visit.here
    assert isinstance(record, Memory)
    assert record.pinned

    await visit.press("u")
    assert "undone" in visit.status
    assert text(visit) == before

    await visit.press("ctrl+r")
    assert not (root(visit) / ONE).exists()


@story("tag", changes=True)
async def tags_come_and_go(visit: Visit) -> None:
    await at(visit, 3)
    await visit.press("t")
    await visit.type("+new other")
    await visit.press("enter")

    assert "tagged “Memory 3” +new +other" in visit.status
    record = visit.here
    assert isinstance(record, Memory)
    assert set(record.tags) == {"new", "other"}

    await visit.press("t")
    await visit.type("-other ne")
    assert "new tag" in visit.text
    await visit.press("enter")
    record = visit.here
    assert isinstance(record, Memory)
    assert set(record.tags) == {"new", "ne"}

    await visit.press("t")
    await visit.type("-gone")
    assert "No tag 'gone' to remove." in visit.text
    await visit.press("enter", "ctrl+u")
    await visit.type("-n")
    assert "new tag" not in visit.text
    await visit.press("down", "enter", "enter")
    record = visit.here
    assert isinstance(record, Memory)
    assert len(record.tags) == 1


@story("edit-fields", changes=True)
async def one_field_is_changed(visit: Visit) -> None:
    await at(visit, 3)
    await visit.press("E")
    await visit.type("importance")
    await visit.press("enter")
    assert "0.5" in visit.text
    await visit.press("7", "enter")
    assert "importance must be a number from 0 to 1." in visit.text
    assert "importance: 0.5" in text(visit, "graph/fixes/memory-3.md")
    await visit.press("backspace", "0", "full_stop", "9", "enter")

    assert "importance: 0.9" in text(visit, "graph/fixes/memory-3.md")


@story("edit", "done-writing", "answer-again", changes=True)
async def what_is_edited_is_shown_before_it_is_saved(visit: Visit) -> None:
    await at(visit, 3)
    # no editor can have the terminal here, so it is done on the screen
    await visit.press("e", *["down"] * 10)
    await visit.pilot.press(*"More.")
    await visit.press("ctrl+x")
    assert "save changes?" in visit.text
    assert "+ More." in visit.text

    await visit.press("e", *["down"] * 11, "end")
    await visit.pilot.press(*"Most.")
    await visit.press("ctrl+x", "enter")
    assert "edited “Memory 3” · u undo" in visit.status
    assert "More.Most." in text(visit, "graph/fixes/memory-3.md")


@story("delete", changes=True)
async def what_is_deleted_is_shown_and_confirmed_by_one_key(visit: Visit) -> None:
    await at(visit, 3)
    await visit.press("D")
    assert "delete graph/fixes/memory-3.md" in visit.text
    await visit.press("escape")
    assert (root(visit) / "graph/fixes/memory-3.md").exists()

    await visit.press("D", "enter")
    assert not (root(visit) / "graph/fixes/memory-3.md").exists()
    assert "deleted “Memory 3” · u undo" in visit.status


@story("archive", changes=True)
async def what_cannot_be_done_with_it_says_why(visit: Visit) -> None:
    await at(visit, 3)
    await visit.press("d")
    assert "archive" in visit.status


@story("relate", changes=True)
async def a_link_is_made_to_another(visit: Visit) -> None:
    await at(visit, 3)
    await visit.press("r")
    await visit.type("Memory 4")
    await visit.press("enter")
    assert "RELATED_TO" in visit.text
    await visit.type("RELATED_TO 0.9")
    await visit.press("enter")

    assert "linked" in visit.status
    assert "direction: outgoing" in text(visit, "graph/fixes/memory-3.md")
    assert "direction: incoming" in text(visit, "graph/fixes/memory-4.md")


@story("merge", "answer-yes", "answer-diff", changes=True)
async def two_become_one(visit: Visit) -> None:
    await visit.ask("store:home Memory")
    await visit.ask('"Memory 3"|"Memory 4" store:home')
    assert visit.table.count() == 2
    await visit.press("a", "m")
    await visit.type("Memory 4")
    await visit.press("enter")
    assert "continue" in visit.text
    await visit.press("enter")
    for back in ("v", "escape"):
        await visit.press("v")
        assert "graph/fixes/memory-3.md" in visit.text
        assert "esc go back" in visit.text
        await visit.press("w")
        assert "w does nothing here." in visit.status
        assert "lists all keys" not in visit.status, "nothing opens over what is open"
        assert visit.pane("hints")[0].split() == []
        await visit.press(back)
        assert "esc cancel" in visit.text
    await visit.press("v", "enter")

    assert "merged" in visit.status
    assert not (root(visit) / "graph/fixes/memory-3.md").exists()
    both = text(visit, "graph/fixes/memory-4.md")
    assert "Body 3." in both
    assert "Body 4." in both


@story("move-to-store", "copy-to-store", changes=True)
async def a_memory_goes_to_another_store(visit: Visit) -> None:
    await at(visit, 3)
    home = root(visit)
    for command, stays in (("Copy to another", True), ("Move to another", False)):
        await visit.ask('"Memory 3" store:home')
        await visit.press("colon")
        await visit.type(command)
        await visit.press("enter")
        await visit.press("enter")
        assert ("copied" if stays else "moved") in visit.status, visit.status
        assert (home / "graph/fixes/memory-3.md").exists() is stays
        if stays:
            await visit.press("u")


@story("change-log", changes=True)
async def any_change_can_be_taken_back(visit: Visit) -> None:
    await at(visit, 3)
    for tag in ("+one", "+two"):
        await visit.press("t")
        await visit.type(tag)
        await visit.press("enter")
    await visit.press("U")
    assert visit.text.count("tag") >= 2

    await visit.press("down", "enter")
    assert "A later change builds on it: tag “Memory 3”. Undo that" in visit.text
    assert "↵ undo" not in visit.text
    await visit.press("enter")
    assert "↵ undo" in visit.text
    await visit.press("enter")
    record = visit.here
    assert isinstance(record, Memory)
    assert record.tags == ("one",)


@story("allow-changes", changes=True)
async def nothing_is_changed_before_it_is_allowed(visit: Visit) -> None:
    await at(visit, 3)
    await visit.press("!")
    assert "Read-only." in visit.status
    assert visit.screen[0].endswith("read-only")
    assert "! allow edits" in visit.screen[-1]
    await visit.press("p")
    assert "! to allow edits" in visit.status
    await visit.press("!")
    assert "Edits allowed in home and work, also next time" in visit.status
    assert visit.screen[0].endswith("editing")
    assert "! allow edits" not in visit.screen[-1]
    await visit.press("p")
    assert "pinned" in visit.status

    await visit.press("4")
    await visit.ask("bowls")
    assert "! allow edits" not in visit.screen[-1]
    talks = visit.here.store
    assert visit.browser.parts.session.read_only(talks) == ONLY_READ


@story(
    "question-down",
    "question-up",
    "question-page-down",
    "question-page-up",
    changes=True,
)
async def a_plan_is_read_before_it_is_answered(visit: Visit) -> None:
    await at(visit, 3)
    before = text(visit, "graph/fixes/memory-3.md")
    await visit.press("m")
    await visit.type("Memory 4")
    await visit.press("enter")
    await visit.press("enter")
    await visit.press("enter")
    await visit.press("j", "k", "pagedown", "pageup")
    assert "delete graph/fixes/memory-4.md" in visit.text
    await visit.press("escape")
    assert text(visit, "graph/fixes/memory-3.md") == before


@story("answer-mine", "answer-theirs", "answer-both", changes=True)
async def who_wrote_meanwhile_loses_nothing(visit: Visit) -> None:
    await at(visit, 3)
    file = root(visit) / "graph/fixes/memory-3.md"
    for answer in ("1", "2", "3"):
        before = file.read_text(encoding="utf-8")
        if "unsaved draft" in visit.text:
            await visit.press("x")
        await visit.press("e")
        await visit.press(*["down"] * 9, "home")
        await visit.pilot.press(*f"Mine {answer}. ")
        theirs = re.sub(r"(Mine \d\. |)Body 3", f"Theirs {answer}. Body 3", before)
        file.write_text(theirs, encoding="utf-8")
        await visit.press("ctrl+x")
        assert "changed by another program" in visit.text
        await visit.press(answer)
        now = file.read_text(encoding="utf-8")
        match answer:
            case "1":
                assert "save changes?" in visit.text
                await visit.press("enter")
                assert "Mine 1. Body 3" in file.read_text(encoding="utf-8")
            case "2":
                assert "Kept theirs. Your text is saved as a draft" in visit.status
                assert now == theirs
                await visit.press("e")
                assert "Mine 2." in visit.text
                await visit.press("x", "escape")
            case _:
                assert "<<<<<<< mine" in visit.text
                assert "Mine 3." in visit.text
                assert "Theirs 3." in visit.text
                await visit.press("escape")


@story(
    "fix",
    "fix-all",
    "answer-allow",
    "ignore",
    "show-ignored",
    "unfold-problems",
    "fold-problems",
    changes=True,
)
async def a_problem_is_mended_or_ignored(visit: Visit) -> None:
    await at(visit, 1)
    edge = root(visit) / "graph/edges/one--SOLVES--two-000009.md"
    edge.unlink()
    day = root(visit) / "episodes/2026-02-27.md"
    entry = "\n## 10:30 - Done\n- **Memory:** [one](../graph/fixes/{}.md)\n"
    day.write_text("# 2026-02-27\n" + entry.format("gone") + entry.format("lost"))
    visit.browser.parts.session.library.sync()
    await visit.ask("")
    await visit.press("6")
    count = visit.table.count()
    assert count > 2

    await visit.ask("code:lost-link")
    assert visit.table.count() == 1
    await visit.press("l", "j")
    assert visit.table.count() == 3
    await visit.press("i")
    assert "Ignored until it changes: Broken link" in visit.status
    assert visit.table.count() == 1
    await visit.press("full_stop")
    assert visit.table.count() == 3
    await visit.press("h")
    assert visit.table.count() == 1
    await visit.ask("is:ignored")
    assert visit.table.count() == 1
    await visit.press("i")
    assert "Reported again" in visit.status
    await visit.press("full_stop")
    await visit.ask("")
    assert visit.table.count() == count

    await visit.ask("has:fix")
    await visit.press("x", "enter")
    assert "fixed" in visit.status
    await visit.press("u", "!", "X", "enter")
    assert "Read-only. Press ! to allow edits." in visit.text
    assert "! allow edits   v show diff   esc cancel" in visit.text
    await visit.press("!")
    assert "Read-only." not in visit.text
    await visit.press("enter")
    assert "fixed" in visit.status


@story("undo-everywhere", changes=True)
async def undo_covers_these_stores_or_all(visit: Visit) -> None:
    await at(visit, 1)
    await visit.press("p", "g", "s")
    await visit.type("work")
    await visit.press("enter")
    assert "↶" not in visit.status
    await visit.press("g", "u")
    assert "↶ 1 undo in all stores" in visit.status
    await visit.press("g", "u")
    assert "↶" not in visit.status
    assert "the open stores" in visit.status
