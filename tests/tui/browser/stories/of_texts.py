"""Stories of writing: titles, drafts, backups, links, entries."""

from store.kinds.memories import Memory
from store.kinds.pages import Episode
from tests.tui.browser.stories.of_changes import at, root, text
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit

THREE = "graph/fixes/memory-3.md"


@story("rename", changes=True)
async def a_memory_is_called_otherwise(visit: Visit) -> None:
    await at(visit, 3)
    await visit.press("f2")
    assert "Memory 3" in visit.text
    await visit.press(*"b", "enter")

    record = visit.here
    assert isinstance(record, Memory)
    assert record.title == "Memory 3b"
    assert "renamed “Memory 3” · u undo" in visit.status


@story("drafts", "answer-drop", changes=True)
async def what_was_not_saved_is_there_again(visit: Visit) -> None:
    await at(visit, 3)
    await visit.press("O")
    assert "No unsaved drafts." in visit.status

    await visit.press("e", *["down"] * 10)
    await visit.pilot.press(*"Half")
    await visit.press("ctrl+x", "escape")
    assert "Your text is saved as a draft; press e to continue." in visit.status
    file = root(visit) / THREE
    file.write_text(text(visit, THREE).replace("0.5", "0.7"), encoding="utf-8")

    await visit.press("4", "O")
    assert "Memory 3" in visit.text
    await visit.press("enter")
    assert "only they changed it" in visit.text
    assert "mine    Half" in visit.text
    await visit.press("enter", "ctrl+x", "enter")
    now = file.read_text(encoding="utf-8")
    assert "importance: 0.7" in now
    assert "Half" in now

    await visit.press("1")
    await at(visit, 4)
    await visit.press("e", *["down"] * 10)
    await visit.pilot.press(*"No.")
    await visit.press("ctrl+x", "escape")
    await visit.press("e", "x", "ctrl+x")
    assert "No changes." in visit.status
    await visit.press("e", "ctrl+x")
    assert "No changes." in visit.status


@story("answer-revert", changes=True)
async def one_part_is_left_as_it_was(visit: Visit) -> None:
    await at(visit, 3)
    await visit.press("e", *["down"] * 3, "end", "left", "b")
    await visit.press(*["down"] * 6, "end")
    await visit.pilot.press(*"End")
    await visit.press("ctrl+x")
    assert '+ title: "Memory 3b"' in visit.text
    await visit.press("r")
    assert 'was: title: "Memory 3"' in visit.text
    await visit.press("enter")
    assert "Memory 3b" not in visit.text
    assert "+ Body 3.End" in visit.text
    await visit.press("enter")
    assert "edited" in visit.status
    assert 'title: "Memory 3"\n' in text(visit, THREE)
    assert "Body 3.End" in text(visit, THREE)


@story("backups", changes=True)
async def what_it_said_before_is_put_back(visit: Visit) -> None:
    await at(visit, 3)
    before = text(visit, THREE)
    await visit.press("B")
    assert "No backups of this memory yet." in visit.status

    await visit.press("t")
    await visit.type("+one")
    await visit.press("enter")
    assert "one" in text(visit, THREE)
    await visit.press("B")
    assert "before tag" in visit.text
    await visit.press("enter")
    await visit.press("enter")
    assert "restored the backup · u undo" in visit.status
    assert text(visit, THREE) == before


@story("new-memory", changes=True)
async def what_is_made_depends_on_where_one_looks(visit: Visit) -> None:
    await visit.press("A")
    await visit.type("home")
    await visit.press("enter")
    await visit.type("decision")
    await visit.press("enter")
    await visit.type("Use less")
    await visit.press("enter")
    record = visit.here
    assert isinstance(record, Memory)
    assert (record.title, record.type) == ("Use less", "decision")
    assert record.path.startswith("graph/decisions/use-less-")

    await visit.ask("")
    await visit.press("3", "A")
    await visit.type("home")
    await visit.press("enter")
    await visit.type("The kiln was late")
    await visit.press("enter")
    await visit.press("enter")
    assert "added · u undo" in visit.status
    entry = visit.here
    assert isinstance(entry, Episode)
    assert entry.title == "The kiln was late"
