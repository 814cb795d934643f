"""Memories put away, and brought back.

The format has no archive: archived is what it calls a memory without any strength. So
one that is put away gets the importance 0, and its header keeps what it had before.
"""

from collections.abc import Sequence

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.files.frontmatter.header import Header
from store.files.frontmatter.keys import with_key
from store.files.markdown.job import Job, memories_of
from store.files.markdown.saying import named, said
from store.formats.cognitive.layout import is_pinned
from store.formats.cognitive.scribe.fields import form_of, told, with_text, without
from store.records.intents import Archive

KEPT = "archived_importance"
"""The key under which a memory that was put away keeps its importance."""

_NOTHING = "0.0"


def archive(job: Job, intent: Archive, records: Sequence[Changeable]) -> str:
    """Take away a memory's strength, or give it back."""
    memories = memories_of(records)
    for memory in memories:
        if intent.archives and is_pinned(memory.path):
            raise NotPossibleError(
                f"{named(memory.title)} is pinned and never fades; unpin it first."
            )
        job.revise(memory.path, _put_away if intent.archives else _brought_back)
    word = "archive" if intent.archives else "restore"
    return said(word, [memory.title for memory in memories])


def is_put_away(header: Header) -> bool:
    """Whether a memory was put away."""
    return told(header, KEPT) is not None


def _put_away(header: Header) -> Header:
    importance = told(header, "importance")
    if is_put_away(header):
        return header
    header = with_text(header, "importance", _NOTHING)
    order = ("importance", KEPT)
    return with_key(header, (KEPT,), importance or "0.5", form_of(KEPT), order)


def _brought_back(header: Header) -> Header:
    importance = told(header, KEPT)
    if importance is None:
        raise NotPossibleError(
            "It was not put away but faded; recalling it or another importance brings"
            " it back."
        )
    return without(with_text(header, "importance", importance), KEPT)
