"""Conversations of which some are pinned."""

from pathlib import Path

from store.kinds.conversations import Conversation
from tests.tui.browser.stories.visit import Visit


def kept(visit: Visit) -> list[str]:
    """The saved sessions."""
    return [one.session for one in visit.browser.parts.session.library.vault.kept()]


async def went_to(visit: Visit, words: str) -> Path:
    """Go to the conversation with a text; returns its transcript."""
    await visit.press("4")
    await visit.ask(words)
    assert isinstance(visit.here, Conversation)
    return Path(visit.here.store) / visit.here.source


def told_of(visit: Visit, words: str) -> str:
    """The list row of a conversation."""
    lines = visit.pane("list-conversations")
    return next(line for line in lines if words in line)
