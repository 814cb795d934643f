"""The examples of COMMANDS.md print what the page shows."""

import re
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from store import demo
from tests.project import ROOT
from tests.tui.cli.machine import Machine

NOW = datetime(2026, 11, 18, 9, tzinfo=UTC)
EXAMPLE = re.compile(r"^\$ recollect (.*)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
STYLE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
REF = re.compile(r"\b[0-9a-f]{8}(?:[0-9a-f]{6})?\b")
"""Refs and ids of changes, which differ from machine to machine."""


def examples(page: str) -> list[tuple[str, str]]:
    """The commands of a page, and what it shows of each."""
    return [(command, shown.rstrip()) for command, shown in EXAMPLE.findall(page)]


def printed(machine: Machine, commands: list[str]) -> Iterator[str]:
    """What some commands print in a terminal, on the sample stores."""
    stores = str(machine.home / "demo")
    demo.write(machine.home / "demo", NOW)
    machine.run("sync", "-s", stores)
    for command in commands:
        words = [*shlex.split(command), "--now", NOW.isoformat()]
        with machine.terminal(*words, RECOLLECT_STORES=stores) as terminal:
            shown = terminal.rest().decode().replace("\r\n", "\n")
            assert terminal.process.wait() == 0, (command, shown)
        lines = STYLE.sub("", shown).splitlines()
        yield "\n".join(line.rstrip() for line in lines).rstrip()


def test_the_examples_print_what_the_page_shows(tmp_path: Path) -> None:
    told = examples((ROOT / "COMMANDS.md").read_text(encoding="utf-8"))
    answers = printed(Machine(tmp_path), [command for command, _ in told])

    assert len(told) > 5
    assert [(command, REF.sub("…", shown)) for command, shown in told] == [
        (command, REF.sub("…", answer))
        for (command, _), answer in zip(told, answers, strict=True)
    ]
