"""Reports in the browser: chosen, given parameters, sorted, filtered, exported."""

import json
from pathlib import Path

import pytest

from store.discover import beneath
from store.findings import Json
from store.formats.register import FORMATS
from store.kinds.journals import Event, Measure
from store.kinds.memories import Memory
from store.kinds.messages import Message
from store.library import Library, Page
from store.state import permit
from tests.store.catalogue.search.question import tree_of
from tests.store.catalogue.stores import write
from tests.tui.browser.stories.conftest import library as library  # noqa: PLC0414  # a fixture
from tests.tui.browser.stories.conftest import machine as machine  # noqa: PLC0414  # a fixture
from tests.tui.browser.stories.conftest import shelf as shelf  # noqa: PLC0414  # a fixture
from tests.tui.browser.stories.conftest import workbench as workbench  # noqa: PLC0414  # a fixture
from tests.tui.browser.stories.visit import Visit, visiting
from tests.tui.browser.stories.workbench import Workbench
from tui.browser.query import listed_by
from tui.browser.record import kind_of
from tui.browser.reports import answer_of, heading
from tui.commands.command import Scope


async def run(visit: Visit, name: str) -> None:
    """Choose a report."""
    await visit.press("g", "R")
    await visit.type(name)
    await visit.press("enter")


async def test_a_report_is_listed_with_the_stores_that_have_it_and_run(
    library: Library,
) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.press("g", "R")
        assert "every store" in visit.text
        assert "statistics" in visit.text
        await visit.type("errors-per-session")
        await visit.press("enter")
        assert visit.scope == Scope.REPORT
        assert "━ " in visit.screen[3]
        await visit.press("enter")
        assert visit.query.startswith("session:")
        assert isinstance(visit.here, Event)


async def test_a_required_parameter_is_asked_for_in_a_form(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await run(visit, "task-median")
        assert "a word from a task name" in visit.text
        await visit.press("enter")
        await visit.type("audit")
        await visit.press("enter", "enter")
        assert "median (s)" in visit.text
        assert "1260" in visit.text


async def test_a_report_without_rows_takes_every_key(library: Library) -> None:
    async with visiting(library, (80, 24)) as visit:
        await run(visit, "events-of-class")
        await visit.press("enter")
        await visit.type("no-such-class")
        await visit.press("enter", "enter")
        assert visit.scope == Scope.REPORT
        await visit.press("s", "S", "j", "G", "enter", "slash", "x", "escape")
        assert "0 rows" in visit.text


async def test_a_number_of_the_statistics_leads_to_what_it_counts(
    library: Library,
) -> None:
    async with visiting(library, (120, 36)) as visit:
        await run(visit, "statistics")
        assert "growth" in visit.text
        for fold in ("store:kei", "part:tool", "name:bash"):
            await visit.press("slash")
            await visit.type(fold)
            await visit.press("enter")
        assert visit.query.startswith("tool:Bash store:")
        assert {getattr(visit.here, "tool", "")} == {"Bash"}


async def test_stores_and_bars_have_room_at_80_columns(library: Library) -> None:
    async with visiting(library, (80, 24)) as visit:
        await run(visit, "statistics")
        await visit.press("e", "down", "enter")
        assert "records, new memories, new conv" in visit.text
        await visit.type("type importance")
        await visit.press("enter", "up", "enter")

        assert "statistics part=type part=importance" in visit.text
        await visit.press("enter", "enter")
        assert " · type ─" in visit.text
        drawn = [row for row in visit.screen[3:] if "━" in row]
        assert drawn
        assert all(row.strip("│ ").startswith("type ") for row in drawn)
        await visit.press("escape", "escape")
        assert "part=importance ─" in visit.text


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_the_forecast_names_each_memory(
    library: Library, size: tuple[int, int]
) -> None:
    async with visiting(library, size) as visit:
        await run(visit, "forecast")
        head, row = (line.strip("│▐ ").split() for line in visit.screen[2:4])
        assert [word for word in head if word[0].isalpha()][:5] == [
            *("date", "title", "stage", "strength", "then")
        ]
        at = row.index("→")
        title = " ".join(row[1 : at - 1]).rstrip("…")
        assert any(
            title and isinstance(one, Memory) and one.title.startswith(title)
            for one in library.lists.page("memories", Page())
        )
        assert all(len(number) == len("0.51") for number in row[at + 2 : at + 4])
        assert ("store" in head) == (size[0] > 80)

        await visit.press("slash")
        await visit.type("date:no-day")
        assert " 0 of " in visit.text


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("title", "title"),
        ("event_class", "event class"),
        ("median_s", "median (s)"),
        ("created_at", "created"),
        ("is_newest", "newest"),
        ("changes_on", "date"),
    ],
)
def test_headings_are_words(name: str, told: str) -> None:
    assert heading(name) == told


