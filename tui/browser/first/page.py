"""The page that stands in the reader at a first start, and where nothing is listed."""

from collections.abc import Sequence
from pathlib import Path

from store.formats.register import FORMATS
from store.records.reports import StoreReport
from tui.browser.first.empty import Emptiness, why_empty
from tui.browser.first.found import welcome
from widgets.reader.bodies import Plain
from widgets.reader.page import Page


def welcome_page(stores: Sequence[StoreReport]) -> Page:
    """Which stores were found, and what is in them."""
    heading, _, *lines = welcome(stores, FORMATS, Path.home())
    return Page("welcome", [(heading, "strong")], {"read": Plain("\n".join(lines))})


def empty_page(emptiness: Emptiness) -> Page:
    """Why nothing is listed, and what to do about it."""
    if not emptiness.formats:
        return welcome_page(())
    return Page(None, (), {"read": Plain("\n".join(why_empty(emptiness)))})
