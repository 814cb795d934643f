"""The frugal driver: only cells that differ from what is shown are sent."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.driver import Driver


def driver_class(*, frugal: bool) -> "type[Driver] | None":
    """What an app is given to draw with; None leaves the choice to Textual."""
    if not frugal or sys.platform == "win32":
        return None
    from tui.driver.frugal import FrugalDriver  # noqa: PLC0415  # only who draws needs it

    return FrugalDriver
