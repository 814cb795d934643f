"""Drivers: what reads from the terminal, and writes to it."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.driver import Driver


def driver_class(*, frugal: bool) -> "type[Driver] | None":
    """What an app is given to draw with; None leaves the choice to Textual.

    The frugal one sends only cells that differ from what is shown. For an app that is
    run inline, beneath the prompt, Textual takes a driver of its own whatever is given.
    """
    if sys.platform == "win32":
        return None
    if frugal:
        from tui.driver.frugal import FrugalDriver  # noqa: PLC0415  # only who draws

        return FrugalDriver
    from tui.driver.plain import PlainDriver  # noqa: PLC0415  # the same

    return PlainDriver
