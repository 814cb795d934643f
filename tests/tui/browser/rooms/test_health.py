"""Health shows equal problems on one line: all that are counted can be shown."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from store.catalogue.checks import MOST
from store.formats.notes.format import FORMAT
from store.kinds.problems import Problem
from store.library import Page
from store.machine import Places
from store.search.parse import parse
from store.search.tree import EVERYTHING
from tests.store.formats.changed_stores import Changed
from tests.store.formats.notes_stores import write, write_untyped
from tests.tui.browser.stories.visit import Visit, visiting
from tui.browser.session import Kept
from widgets.problems import ProblemTable

MANY = MOST + 1
"""Problems of one kind that the index sums up in one row."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    """Very many notes without a type, and several broken links in the index."""
    root = tmp_path / ".claude/projects/-home-me-x/memory"
    write_untyped(root, MANY)
    listed = [f"- [Note](note-{number:04d}.md)\n" for number in range(MANY)]
    lost = [f"- [Lost](lost-{number}.md)\n" for number in range(3)]
    write(root / "MEMORY.md", "".join(["# Memory\n", *listed, *lost]))
    with Changed(root, FORMAT, tmp_path / "own") as store:
        yield store


@pytest.fixture
async def visit(store: Changed, tmp_path: Path) -> AsyncIterator[Visit]:
    places = Places(*(tmp_path / "own" / name for name in ("cache", "state", "config")))
    async with visiting(store.library, kept=Kept(places=places)) as visit:
        await visit.press("6")
        yield visit


def face(visit: Visit) -> ProblemTable:
    face = visit.table.face
    assert isinstance(face, ProblemTable)
    return face


async def test_the_numbers_of_all_lines_are_all_problems(visit: Visit) -> None:
    counted = visit.browser.parts.session.library.search.facets(
        "problems", EVERYTHING, ("severity",)
    )
    folding = face(visit).folding
    keys = [visit.table.key(row) for row in range(visit.table.count())]
    groups = [folding.group(key) for key in keys]

    assert sum(group.count if group else 1 for group in groups) == sum(
        count for _, count in counted["severity"]
    )
    assert max(group.count for group in groups if group) == MANY


async def test_unfolding_all_lines_shows_every_problem(visit: Visit) -> None:
    library = visit.browser.parts.session.library
    tree = parse("is:each", ["problems"], is_finished=True).tree
    each = library.lists.page("problems", Page(), query=tree)
    lines = [visit.table.key(row) for row in range(visit.table.count())]
    folding = face(visit).folding

    for line in lines:
        visit.table.to_key(line)
        await visit.press("l")
    keys = [visit.table.key(row) for row in range(visit.table.count())]
    rows = [key for key in keys if isinstance(key, int)]
    shown = library.lists.numbered("problems", rows).values()

    ids = sorted(one.id for one in shown if isinstance(one, Problem))
    assert ids == sorted(one.id for one in each if isinstance(one, Problem))
    assert {folding.above(key) for key in rows} <= {None, *lines}

    for line in lines:
        visit.table.to_key(line)
        await visit.press("l", "j", "h")
    assert [visit.table.key(row) for row in range(visit.table.count())] == lines


async def test_enter_unfolds_a_line_and_opens_a_problem(visit: Visit) -> None:
    await visit.ask("code:lost-link")
    assert visit.table.count() == 1
    assert "▸⚠   3 Broken links" in visit.text
    assert "l expand" in visit.pane("hints")[0]

    await visit.press("enter")
    assert visit.table.count() == 4
    assert "▾⚠   3 Broken links" in visit.text
    assert "“lost-1.md”: no such" in visit.text

    await visit.press("j")
    assert "l expand" not in visit.pane("hints")[0]
    await visit.press("enter")
    assert visit.scope == "reader"
    assert "Broken link “lost-0.md”" in visit.text

    await visit.press("escape", "h")
    assert visit.table.count() == 1
    await visit.press("h")
    assert "Nothing to fold here." in visit.status


async def test_a_line_is_ignored_as_a_whole(visit: Visit) -> None:
    await visit.ask("code:lost-link")
    await visit.press("i")
    assert "Ignored until they change: 3 × Broken links in MEMORY.md" in visit.status
    assert visit.table.count() == 0

    await visit.press("full_stop", "l", "j", "i")
    assert "Reported again: Broken link “lost-0.md”" in visit.status
    await visit.press("full_stop")
    assert visit.table.count() == 1
    assert "Broken link “lost-0.md”" in visit.text


async def test_all_problems_of_a_line_are_fixed_as_one_change(
    visit: Visit, store: Changed
) -> None:
    before = store.text("MEMORY.md")
    kept = visit.browser.parts.session.kept
    kept.permit(
        dict.fromkeys(visit.browser.parts.session.stores_on_screen, "a store"),
        changes=True,
    )
    await visit.ask("code:lost-link")
    await visit.press("x")
    assert "fix 3 problems" in visit.text
    await visit.press("enter")

    assert "fixed 3 problems · u undo" in visit.status
    assert "](lost-" not in store.text("MEMORY.md")
    await visit.press("u")
    assert store.text("MEMORY.md") == before
