"""Stories of duplicates."""

from tests.store.catalogue.stores import memory, write
from tests.tui.browser.stories.of_changes import at, root, text
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit

THREE, FOUR = "graph/fixes/memory-3.md", "graph/fixes/memory-4.md"
SAID = "The kiln cools no faster than a hundred degrees an hour."


@story("dedupe", changes=True)
async def one_memory_is_made_of_two_that_say_the_same(visit: Visit) -> None:
    await at(visit, 3)
    await visit.press("&")
    assert "No duplicates found." in visit.status

    for number, path in ((3, THREE), (4, FOUR)):
        body = f"{SAID} Seen {number} times."
        write(root(visit), path, memory(number, body=body))
    visit.browser.parts.session.library.sync()
    before = text(visit, THREE)
    await visit.press("&")
    assert "2×" in visit.text
    assert "nearly identical: Memory 4" in visit.text
    await visit.press("enter")
    assert "keep which memory?" in visit.text
    assert THREE in visit.text
    await visit.press("enter", "enter")
    assert f"delete {FOUR}" in visit.text

    await visit.press("enter")
    assert "merged 1 other memory into “Memory 3” · u undo" in visit.status
    assert visit.titles[visit.table.cursor] == "Memory 3"
    assert not (root(visit) / FOUR).exists()
    assert text(visit, THREE).count(SAID) == 2
    await visit.press("u")
    assert text(visit, THREE) == before
    assert (root(visit) / FOUR).exists()
