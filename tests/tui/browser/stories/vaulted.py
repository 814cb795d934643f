"""Conversations that somebody keeps: where they are, and which of them are kept."""

from pathlib import Path

from store.records.conversation import Conversation
from tests.tui.browser.stories.visit import Visit


def kept(visit: Visit) -> list[str]:
    """The sessions that are kept."""
    return [one.session for one in visit.browser.library.kept()]


async def went_to(visit: Visit, words: str) -> Path:
    """Go to where something was said; the transcript of it."""
    await visit.press("4")
    await visit.ask(words)
    assert isinstance(visit.here, Conversation)
    return Path(visit.here.store) / visit.here.source


def told_of(visit: Visit, words: str) -> str:
    """The line of the list that tells of a conversation."""
    lines = visit.pane("list-conversations")
    return next(line for line in lines if words in line)
