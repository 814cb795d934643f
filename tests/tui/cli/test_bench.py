import os
import signal
from dataclasses import dataclass
from pathlib import Path

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
    "a row added to a database of 600 entries, ",
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

ONCE = ("--memories", "60", "--megabytes", "1")


@dataclass
class Run:
    """What a run of the benchmarks prints and leaves behind."""

    lines: list[str]
    complaint: bytes
    code: int
    made: list[Path]
    """The temporary files when the first measure was printed."""
    left: list[Path]
    """The temporary files at the end."""


def run(folder: Path, *words: str, interrupts: bool = False) -> Run:
    """Run the benchmarks in a process, and perhaps interrupt the first measures."""
    temporary = folder / "temporary"
    temporary.mkdir()
    process = Machine(folder).start("bench", *words, TMPDIR=str(temporary))
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line.decode().rstrip())
        if lines[-1].endswith(JUDGED):
            break
    made = list(temporary.iterdir())
    if interrupts:
        os.killpg(process.pid, signal.SIGINT)
    rest, complaint = process.communicate()
    lines += rest.decode().splitlines()
    return Run(lines, complaint, process.returncode, made, list(temporary.iterdir()))


def test_each_measure_has_a_floor_and_nothing_is_left_behind(tmp_path: Path) -> None:
    whole = run(tmp_path, *ONCE)

    assert whole.made != []
    assert whole.left == []
    assert (whole.code, whole.complaint) == (0, b"")
    lines = whole.lines
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
    answer = machine.run("bench", *ONCE, "--json")

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


def test_interrupted_benchmarks_leave_nothing_behind(tmp_path: Path) -> None:
    words = ("--memories", "1000", "--megabytes", "1")
    ended = run(tmp_path, *words, interrupts=True)

    assert any(line.endswith(JUDGED) for line in ended.lines)
    assert ended.made != []
    assert ended.left == []
    assert (ended.code, ended.complaint) == (130, b"")
