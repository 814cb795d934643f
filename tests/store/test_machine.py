"""What a format may know of the machine."""

import os
from pathlib import Path

import pytest

from store.machine import Machine

HOME = Path("/home/ada")


@pytest.mark.parametrize(
    ("value", "folder"),
    [
        ("/srv/memory", Path("/srv/memory")),
        ("~/memory", HOME / "memory"),
        ("~", HOME),
        ("", None),
        ("memory", None),
        ("./memory", None),
        ("~somebody-else/memory", None),
    ],
)
def test_a_variable_names_a_folder_by_its_whole_path(
    value: str, folder: Path | None
) -> None:
    assert Machine(HOME, HOME, {"MEMORY": value}).folder("MEMORY") == folder


def test_a_variable_that_is_not_set_names_none() -> None:
    assert Machine(HOME, HOME).folder("MEMORY") is None


def test_this_machine_is_the_one_that_the_program_runs_on() -> None:
    machine = Machine.this()

    assert machine.home == Path.home()
    assert machine.here == Path.cwd()
    assert machine.environment == dict(os.environ)
