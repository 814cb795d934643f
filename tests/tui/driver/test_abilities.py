"""Output depends on the terminal's own description."""

import os
import subprocess
import sys

import pytest

from tests.project import ROOT

SCRIPT = """
from tui.driver.screen import abilities_of_terminal
abilities = abilities_of_terminal()
print(abilities.erases_to_background, abilities.scrolls)
"""


@pytest.mark.parametrize(
    ("terminal", "abilities"),
    [
        ("xterm-256color", "True True"),
        ("screen-256color", "False True"),
        ("vt100", "False False"),
        ("dumb", "False False"),
        ("never-heard-of", "False False"),
    ],
)
def test_a_terminal_has_the_abilities_that_it_reports(
    terminal: str, abilities: str
) -> None:
    told = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env=os.environ | {"TERM": terminal},
        capture_output=True,
        text=True,
        check=True,
    )

    assert told.stdout.strip() == abilities
