"""A copied path or command does exactly what it says in a shell."""

import shlex

import pytest

from tests.store.catalogue.stores import memory, write
from tests.store.formats.transcripts_stores import SLUG, dumped, user
from tests.tui.browser.stories.test_rows_that_go_away import find, read
from tests.tui.browser.stories.visit import visiting
from tests.tui.browser.stories.workbench import Workbench
from tui.terminal.programs import replace_own

BEFORE = "what was copied before"


def mark(workbench: Workbench) -> None:
    """Write a text to the clipboard's file."""
    replace_own(workbench.folder.parent / "recollect-clip", BEFORE.encode())


@pytest.mark.parametrize("name", ["it's.md", "a $(touch b).md", "a;b&c.md", "plain.md"])
async def test_the_path_is_quoted_for_a_shell(workbench: Workbench, name: str) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        file = write(workbench.store, f"graph/fixes/{name}", memory(7, title="Odd"))
        read(workbench)
        await find(visit, '"Odd"')
        await visit.press("y", "p")

        assert shlex.split(visit.copied) == [str(file)]
        assert (visit.copied == str(file)) == (name == "plain.md")


@pytest.mark.parametrize("name", ["a\nrm -rf b.md", "a\x1b[2Jb.md", "a\rb.md"])
async def test_a_path_with_control_characters_is_refused(
    workbench: Workbench, name: str
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        write(workbench.store, f"graph/fixes/{name}", memory(7, title="Odd"))
        read(workbench)
        await find(visit, '"Odd"')
        mark(workbench)
        await visit.press("y", "p")

        assert "Not copied" in visit.status
        assert visit.copied == BEFORE


@pytest.mark.parametrize("folder", ["/home/a b", "/home/a\nrm -rf b"])
async def test_a_session_is_resumed_in_its_folder_or_not_at_all(
    workbench: Workbench, folder: str
) -> None:
    session = "0b9c5b6e-3a55-4f0c-9a53-6a3f5e0f7c11"
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        said = user("odd", "Odd question?", cwd=folder, sessionId=session)
        write(workbench.talks, f"{SLUG}/{session}.jsonl", dumped([said]))
        read(workbench)
        await visit.press("4")
        await visit.ask("Odd")
        mark(workbench)
        await visit.press("enter", "y", "r")

        if "\n" in folder:
            assert visit.copied == BEFORE
        else:
            words = ["cd", folder, "&&", "claude", "--resume", session]
            assert shlex.split(visit.copied) == words
