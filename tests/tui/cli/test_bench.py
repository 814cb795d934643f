import json
import os
import signal
from pathlib import Path

import pytest

from tests.tui.cli.machine import Machine


def test_each_figure_stands_beside_a_floor(machine: Machine) -> None:
    answer = machine.run("bench", "--memories", "60", "--megabytes", "1")

    assert (answer.code, answer.err) == (0, "")
    first, again, talk, catalogue, quiet, *memory, command = answer.out.splitlines()
    assert first.startswith("first sync of 120 files: ")
    assert again.startswith("sync of 120 files, none moved: ")
    assert talk.startswith("first sync of 1 MB of transcripts, ")
    assert catalogue.startswith("its catalogue: ")
    assert quiet.startswith("sync of 1 transcripts, none moved: ")
    assert all(line.startswith("memory of that first sync") for line in memory)
    assert command.startswith("recollect list, whole process, ")
    for line in answer.out.splitlines():
        assert " × " in line
        assert line.endswith((": met", ": missed"))


def test_figures_are_json_lines(machine: Machine) -> None:
    answer = machine.run("bench", "--memories", "20", "--megabytes", "1", "--json")

    for line in answer.out.splitlines():
        figure = json.loads(line)
        assert list(figure) == [
            "name",
            "value",
            "unit",
            "floor",
            "floor_value",
            "bound",
        ]
        assert figure["value"] > 0 < figure["floor_value"]
    assert len(answer.rows) in {6, 7}


@pytest.mark.parametrize("interrupted", [False, True])
def test_measuring_leaves_nothing_behind(
    machine: Machine, tmp_path: Path, *, interrupted: bool
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    size = "1000" if interrupted else "5"

    process = machine.start(
        "bench", "--memories", size, "--megabytes", "1", TMPDIR=str(temporary)
    )
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
