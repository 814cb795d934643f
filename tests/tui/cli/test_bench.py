import json
import os
import signal
from pathlib import Path

import pytest

from tests.tui.cli.machine import Machine


def test_each_figure_stands_beside_a_floor(machine: Machine) -> None:
    answer = machine.run("bench", "--memories", "60")

    assert (answer.code, answer.err) == (0, "")
    first, again, command = answer.out.splitlines()
    assert first.startswith("first sync of 120 files: ")
    assert again.startswith("sync of 120 files, none moved: ")
    assert command.startswith("recollect list, whole process, ")
    for line in (first, again, command):
        assert " × " in line
        assert line.endswith((": met", ": missed"))


def test_figures_are_json_lines(machine: Machine) -> None:
    answer = machine.run("bench", "--memories", "20", "--json")

    for line in answer.out.splitlines():
        figure = json.loads(line)
        assert list(figure) == ["name", "seconds", "floor", "floor_seconds", "bound"]
        assert figure["seconds"] > 0 < figure["floor_seconds"]
    assert len(answer.rows) == 3


@pytest.mark.parametrize("interrupted", [False, True])
def test_measuring_leaves_nothing_behind(
    machine: Machine, tmp_path: Path, *, interrupted: bool
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    size = "1000" if interrupted else "5"

    process = machine.start("bench", "--memories", size, TMPDIR=str(temporary))
    assert process.stdout is not None
    assert process.stdout.readline()
    made = list(temporary.iterdir())
    if interrupted:
        os.killpg(process.pid, signal.SIGINT)
    _, complaint = process.communicate()

    assert made != []
    assert list(temporary.iterdir()) == []
    assert complaint == b""
    assert process.returncode == (130 if interrupted else 0)
