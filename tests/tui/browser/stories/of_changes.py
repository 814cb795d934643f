"""Stories of what is changed, and taken back again."""

import re
from pathlib import Path

from store.records.memory import Memory
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit

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
    assert "pinned “Memory 1” · u undo" in visit.status
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

    assert "tagged “Memory 3”" in visit.status
    record = visit.here
    assert isinstance(record, Memory)
    assert set(record.tags) == {"new", "other"}

    await visit.press("t")
    await visit.type("-other ne")
    assert "as it is typed" in visit.text
    await visit.press("enter")
    record = visit.here
    assert isinstance(record, Memory)
    assert set(record.tags) == {"new", "ne"}

    await visit.press("t")
    await visit.type("-n")
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
    await visit.press("backspace", "9")
    await visit.press("enter")

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
async def what_is_deleted_for_good_has_to_be_typed(visit: Visit) -> None:
    await at(visit, 3)
    await visit.press("D")
    assert "goes graph/fixes/memory-3.md" in visit.text
    await visit.type("delete")
    await visit.press("enter")
    assert "To delete for good, type delete 1." in visit.text

    await visit.press("space", "1", "enter")
    assert not (root(visit) / "graph/fixes/memory-3.md").exists()


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
    await visit.press("enter")
    await visit.press("0", "full_stop", "9", "enter")

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
    assert "go on" in visit.text
    await visit.press("enter")
    for back in ("v", "escape"):
        await visit.press("v")
        assert "graph/fixes/memory-3.md" in visit.text
        assert "esc go back" in visit.text
        await visit.press("w")
        assert "w does nothing here." in visit.status
        assert "tells every key" not in visit.status, "nothing opens over what is open"
        assert visit.pane("hints")[0].split() == ["esc", "close"]
        await visit.press(back)
        assert "esc leave it" in visit.text
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

    await visit.press("enter")
    assert "take it back" in visit.text
    await visit.press("enter")
    record = visit.here
    assert isinstance(record, Memory)
    assert record.tags == ("one",)


@story("allow-changes", changes=True)
async def nothing_is_changed_before_it_is_allowed(visit: Visit) -> None:
    await at(visit, 3)
    await visit.press("!")
    assert "Read-only." in visit.status
    assert visit.screen[0].endswith("RO")
    await visit.press("p")
    assert "! allows changes" in visit.status
    await visit.press("!")
    assert "Changes are allowed" in visit.status
    assert visit.screen[0].endswith("RW")
    await visit.press("p")
    assert "pinned" in visit.status


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
    assert "goes graph/fixes/memory-4.md" in visit.text
    await visit.press("escape")
    assert text(visit, "graph/fixes/memory-3.md") == before


@story("answer-mine", "answer-theirs", "answer-both", changes=True)
async def who_wrote_meanwhile_loses_nothing(visit: Visit) -> None:
    await at(visit, 3)
    file = root(visit) / "graph/fixes/memory-3.md"
    for answer, meant, expected in (("2", 6, 6), ("1", 7, 6), ("3", 8, 8)):
        before = file.read_text(encoding="utf-8")
        await visit.press("e", *["down"] * 10)
        await visit.pilot.press(*f"Mine {answer}.")
        theirs = re.sub(r"importance: 0\.\d", f"importance: 0.{meant}", before)
        file.write_text(theirs, encoding="utf-8")
        await visit.press("ctrl+x")
        assert "changed meanwhile" in visit.text
        await visit.press(answer)
        if answer == "3":
            await visit.press("ctrl+x")
        if answer != "2":
            assert "save changes?" in visit.text
            await visit.press("enter")
        now = file.read_text(encoding="utf-8")
        assert f"importance: 0.{expected}" in now
        assert (f"Mine {answer}." in now) is (answer != "2")


@story("fix", "fix-all", "ignore", "show-ignored", changes=True)
async def a_problem_is_mended_or_ignored(visit: Visit) -> None:
    await at(visit, 1)
    edge = root(visit) / "graph/edges/one--SOLVES--two-000009.md"
    edge.unlink()
    visit.browser.library.sync()
    await visit.ask("")
    await visit.press("6")
    count = visit.table.count()
    assert count

    await visit.press("i")
    assert visit.table.count() == count - 1
    await visit.press("full_stop")
    assert visit.table.count() == count
    await visit.press("g", "g", "i")
    assert "told again" in visit.status

    await visit.press("x", "enter")
    assert "mended" in visit.status
    await visit.press("u", "X", "enter")
    assert "mended" in visit.status


@story("review", "keep", "later", "back-in-review", "end-review", changes=True)
async def memories_are_gone_through(visit: Visit) -> None:
    await visit.press("g", "r")
    await visit.type("orphans")
    await visit.press("enter")
    assert "review" in visit.status
    assert "nothing is linked with it" in visit.status
    first = visit.here.ref

    await visit.press("full_stop")
    assert visit.here.ref != first
    await visit.press("b")
    assert visit.here.ref == first
    await visit.press("space")
    assert visit.here.ref != first
    await visit.press("p")
    await visit.press("escape")
    assert "1 kept, 1 changed" in visit.status

    await visit.press("g", "r")
    await visit.type("orphans")
    await visit.press("enter")
    assert visit.here.ref != first
