"""Problems use the width for their text."""

import re
from collections.abc import Sequence

import pytest

from store.derive.statistics import Alike
from store.kinds.problems import Problem
from tests.project import ROOT
from tests.widgets.one import OneApp
from tui.browser.rooms.room import list_of
from widgets.problems import NAMES, ProblemTable, deletions, fix_of
from widgets.rows import Held, Key, Paged
from widgets.sheet import Sheet

_CODE = re.compile(
    r"(?:\bcode=|RowCheck\(|Flaw\(|Fault\(|\bflaw\(|_note\(|refused\([\w.]+, )\s*"
    r'"([a-z]+(?:-[a-z]+)+)"'
)


def a_problem(**changed: object) -> Problem:
    """A broken link."""
    fields: dict[str, object] = {
        "code": "dangling-link",
        "severity": "warning",
        "store": "/stores/kilnbook",
        "ref": None,
        "path": "docs/decisions/replace-the-queue-with-a-table.md",
        "line": 12,
        "message": "Broken link “proxmox_upgrade”: no such file.",
        "fix": "recollect health --fix dangling-link",
    }
    return Problem(**(fields | changed))  # pyright: ignore[reportArgumentType]  # fields of a test


PROBLEMS = (a_problem(), a_problem(severity="error", line=None, fix=None))

AT_80 = """\
━ Health ━ what ━━━━━━━━━━━━━━━━━━━━━━━━━━━ where ━━━━━━━━━━━━━━━ fix ━━━━━━━━━
  ⚠     Broken link “proxmox_upgrade”: no…  replace-the-queu…:12  x remove link
  ✗     Broken link “proxmox_upgrade”: no…  replace-the-queue-w…"""

AT_40 = """\
━ Health ━ what ━━━━━━ where ━━━━━━━━━━
  ⚠     Broken link …  replace-the-…:12
  ✗     Broken link …  replace-the-que…"""

FOLDED = """\
━ Health ━ what ━━━━━━━━━━━━━━━━━━━━━━━━━━━ where ━━━━━━━━━━━━━━━ fix ━━━━━━━━━
 ▸⚠   2 Broken links                        replace-the-queue-w…  x remove link"""

UNFOLDED = """\
━ Health ━ what ━━━━━━━━━━━━━━━━━━━━━━━━━━━ where ━━━━━━━━━━━━━━━ fix ━━━━━━━━━
 ▾⚠   2 Broken links                        replace-the-queue-w…  x remove link
        link “proxmox_upgrade”: no such file.                :12  x remove link
        link “cellar”: no such file.                         :31  x remove link"""


@pytest.mark.parametrize(("width", "expected"), [(80, AT_80), (40, AT_40)])
async def test_the_text_of_a_problem_takes_the_width(width: int, expected: str) -> None:
    table = list_of("problems")
    table.label = "Health"
    table.lines.set_rows(Held(PROBLEMS))
    app = OneApp(table.lines.sheet)
    async with app.at(width, 3):
        assert "\n".join(app.shown()) == expected


async def test_problems_of_one_kind_in_a_file_are_one_line_that_unfolds() -> None:
    other = a_problem(line=31, message="Broken link “cellar”: no such file.")
    records = {1: PROBLEMS[0], 2: other}
    alike = Alike(1, b"docs.md", "dangling-link", "warning")
    table = ProblemTable(Sheet())
    table.label = "Health"

    def show(keys: Sequence[Key]) -> None:
        rows: Paged[Problem] = Paged(keys)
        for at, key in enumerate(keys):
            row, *_ = table.keys.stands_for(key)
            assert isinstance(row, int)
            rows.bring(at, [table.keys.shown_as(key, records[row])])
        table.lines.set_rows(rows)

    show(table.keys.take([1, 2], {1: (alike, 1), 2: (alike, 1)}))
    app = OneApp(table.lines.sheet)
    async with app.at(80, 4) as pilot:
        assert "\n".join(app.shown()).rstrip() == FOLDED
        table.folding.unfold(alike, (1, 2))
        show(table.folding.lines)
        await pilot.pause()
        assert "\n".join(app.shown()) == UNFOLDED


def test_a_mark_on_a_line_is_on_each_of_its_problems() -> None:
    alike = Alike(1, b"docs.md", "dangling-link", "warning")
    other = Alike(1, b"docs.md", "stale-title", "warning")
    table = ProblemTable(Sheet())
    keys = table.keys.take([7, 5, 9], {7: (alike, 1), 5: (other, 1), 9: (alike, 1)})
    table.lines.set_rows(Paged(keys))

    assert keys == [alike, 5]
    table.lines.marks.toggle_key(alike)
    assert set(table.lines.marks) == {7, 9}
    assert table.lines.marks.holds(alike)
    table.lines.marks.invert()
    assert set(table.lines.marks) == {5}
    table.lines.marks.toggle_key(alike)
    table.lines.marks.toggle_key(alike)
    assert set(table.lines.marks) == {5}


def test_every_kind_of_problem_has_a_name() -> None:
    """The codes are the literals beside `code=`, or passed to what makes a flaw."""
    found = {
        code
        for path in (ROOT / "store").rglob("*.py")
        for code in _CODE.findall(path.read_text(encoding="utf-8"))
    }
    assert len(found) > 60
    assert sorted(found - NAMES.keys()) == [], "name them in widgets/problems.py"


def test_fixes_that_delete_say_so() -> None:
    double = a_problem(code="duplicate-id", path="learnings.jsonl", message="Twice.")
    same = a_problem(code="duplicate-id", path="graph/fixes/a.md")

    assert [fix_of(one) for one in (double, same)] == [
        "delete older copy",
        "give new id",
    ]
    assert deletions([double, same, PROBLEMS[0]]) == [
        "Delete older copy: Twice.",
        "Remove link: Broken link “proxmox_upgrade”: no such file.",
    ]
