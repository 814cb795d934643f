"""Sample stores to change, copied for each test."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.tui.cli.machine import Answer, Machine

AGENTS = "agents/memories"
GRAPH = "cognitive-memory"
WORK = "graphs/work"
NOTES = "claude/projects/-home-zoe-src-kilnbook/memory"


def contents(folder: Path) -> dict[str, bytes]:
    """What each file beneath a folder holds."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@dataclass(frozen=True, slots=True)
class Desk:
    """A machine with one open store."""

    machine: Machine
    store: Path

    def run(self, *arguments: str | Path, **more: str) -> Answer:
        """Run the program on the store."""
        return self.machine.run(*arguments, "-s", self.store, **more)

    def rows(self, *arguments: str | Path) -> list[dict[str, Any]]:
        """The rows with `--json`; the command must succeed."""
        answer = self.run(*arguments, "--json")
        assert answer.code == 0, answer.err
        return answer.rows

    def one(self, *arguments: str | Path) -> dict[str, Any]:
        """The same for a single object."""
        (row,) = self.rows(*arguments)
        return row

    def memories(self, *query: str) -> list[dict[str, Any]]:
        """The memories that a query finds."""
        return self.rows("list", "memories", *query)

    def memory(self, *query: str) -> dict[str, Any]:
        """The first of them."""
        return self.memories(*query)[0]

    def show(self, ref: str) -> dict[str, Any]:
        """A record, whole."""
        return self.one("show", ref)

    def contents(self) -> dict[str, bytes]:
        """What each file of the store holds."""
        return contents(self.store)


def desk(machine: Machine, samples: Path, store: str) -> Desk:
    """A copy of one of the sample stores."""
    place = machine.home / "stores" / store
    shutil.copytree(samples / store, place)
    return Desk(machine, place)
