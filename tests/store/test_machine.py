"""What a format may know about the machine."""

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
def test_a_variable_names_a_folder_by_its_absolute_path(
    value: str, folder: Path | None
) -> None:
    assert Machine(HOME, HOME, {"MEMORY": value}).folder("MEMORY") == folder


def test_an_unset_variable_names_none() -> None:
    assert Machine(HOME, HOME).folder("MEMORY") is None


def test_the_current_machine_is_described() -> None:
    machine = Machine.this()

    assert machine.home == Path.home()
    assert machine.here == Path.cwd()
    assert machine.environment == dict(os.environ)
