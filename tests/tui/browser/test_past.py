"""The history of a memory: versions, diffs, and the author of each line."""

import shutil
import subprocess
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from store.kinds.messages import Message
from tests.store.catalogue.stores import Shelf, note, write
from tests.store.formats.transcripts_stores import SLUG
from tests.store.provenance.sittings import PLACE, Sitting
from tests.tui.browser.stories.visit import Visit, visiting

GLAZE = note("glaze", "Cone six.\n  Fired slowly.")
COPPER = GLAZE.replace("six", "nine")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A memory that was written, edited, and changed by hand."""
    projects = tmp_path / "stores/claude/projects"
    write(projects, f"{SLUG}/memory/MEMORY.md", "- [glaze](glaze.md) — About it\n")
    write(projects, f"{SLUG}/memory/glaze.md", COPPER + "By hand.\n")
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.edit(f"{PLACE}/glaze.md", "six", "nine")
    sitting.put(projects)
    shelf = Shelf(tmp_path / "catalogue.db", tmp_path / "stores")
    shelf.sync()
    return shelf


@pytest.fixture
async def visit(shelf: Shelf) -> AsyncGenerator[Visit]:
    with shelf.opened() as library:
        async with visiting(library, (120, 36)) as visit:
            yield visit


@pytest.fixture
async def pair(shelf: Shelf) -> AsyncGenerator[Visit]:
    """The same, with another memory beside it."""
    folder = shelf.places[0] / "claude/projects" / SLUG / "memory"
    write(folder, "kiln.md", note("kiln", "Two shelves are bent."))
    shelf.sync()
    with shelf.opened() as library:
        async with visiting(library, (120, 36)) as visit:
            yield visit


def read(visit: Visit) -> str:
    return "\n".join(visit.pane("reader"))


async def test_versions_are_listed_and_link_to_their_changes(visit: Visit) -> None:
    visit.reader.to_tab("history")
    await visit.settle()
    told = [line.split() for line in visit.pane("reader")]
    rows = [words for words in told if "2026-03-01" in words]
    assert [words[2] for words in rows] == ["unknown", "call", "call"]
    assert [words[3] for words in rows[1:]] == ["Edit", "Write"]

    await visit.press("enter", "l", ")", "enter")
    assert "call: Edit" in visit.text
    assert "- Cone six." in visit.text
    assert "+ Cone nine." in visit.text

    await visit.press("enter")
    assert isinstance(visit.here, Message)
    assert visit.here.tools == ("Edit",)


async def test_a_narrow_terminal_shows_versions_by_day_and_tool(
    visit: Visit,
) -> None:
    await visit.press("enter")
    await visit.pilot.resize_terminal(40, 12)
    visit.reader.to_tab("history")
    await visit.settle()

    assert any(" 10:00 Write" in line for line in visit.text.split("\n"))


async def test_a_version_without_a_source_links_to_nothing(visit: Visit) -> None:
    visit.reader.to_tab("history")
    await visit.settle()
    await visit.press("enter", "l", "enter")
    assert "+ By hand." in visit.text
    assert "go to the message" not in visit.text

    await visit.press("enter")
    assert "+ By hand." not in visit.text


async def test_lines_are_shown_by_day_and_session_and_link_to_the_message(
    visit: Visit,
) -> None:
    visit.reader.to_tab("blame")
    await visit.settle()
    lines = visit.pane("reader")[1:]
    assert lines[0].startswith(" 2026-03-01 0b9c5b6e │ ---")
    assert " 2026-03-01 0b9c5b6e │ Cone nine." in lines
    assert " 2026-03-01 0b9c5b6e │   Fired slowly." in lines
    assert " origin unknown      │ By hand." in lines

    await visit.press("enter", "l", ")", "enter")
    assert isinstance(visit.here, Message)
    assert visit.here.tools == ("Edit",)


def answer(visit: Visit) -> str:
    """The first line of the tab."""
    return visit.pane("reader")[1].strip()


@pytest.mark.parametrize("tab", ["history", "blame", "related"])
async def test_a_tab_stays_while_other_records_are_read(pair: Visit, tab: str) -> None:
    pair.reader.to_tab(tab)
    await pair.settle()
    first = pair.here.ref
    for key in ("j", "k", "j"):
        assert answer(pair) not in {"", "…"}
        await pair.press(key)
        assert pair.reader.tab == tab
    assert pair.here.ref != first
    assert answer(pair) not in {"", "…"}


async def test_concurrent_requests_about_a_record_are_all_shown(pair: Visit) -> None:
    for tab in ("related", "blame"):
        pair.reader.to_tab(tab)
    await pair.settle()
    assert answer(pair) not in {"", "…"}
    pair.reader.to_tab("related")
    assert pair.browser.parts.reader.opened is not None
    assert pair.browser.parts.reader.opened.seen is not None
    assert pair.browser.parts.reader.opened.history is not None


async def test_with_little_room_authors_are_above(visit: Visit) -> None:
    await visit.pilot.resize_terminal(80, 24)
    visit.reader.to_tab("blame")
    await visit.pilot.resize_terminal(110, 36)
    await visit.settle()

    assert "Cone nine." in read(visit)


@pytest.mark.skipif(not shutil.which("git"), reason="git isn't installed")
async def test_commits_are_shown_with_their_authors(shelf: Shelf) -> None:
    memory = shelf.places[0] / "claude/projects" / SLUG / "memory"
    who = ("-c", "user.name=Mira", "-c", "user.email=mira@example.org")
    for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "By hand"]):
        command = ["git", "-C", str(memory), *words]
        subprocess.run(command, check=True, capture_output=True)  # noqa: ASYNC221  # nothing else goes on
    with shelf.opened() as library:
        async with visiting(library, (120, 36)) as visit:
            visit.reader.to_tab("history")
            await visit.settle()

            (commit,) = [line for line in visit.pane("reader") if "commit" in line]
    assert "By hand" in commit
    assert commit.endswith("Mira")


async def test_a_machine_without_git_says_so(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with shelf.opened() as library:
        async with visiting(library, (120, 36)) as visit:
            visit.reader.to_tab("history")
            await visit.settle()

            assert "git isn't installed" in read(visit)
