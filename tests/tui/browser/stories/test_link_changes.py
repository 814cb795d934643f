"""Changes that take more than a key: links, many stores, refusals, haste."""

from textual import events

from store.kinds.memories import Memory
from store.state import permit
from tests.store.catalogue.stores import memory, write
from tests.tui.browser.stories.of_changes import at, root, text
from tests.tui.browser.stories.visit import Visit, visiting
from tests.tui.browser.stories.workbench import Workbench

THREE = "graph/fixes/memory-3.md"


def _tags(visit: Visit) -> list[tuple[str, ...]]:
    """The tags of all listed records."""
    page = visit.table.rows.page(0, visit.table.count())
    return [record.tags for record in page if isinstance(record, Memory)]


async def test_a_link_is_changed_and_removed_in_the_links_pane(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, (120, 40), kept=workbench.kept) as visit:
        await at(visit, 1)
        (edge,) = (root(visit) / "graph/edges").glob("one--SOLVES--two*.md")
        await visit.press("l", "E")
        await visit.type("strength")
        await visit.press("enter")
        await visit.press("end", *["backspace"] * 4, "0", "full_stop", "2", "enter")
        assert "strength: 0.2" in edge.read_text(encoding="utf-8")

        await visit.press("l", "D")
        assert edge.name in visit.text
        await visit.press("enter")
        assert "deleted" in visit.status
        assert not edge.exists()
        assert "target" not in text(visit)


async def test_marks_in_several_stores_are_one_change(
    workbench: Workbench,
) -> None:
    broken = write(workbench.store, "graph/fixes/broken.md", "---\ntitle: [\n---\n")
    for number in range(10, 22):
        write(workbench.other, f"graph/fixes/m{number}.md", memory(number))
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await visit.press("a")
        await visit.ask("importance>0")
        await visit.press("t")
        await visit.type("+many")
        await visit.press("enter")
        assert "tag 18 records in 2 stores" in visit.text
        assert "Left out:" in visit.text
        await visit.press("enter")
        assert "left out · u undo" in visit.status
        assert _tags(visit) == [("many",)] * visit.table.count()
        assert visit.browser.parts.journal.undoable == 1
        assert "many" not in broken.read_text(encoding="utf-8")

        await visit.press("u")
        assert _tags(visit) == [()] * visit.table.count()


async def test_an_undo_is_refused_if_another_program_wrote_since(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await at(visit, 3)
        await visit.press("t")
        await visit.type("+one")
        await visit.press("enter")
        file = root(visit) / THREE
        theirs = file.read_text(encoding="utf-8").replace("0.5", "0.7")
        file.write_text(theirs, encoding="utf-8")

        await visit.press("u")
        assert "Couldn't do that" in visit.text
        assert "+ importance: 0.7" in visit.text
        await visit.press("enter")
        assert file.read_text(encoding="utf-8") == theirs


async def test_a_read_only_record_says_so_before_anything_is_typed(
    workbench: Workbench,
) -> None:
    kept = workbench.kept
    permit(workbench.places, str(workbench.store), changes=False)
    async with visiting(workbench.library, kept=kept) as visit:
        await at(visit, 3)
        for key in ("p", "e", "E", "t", "r", "m", "d", "D", "f2", "M"):
            await visit.press(key)
            assert "Read-only. Press ! to allow edits." in visit.status
            assert visit.scope == "memories"


async def test_keys_faster_than_fingers_are_ignored(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await at(visit, 3)
        file = root(visit) / THREE
        before = text(visit, THREE)
        for key in [*"jk" * 12, "d"]:
            visit.browser.post_message(events.Key(key, key))
        await visit.settle()
        assert "as fast as pasted text and were ignored" in visit.status
        assert text(visit, THREE) == before

        for key in ("D", "y"):
            visit.browser.post_message(events.Key(key, key))
        visit.browser.post_message(events.Key("enter", "\r"))
        await visit.settle()
        await visit.press("escape")
        assert file.exists()
