"""The list of a journal as keys reach it."""

from tui.browser.panes import ListKeys
from widgets.journals.journal import Journal


class JournalList(Journal, ListKeys):
    """Figures, events or agents."""
