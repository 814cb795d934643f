"""Broken pipes, interrupts, and progress of a sync."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from tests.bench.stores import make_store
from tests.project import ROOT
from tests.tui.cli.machine import Machine
from tui.terminal.streams import noted_output

MEMORIES = 4000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that takes a while to read, in several processes."""
    folder = tmp_path_factory.mktemp("large")
    make_store(folder, MEMORIES)
    return folder


@pytest.mark.parametrize("lines", [0, 1])
@pytest.mark.parametrize("command", ["list memories", "list edges --json", "stores"])
def test_a_pipe_that_is_closed_early_is_no_error(
    machine: Machine, samples: Path, command: str, lines: int
) -> None:
    process = machine.start(*command.split(), "-s", samples)
    assert process.stdout is not None
    assert process.stderr is not None

    for _ in range(lines):
        assert process.stdout.readline().endswith(b"\n")
    process.stdout.close()

    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


@pytest.mark.parametrize("closed", ["0", "2", "02"])
def test_closed_streams_are_not_missed(
    machine: Machine, samples: Path, closed: str
) -> None:
    shut = "; ".join(f"os.close({number})" for number in closed)
    script = f"import os; {shut}; os.execv(sys.executable, [sys.executable, *words])"
    words = ["-m", "tui.start", "list", "memories", "-s", str(samples)]

    answer = subprocess.run(
        [sys.executable, "-c", f"import sys; words = {words}; {script}"],
        env=machine.variables(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode == 0
    assert answer.stdout.startswith("memory:")


def test_an_interrupted_sync_leaves_no_trace_and_resumes(
    machine: Machine, large: Path
) -> None:
    with machine.terminal("sync", "--events", "-s", large) as terminal:
        begun = terminal.until(b"\n")
        os.killpg(terminal.process.pid, signal.SIGINT)
        rest = terminal.rest()
        code = terminal.process.wait()

    assert json.loads(begun.splitlines()[0])["event"] == "progress"
    assert code == 130
    assert b"Traceback" not in rest
    assert not machine.state.exists()
    (report,) = machine.run("sync", "--json", "-s", large).rows
    assert 0 < report["changed"] < report["files"]
    listed = machine.run("list", "memories", "--no-sync", "-s", large).out
    assert listed.count("\n") == MEMORIES


def test_an_interrupted_progress_bar_restores_the_cursor(
    machine: Machine, large: Path
) -> None:
    with machine.terminal("sync", "-s", large) as terminal:
        shown = terminal.until(b"reading")
        os.killpg(terminal.process.pid, signal.SIGINT)
        shown += terminal.rest()

        assert terminal.process.wait() == 130
    assert b"\x1b[?25l" not in shown


def test_events_show_the_progress_and_then_the_result(
    machine: Machine, large: Path
) -> None:
    *events, done = machine.run("sync", "--events", "-s", large).rows

    assert [event["event"] for event in events] == ["progress"] * len(events)
    assert {tuple(event) for event in events} == {("event", "done", "total")}
    steps = [event["done"] for event in events]
    assert steps == sorted(set(steps))
    assert steps[-1] == events[-1]["total"] == 2 * MEMORIES
    assert (done["event"], done["changed"]) == ("done", 2 * MEMORIES)


def test_a_quick_sync_draws_no_bar(machine: Machine, samples: Path) -> None:
    machine.run("sync", "-s", samples)
    answer = machine.in_terminal("sync", "-s", samples)

    assert answer.code == 0
    assert answer.out.count("\r\n") == 1
    assert "\x1b" not in answer.out


def slow_sync(machine: Machine, samples: Path, term: str, seconds: float) -> str:
    """The output of a sync that waits for another one."""
    machine.cache.mkdir(parents=True)
    with (
        FileLock(machine.cache / "catalogue.db.lock") as other,
        machine.terminal("sync", "-s", samples, term=term) as terminal,
    ):
        while not (machine.cache / "catalogue.db").exists():
            assert terminal.is_quiet(0.01)
        assert terminal.is_quiet(seconds)
        other.release()
        shown = terminal.rest().decode()
        assert terminal.process.wait() == 0
        return shown


def test_a_slow_sync_draws_a_bar_and_removes_it(
    new_machine: Machine, samples: Path
) -> None:
    shown = slow_sync(new_machine, samples, "xterm-256color", 1)

    bar, _, sentence = shown.rpartition("\x1b[2K")
    assert "reading" in bar
    assert "problems" in sentence
    assert "\x1b" not in sentence


def test_without_a_bar_a_slow_sync_prints_a_line(
    new_machine: Machine, samples: Path
) -> None:
    shown = slow_sync(new_machine, samples, "dumb", 3)

    line, sentence = shown.splitlines()
    assert line.startswith("recollect: read ")
    assert "problems" in sentence
    assert "\x1b" not in shown


def test_a_sync_is_reported_in_one_sentence(
    new_machine: Machine, samples: Path
) -> None:
    first = new_machine.run("sync", "-s", samples)
    again = new_machine.run("sync", "-s", samples)

    assert (first.err, again.err) == ("", "")
    assert "files read" in first.out
    assert "none changed" in again.out
    assert first.out.count("\n") == again.out.count("\n") == 1


@pytest.mark.parametrize("way", ["text", "bytes", "nothing"])
def test_written_output_is_noticed_and_arrives(
    capfdbinary: pytest.CaptureFixture[bytes], way: str
) -> None:
    with noted_output() as output:
        if way == "text":
            sys.stdout.write("row\n")
        elif way == "bytes":
            sys.stdout.buffer.write(b"row\n")
        assert output.is_used == (way != "nothing")
    sys.stdout.write("after\n")
    sys.stdout.flush()

    row = b"" if way == "nothing" else b"row\n"
    assert capfdbinary.readouterr().out == row + b"after\n"
