"""The worked example of `store/formats/README.md`: its code is real, and it runs."""

import doctest
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.project import ROOT
from tests.store.catalogue.stores import write
from tests.tui.cli.machine import Machine

PAGE = (ROOT / "store/formats/README.md").read_text("utf-8")
BLOCK = re.compile(
    r"^```(\w+)(?: file=([^\n]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
FIELDS = {
    ".title": "{title}",
    '.from_title + " -> " + .to_title': "{from_title} -> {to_title}",
}
"""What the filters of the example take from a row."""


class Block(NamedTuple):
    """A part of the page between two fences."""

    language: str
    file: str
    text: str


def blocks(language: str) -> Iterator[Block]:
    for found in map(Block._make, BLOCK.findall(PAGE)):
        if found.language == language:
            yield found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with the vault of the example."""
    for page in blocks("markdown"):
        write(tmp_path, page.file, page.text)
    return tmp_path


def test_the_code_is_that_of_the_format() -> None:
    quoted = list(blocks("python"))

    assert quoted
    for block in quoted:
        assert block.text in (ROOT / block.file).read_text("utf-8")


def test_the_python_examples_run(home: Path) -> None:
    text = "\n".join(block.text for block in blocks("pycon"))
    example = doctest.DocTestParser().get_doctest(text, {}, "example", None, 0)
    runner = doctest.DocTestRunner(verbose=False)

    with chdir(home):
        runner.run(example)

    assert runner.summarize(verbose=False) == (0, 9)


def test_the_commands_print_what_is_shown(home: Path) -> None:
    machine = Machine(home)

    for block in blocks("console"):
        shown = [part.splitlines() for part in block.text.split("$ ")[1:]]
        for command, *lines in shown:
            assert printed(machine, command) == lines, command


def printed(machine: Machine, command: str) -> list[str]:
    """What a command prints, with ids left out; filters of `jq` are applied here."""
    words, _, jq = (part.strip() for part in command.partition("| jq -r "))
    jq = jq.removesuffix("| sort")
    program, *arguments = shlex.split(words)
    if program != "recollect":
        return subprocess.check_output(
            [program, *arguments], cwd=machine.home, text=True
        ).splitlines()
    answer = machine.run(*arguments)
    assert answer.code == 0
    if jq:
        (shape,) = shlex.split(jq)
        return sorted(FIELDS[shape].format_map(row) for row in answer.rows)
    told = answer.out or answer.err
    return re.sub(r"undo [0-9a-f]{8}", "undo …", told).splitlines()


def test_every_module_is_named() -> None:
    room = ROOT / "store/formats"
    named = re.findall(r"`(\w+\.py)`", PAGE.partition("## How")[0])

    modules = {path.name for path in room.glob("[!_]*.py")}
    assert modules <= set(named)
    assert {name for name in named if not (room / name).is_file()} == {
        "format.py",
        "read.py",
        "edit.py",
    }


def test_every_format_is_registered_everywhere() -> None:
    """A format missing in one of the places fails here."""
    contracts = (ROOT / "pyproject.toml").read_text("utf-8")
    for folder in (ROOT / "store/formats").glob("*/format.py"):
        name = f'"store.formats.{folder.parent.name}"'
        assert contracts.count(name) == 2, name
