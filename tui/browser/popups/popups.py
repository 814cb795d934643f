"""All popups and what they offer, in one place, to be loaded when one is opened."""

from typing import ClassVar

from tui.browser.popups.command_palette import (
    CommandPalette,
    GoToMemory,
    RunCommand,
)
from tui.browser.popups.keys_page import KeysPage
from tui.browser.popups.menus import (
    ALL_STORES,
    saved_menu,
    sort_menu,
    stores_menu,
    themes_menu,
)
from tui.browser.popups.picker import Picker
from tui.browser.popups.ways import alike_menu, way_menu
from tui.commands.listing import Listing


class Popups:
    """What the browser opens over the screen."""

    ALL_STORES: ClassVar = ALL_STORES
    CommandPalette: ClassVar = CommandPalette
    GoToMemory: ClassVar = GoToMemory
    KeysPage: ClassVar = KeysPage
    Listing: ClassVar = Listing
    Picker: ClassVar = Picker
    RunCommand: ClassVar = RunCommand

    alike_menu = staticmethod(alike_menu)
    saved_menu = staticmethod(saved_menu)
    sort_menu = staticmethod(sort_menu)
    stores_menu = staticmethod(stores_menu)
    themes_menu = staticmethod(themes_menu)
    way_menu = staticmethod(way_menu)
