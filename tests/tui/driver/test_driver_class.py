"""Which driver an app is given."""

import subprocess
import sys

from tests.project import ROOT
from tui.driver import driver_class
from tui.driver.frugal import FrugalDriver
from tui.driver.plain import PlainDriver


def test_the_frugal_one_if_wanted() -> None:
    assert driver_class(frugal=True) is FrugalDriver


def test_else_the_plain_one() -> None:
    assert driver_class(frugal=False) is PlainDriver


def test_who_does_not_draw_loads_nothing() -> None:
    script = "import sys, tui.driver; sys.exit('textual' in sys.modules)"

    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)
