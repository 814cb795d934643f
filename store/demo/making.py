"""Tells the story in every format and writes what comes of it."""

from datetime import datetime
from pathlib import Path

from store.demo.agent_memory import put_agent_memory
from store.demo.claudia import put_claudia, put_pages
from store.demo.cognitive import put_cloned, put_lived_in
from store.demo.days import Days
from store.demo.kei import put_kei
from store.demo.load import read_story
from store.demo.notes import put_notebook, put_sessions
from store.demo.transcripts import put_transcripts
from store.demo.tree import Tree


def write(folder: Path, now: datetime) -> list[Path]:
    """Write the sample stores beneath a new or empty folder and return their roots.

    Everything happened before the day of `now`; the same day gives the same bytes and
    the same modification times everywhere.

    Raises:
        RecollectError: the folder holds something, or cannot be written.
    """
    days, tree = Days.before(now), Tree()
    story = read_story(days)
    roots = [
        put_lived_in(tree, "cognitive-memory", story, days),
        put_cloned(tree, "graphs/work", story, days),
        *(put_notebook(tree, book, story, days) for book in story.notebooks),
        put_transcripts(tree, story, days),
        put_agent_memory(tree, story, days),
        put_kei(tree, story, days),
        put_claudia(tree, story, days),
        put_pages(tree, story, days),
    ]
    put_sessions(tree, story, days)
    tree.write(folder)
    return [folder / root for root in roots]
