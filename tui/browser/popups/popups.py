"""All popups and what they offer, in one place, to be loaded when one is opened."""

from typing import ClassVar

from tui.browser.popups import changing
from tui.browser.popups.back import as_of_popup, since_then_question
from tui.browser.popups.command_palette import (
    CommandPalette,
    GoToMemory,
    GoToStore,
    LookBack,
    RunCommand,
)
from tui.browser.popups.doubles import doubles_menu
from tui.browser.popups.keys_page import KeysPage
from tui.browser.popups.memory_picker import MemoryPicker
from tui.browser.popups.menus import (
    ALL_STORES,
    NO_QUERIES,
    naming_query,
    saved_menu,
    sort_menu,
    stores_menu,
    themes_menu,
)
from tui.browser.popups.merging import MergeChoices
from tui.browser.popups.news import NewsPopup
from tui.browser.popups.origins import origins_menu, version_question
from tui.browser.popups.picker import Picker
from tui.browser.popups.prompt import Prompt
from tui.browser.popups.reviewing import review_menu
from tui.browser.popups.ways import alike_menu, way_menu
from tui.browser.popups.writing import Writing, is_editable
from tui.browser.rooms.episodes.diary import day_of
from tui.commands.listing import Listing


class Popups:
    """What the browser opens over the screen."""

    ALL_STORES: ClassVar = ALL_STORES
    CommandPalette: ClassVar = CommandPalette
    GoToMemory: ClassVar = GoToMemory
    GoToStore: ClassVar = GoToStore
    KeysPage: ClassVar = KeysPage
    Listing: ClassVar = Listing
    LookBack: ClassVar = LookBack
    MemoryPicker: ClassVar = MemoryPicker
    MergeChoices: ClassVar = MergeChoices
    NewsPopup: ClassVar = NewsPopup
    Picker: ClassVar = Picker
    Prompt: ClassVar = Prompt
    RunCommand: ClassVar = RunCommand

    NO_QUERIES: ClassVar = NO_QUERIES

    changing: ClassVar = changing

    Writing: ClassVar = Writing

    alike_menu = staticmethod(alike_menu)
    as_of_popup = staticmethod(as_of_popup)
    day_of = staticmethod(day_of)
    doubles_menu = staticmethod(doubles_menu)
    origins_menu = staticmethod(origins_menu)
    is_editable = staticmethod(is_editable)
    review_menu = staticmethod(review_menu)
    naming_query = staticmethod(naming_query)
    saved_menu = staticmethod(saved_menu)
    sort_menu = staticmethod(sort_menu)
    stores_menu = staticmethod(stores_menu)
    themes_menu = staticmethod(themes_menu)
    since_then_question = staticmethod(since_then_question)
    version_question = staticmethod(version_question)
    way_menu = staticmethod(way_menu)
