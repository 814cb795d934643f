"""Marks stay with their records while other programs write the store."""

from pathlib import Path

from store.kinds.edges import Edge
from store.kinds.memories import Memory
from tests.store.catalogue.stores import edge, memory, write
from tests.tui.browser.stories.visit import Visit, visiting
from tests.tui.browser.stories.workbench import Workbench


def read(workbench: Workbench) -> None:
    """Read the stores, as the browser's child would."""
    with workbench.library.beside() as library:
        library.sync()


async def look(visit: Visit, workbench: Workbench) -> None:
    """Read the stores again and show the result."""
    read(workbench)
    visit.browser.parts.lists.look()
    await visit.settle()


async def marked(visit: Visit, workbench: Workbench) -> set[object]:
    """The records that are marked."""
    rows = [row for row in visit.table.marks if isinstance(row, int)]
    found = workbench.library.lists.numbered(visit.browser.parts.lists.kind, rows)
    assert len(found) == len(rows)
    return set(found.values())


async def test_a_mark_stays_on_a_memory_that_another_program_writes(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await visit.ask('"Memory 3"')
        await visit.press("space")
        await visit.ask("")
        write(workbench.store, "graph/fixes/memory-3.md", memory(3, body="Other."))
        await look(visit, workbench)

        (record,) = await marked(visit, workbench)
        assert isinstance(record, Memory)
        assert record.title == "Memory 3"
        assert "✓ 1 marked" in visit.status


async def test_a_mark_is_removed_with_its_memory(workbench: Workbench) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await visit.ask("title:memory store:home")
        await visit.press("a")
        count = len(visit.table.marks)
        (workbench.store / "graph/fixes/memory-3.md").unlink()
        await look(visit, workbench)

        assert len(visit.table.marks) == count - 1
        assert f"✓ {count - 1} marked" in visit.status


async def test_marks_that_the_list_does_not_show_are_announced(
    workbench: Workbench,
) -> None:
    three = write(workbench.store, "graph/fixes/memory-3.md", memory(3))
    before = three.read_bytes()
    read(workbench)
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await visit.ask('"Memory 3"')
        await visit.press("space")
        assert "✓ 1 marked" in visit.status
        assert "not listed" not in visit.status
        await visit.ask('"Memory 4"')
        assert "✓ 1 marked, 1 not listed" in visit.status

        await visit.press("p")
        assert "1 marked record is not in this list; esc clears marks." in visit.text
        await visit.press("escape")
        assert three.read_bytes() == before

        await visit.press("D")
        assert "1 marked record is not in this list" in visit.text
        assert "delete “Memory 3” in home" in visit.text


async def test_a_mark_stays_on_its_link_while_others_are_removed(
    workbench: Workbench,
) -> None:
    def linked(number: int, start: int, end: int) -> Path:
        path = f"graph/edges/memory-{number}.md"
        return write(workbench.store, path, edge(number, start, end))

    assert workbench.library.lists.count("edges") == 1
    linked(30, 3, 4)
    linked(31, 4, 3)
    linked(32, 3, 2)
    read(workbench)
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await visit.press("2")
        while getattr(visit.here, "from_title", "") != "Memory 4":
            await visit.press("j")
        ref = visit.here.ref
        await visit.press("space")
        (workbench.store / "graph/edges/memory-30.md").unlink()
        await look(visit, workbench)

        (record,) = await marked(visit, workbench)
        assert isinstance(record, Edge)
        assert record.ref == ref
