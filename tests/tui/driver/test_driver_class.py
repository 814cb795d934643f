"""Which driver an app is given."""

import subprocess
import sys

from tests.project import ROOT
from tui.driver.driver import FrugalDriver, PlainDriver, driver_class


def test_the_frugal_driver_on_request() -> None:
    assert driver_class(frugal=True) is FrugalDriver


def test_otherwise_the_plain_driver() -> None:
    assert driver_class(frugal=False) is PlainDriver


def test_commands_that_do_not_draw_load_nothing() -> None:
    script = "import sys, tui.driver; sys.exit('textual' in sys.modules)"

    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)
