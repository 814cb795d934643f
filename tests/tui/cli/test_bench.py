import os
import signal
from pathlib import Path

import pytest

from tests.tui.cli.machine import Machine

NAMED = [
    "first sync of 120 files",
    "sync of 120 files, none changed",
    "first sync of ten times the memories",
    "a query over ten times the memories",
    "load: from nothing to the first page",
    "indexed query, ",
    "scanning query, ",
    "one more letter over 60 titles, ",
    "a page of what holds a part of a word",
    "an edit, planned, ",
    "an edit among ten times the memories",
    "add one of 60 lines, ",
    "change one of 60 lines, ",
    "delete one of 60 lines, ",
    "first sync of 3 files with 1 MB",
    "its catalogue",
    "sync of 3 files with 1 MB, none changed",
    "memory of that first sync",
    "a full-text answer over 1 MB, ",
    "recollect list, whole process, ",
    "recollect --version, whole process",
    "recollect search 'redis timeout', whole process, ",
]
"""What is measured; the memory where the system tells it."""

JUDGED = (": met", ": missed")

ONCE = ("bench", "--memories", "60", "--megabytes", "1")


def test_each_measure_has_a_floor(machine: Machine) -> None:
    answer = machine.run(*ONCE)

    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    figures = [line for line in lines if line.endswith(JUDGED)]
    named = [name for name in NAMED if any(f.startswith(name) for f in figures)]
    assert [name for name in NAMED if name not in named] in (
        [],
        ["memory of that first sync"],
    )
    assert [sum(f.startswith(name) for name in named) for f in figures] == [1] * len(
        figures
    )
    assert all(" × " in line for line in figures)
    first = lines.index(figures[0])
    assert lines[first : first + len(figures)] == figures
    assert lines[0] == "transcripts as generated:"


def test_a_table_shows_the_scores(machine: Machine) -> None:
    answer = machine.run("bench", "search")

    assert (answer.code, answer.err) == (0, "")
    title, heads, *rows, meaning = answer.out.splitlines()
    assert title.endswith(":")
    assert heads.split()[:2] == ["queries", "recollect"]
    assert len(rows) == 6
    assert meaning.startswith("each: ")


def test_measures_and_scores_are_one_json_document(machine: Machine) -> None:
    answer = machine.run(*ONCE, "--json")

    (document,) = answer.rows
    figures, scores = document["measures"], document["scores"]
    assert list(document) == ["measures", "scores"]
    assert scores != []
    assert len(figures) in {len(NAMED) - 1, len(NAMED)}
    for figure in figures:
        assert list(figure) == [
            "name",
            "value",
            "unit",
            "floor",
            "floor_value",
            "bound",
        ]
        assert figure["value"] > 0 < figure["floor_value"]
    for score in scores:
        assert list(score) == [
            "way",
            "finder",
            "queries",
            "reciprocal_rank",
            "recall",
        ]


@pytest.mark.parametrize("interrupted", [False, True])
def test_benchmarks_leave_nothing_behind(
    machine: Machine, tmp_path: Path, *, interrupted: bool
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    size = "1000" if interrupted else "5"

    process = machine.start(
        "bench", "--memories", size, "--megabytes", "1", TMPDIR=str(temporary)
    )
    assert process.stdout is not None
    printed = (line.decode().rstrip() for line in process.stdout)
    assert any(line.endswith(JUDGED) for line in printed)
    made = list(temporary.iterdir())
    if interrupted:
        os.killpg(process.pid, signal.SIGINT)
    _, complaint = process.communicate()

    assert made != []
    assert list(temporary.iterdir()) == []
    assert complaint == b""
    assert process.returncode == (130 if interrupted else 0)
