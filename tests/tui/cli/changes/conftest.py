"""Sample stores that may be changed."""

from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import AGENTS, GRAPH, Desk, desk
from tests.tui.cli.machine import Machine


@pytest.fixture
def machine(new_machine: Machine) -> Machine:
    """A machine on which the program never ran: stores to change are read anew."""
    return new_machine


@pytest.fixture
def agents(machine: Machine, samples: Path) -> Desk:
    """A store of core memories, learnings and tasks, as JSON Lines."""
    return desk(machine, samples, AGENTS)


@pytest.fixture
def graph(machine: Machine, samples: Path) -> Desk:
    """A graph of memories, one file each, with edges and daily logs."""
    return desk(machine, samples, GRAPH)