async def test_a_row_of_a_thread_leads_to_its_message(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await run(visit, "thread")
        await visit.press("enter")
        await visit.type("999f")
        await visit.press("enter", "enter")
        assert "musl" in visit.text
        assert "parent" not in visit.text
        await visit.press("enter")
        assert isinstance(visit.here, Message)
        assert "musl" in visit.here.text


def test_rows_of_every_format_lead_to_what_they_are_about(library: Library) -> None:
    told: dict[str, int] = {}
    for name, offered in library.reports.offered().items():
        if any(one.is_required for one in offered.report.parameters):
            continue
        for row in answer_of(library, offered, ()).rows[:20]:
            ref = library.reports.lead_of(row).ref
            if ref is not None:
                assert library.lists.number(kind_of(ref), ref) is not None
                told[name] = told.get(name, 0) + 1

    assert told.keys() >= {
        *("recent", "core", "validate", "duplicates", "conversations", "files"),
        *("import-check", "core-page", "token-outliers", "commands", "claims"),
    }


@pytest.mark.parametrize(
    ("row", "listed"),
    [
        ({"month": "2026-02"}, ("conversations", "month:2026-02")),
        ({"day": "2026-02-20"}, ("conversations", "on:2026-02-20")),
        ({"prefix": "audit", "tasks": 3}, ("measures", "name:audit")),
        (
            {"part": "tag pair", "name": "fix zfs", "value": 1},
            ("memories", "tag:fix tag:zfs"),
        ),
        ({"part": "type", "name": "none", "value": 1}, ("", "")),
        ({"part": "head", "text": "Date: 2026-02-20"}, ("", "")),
        (
            {"part": "new memories", "name": "2026-02", "value": 1},
            ("memories", "created:2026-02"),
        ),
        (
            {"part": "importance", "name": "0.2 – 0.3", "value": 1},
            ("memories", "importance>=0.2 importance<0.3"),
        ),
        (
            {"part": "importance", "name": "0.9 – 1.0", "value": 1},
            ("memories", "importance>=0.9"),
        ),
        (
            {"part": "importance", "name": "high", "value": 1},
            ("memories", "importance:high"),
        ),
        (
            {"part": "strength", "name": "below 0.05 (archived)", "value": 1},
            ("memories", "strength<0.05 -is:pinned"),
        ),
        (
            {"part": "links", "name": "21 or more", "value": 1},
            ("memories", "links>=21"),
        ),
        ({"part": "links", "name": "0", "value": 1}, ("memories", "links=0")),
        (
            {"part": "recalls", "name": "3 – 5", "value": 1},
            ("memories", "access_count>=3 access_count<=5"),
        ),
        (
            {"part": "last recalled", "name": "longer ago", "value": 1},
            ("memories", "accessed>=365d"),
        ),
        (
            {"part": "limits", "name": "CORE.md, characters", "value": 1},
            ("documents", "role:core"),
        ),
        (
            {"part": "limits", "name": "tasks, bytes", "value": 1},
            ("memories", "path:tasks.jsonl"),
        ),
        ({"cluster": 1, "titles": ["A", "B c"]}, ("memories", 'title:A,"B c"')),
        ({"bucket": "1 min"}, ("", "")),
    ],
)
def test_rows_that_count_records_list_them(
    row: dict[str, Json], listed: tuple[str, str]
) -> None:
    assert listed_by(row) == listed


def test_a_count_of_one_store_lists_the_records_of_that_store(
    library: Library,
) -> None:
    """Of agent-memory, archived ones are listed, but not counted."""
    counted: dict[str, Json] = {}
    listed: dict[str, Json] = {}
    for name in ("statistics", "clusters"):
        offered = library.reports.named(name)
        for row in answer_of(library, offered, ()).rows:
            kind, query = listed_by(row, offered.report.lists(row), is_one_of_many=True)
            is_other = kind in {"", "conversations", "messages", "documents"}
            if not is_other and not query.endswith('/agents/memories"'):
                counted[f"{kind} {query}"] = row.get("value", row.get("memories"))
                listed[f"{kind} {query}"] = library.lists.count(
                    kind, tree_of(query, kind)
                )

    assert len(counted) > 150
    assert listed == counted


@pytest.mark.parametrize(
    ("name", "words", "column", "rows"),
    [
        ("stats", (), "value", 18),
        ("index", (), "files", 48),
        ("limits", (), "memories", 3),
        ("merges", (), "merges", 1),
        ("session-durations", (), "count", 30),
        ("task-median", ("word=race",), "tasks", 1),
    ],
)
def test_a_sum_lists_the_records_that_it_counts(
    library: Library, name: str, words: tuple[str, ...], column: str, rows: int
) -> None:
    offered = library.reports.named(name)
    counted: list[Json] = []
    listed: list[Json] = []
    for row in answer_of(library, offered, words).rows:
        kind, query = listed_by(row, offered.report.lists(row), is_one_of_many=True)
        if kind:
            counted.append(row[column])
            listed.append(library.lists.count(kind, tree_of(query, kind)))

    assert len(listed) == rows
    assert listed == counted


def test_a_retrospective_lists_the_events_of_its_session(library: Library) -> None:
    (first, *_) = answer_of(
        library, library.reports.named("events-per-session"), ()
    ).rows
    offered = library.reports.named("retrospective")
    words = (f"session={first['session']}",)
    for row in answer_of(library, offered, words).rows:
        kind, query = listed_by(row, offered.report.lists(row), is_one_of_many=True)
        if row["what"] in {"events", "errors"}:
            assert library.lists.count(kind, tree_of(query, kind)) == row["value"]


async def test_a_document_is_exported_and_not_shown(
    library: Library, tmp_path: Path
) -> None:
    file = tmp_path / "all.json"
    async with visiting(library, (120, 36)) as visit:
        await run(visit, "document")
        await visit.press("ctrl+a", "ctrl+k")
        await visit.type(str(file))
        await visit.press("enter")
        assert "Exported to" in visit.status

    assert json.loads(file.read_text("utf-8").splitlines()[0])["learnings"]


async def test_rows_are_sorted_by_each_column_and_back(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await run(visit, "classes")
        await visit.press("s", "s")
        descending = rows(visit)
        await visit.press("S")
        ascending = rows(visit)

    counts = [int(row.split()[1]) for row in descending]
    assert counts == sorted(counts, reverse=True)
    assert [int(row.split()[1]) for row in ascending] == counts[::-1]


def rows(visit: Visit) -> list[str]:
    """The rows of the table on the screen."""
    inside = [line.strip("│▐ ") for line in visit.screen]
    return [line for line in inside if "█" in line or "▏" in line]


@pytest.mark.parametrize("suffix", ["csv", "json"])
async def test_the_answer_is_exported_by_the_name_of_the_file(
    library: Library, tmp_path: Path, suffix: str
) -> None:
    file = tmp_path / f"classes.{suffix}"
    async with visiting(library, (120, 36)) as visit:
        await run(visit, "classes")
        await visit.press("w", "ctrl+a", "ctrl+k")
        await visit.type(str(file))
        await visit.press("enter")
        assert visit.scope == Scope.REPORT
        await visit.press("escape")
        assert visit.scope != Scope.REPORT

    lines = file.read_text("utf-8").splitlines()
    if suffix == "csv":
        assert lines[0] == "store,event_class,count"
    else:
        assert list(json.loads(lines[0])) == ["store", "event_class", "count"]


async def test_a_claim_leads_to_its_line(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await run(visit, "claims")
        await visit.press("enter")
        assert isinstance(visit.here, Measure)
        assert visit.here.kind == "claim"


@pytest.mark.parametrize(
    ("kind", "typed", "file"),
    [
        ("episode", ["Glaze fired", "It held."], "episodes"),
        ("task", ["audit-glaze", "12"], "time-metrics/tasks.jsonl"),
        ("claim", ["40 pots", "REAL", "tasks.jsonl#1"], "time-metrics"),
    ],
)
async def test_logs_are_appended_to_from_the_list_of_reports(
    workbench: Workbench, kind: str, typed: list[str], file: str
) -> None:
    library, kept = workbench.library, workbench.kept
    kei = workbench.folder / "stores/kei/memory"
    write(kei, "time-metrics/tasks.jsonl", _TASK)
    permit(workbench.places, str(kei), changes=True)
    library.stores.choose(beneath([workbench.store, kei], FORMATS).stores)
    library.sync()
    within = (workbench.store if kind == "episode" else kei) / file
    before = _logs(within)
    async with visiting(library, (120, 36), kept=kept) as visit:
        await run(visit, f"append {kind}")
        for one in typed:
            await visit.type(one)
            await visit.press("enter")
        after = _logs(within)
        await visit.press("u")

    ((path, raw),) = after.items() - before.items()
    assert raw.startswith(before.get(path, b""))
    assert typed[0].encode() in raw
    assert _logs(within) == before


_TASK = '{"kind": "task", "name": "audit", "duration_s": 1}\n'


def _logs(within: Path) -> dict[Path, bytes]:
    """The content of a log, or of all in a folder."""
    found = (within, *within.rglob("*"))
    return {one: one.read_bytes() for one in found if one.is_file()}
