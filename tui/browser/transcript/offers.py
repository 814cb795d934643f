"""All that opens over a transcript, in one place, to be loaded when it is opened."""

from typing import ClassVar

from tui.browser.popups.picker import Picker
from tui.browser.transcript.going import TimePopup
from tui.browser.transcript.menus import code_menu, modes_menu, outline_menu


class Offers:
    """What can be chosen in a transcript."""

    Picker: ClassVar = Picker
    TimePopup: ClassVar = TimePopup

    codes = staticmethod(code_menu)
    modes = staticmethod(modes_menu)
    outline = staticmethod(outline_menu)
