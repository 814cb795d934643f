"""The timeline as keys reach it."""

from tui.browser.panes import ListKeys
from widgets.timeline.timeline import Timeline


class TimelineList(Timeline, ListKeys):
    """The list of conversations."""
