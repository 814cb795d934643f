"""How the browser is opened: its keys, its colours, and what it draws with."""

import gc
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from store.library import Library

if TYPE_CHECKING:
    from store.settings.record import Settings
    from tui.browser.app import Browser
    from tui.browser.kept import Kept
    from tui.keys.remap import Remapped
    from tui.themes.choice import Chosen


class Looks(Struct, frozen=True):
    """How the browser is to look, as the command line says."""

    theme: str | None = None
    """A theme by name; None for the one that was chosen last, or that suits."""
    is_ascii: bool = False
    """Nothing but ASCII."""
    is_frugal: bool = True
    """Whether only the cells that differ are sent."""


USUAL = Looks()
"""As it looks where nothing is said."""


def open_browser(
    library: Library, kept: "Kept", looks: Looks, *, reads: bool
) -> "Browser":
    """Open the browser, and come back when it was left.

    The collector of waste rests until there is something to see.
    """
    gc.disable()
    from tui.browser.app import Browser  # noqa: PLC0415  # only who browses loads Textual
    from tui.browser.framed import Outfit  # noqa: PLC0415  # the same
    from tui.cli.terminal import complain  # noqa: PLC0415  # the same
    from tui.commands.registry import NEEDED, REGISTRY  # noqa: PLC0415  # the same
    from tui.driver import driver_class  # noqa: PLC0415  # the same
    from tui.keys.remap import remap  # noqa: PLC0415  # the same
    from tui.keys.wanted import wanted_in  # noqa: PLC0415  # the same
    from tui.manners.leaving import let_go_of_lost_streams  # noqa: PLC0415  # the same
    from tui.themes.choice import Options, choose  # noqa: PLC0415  # the same

    settings = kept.settings
    remapped = remap(REGISTRY.usual_keys, wanted_in(settings), NEEDED)
    options = Options(looks.theme, looks.is_ascii)
    remembered = kept.last(library.chosen).theme or settings.theme
    chosen = choose(os.environ, remembered, options)
    complaints = _complaints(settings, remapped, chosen)
    for complaint in complaints:
        complain(complaint)
    library.keep_little()
    browser = Browser(
        library,
        reads=reads,
        kept=kept,
        outfit=Outfit(
            remapped.keymap,
            chosen,
            driver_class(frugal=looks.is_frugal),
            tuple(one.removeprefix(f"{settings.path.parent}/") for one in complaints),
        ),
    )
    browser.is_alone = True
    browser.run()
    let_go_of_lost_streams()
    return browser


def _complaints(
    settings: "Settings", remapped: "Remapped", chosen: "Chosen"
) -> Sequence[str]:
    """What is wrong with the settings: read, as keys, and as colours."""
    from tui.keys.wanted import TABLE  # noqa: PLC0415  # only who browses loads it

    refused = (
        settings.complaint((TABLE, problem.command), problem.sentence)
        for problem in remapped.problems
    )
    colours = [chosen.complaint] if chosen.complaint else []
    return [*settings.complaints, *refused, *colours]
