"""Where a memory lies: in the vault, or in the folder of its type."""

from collections.abc import Sequence

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.files.markdown.job import Job, memories_of
from store.files.markdown.saying import said
from store.formats.cognitive.layout import VAULT, is_pinned
from store.formats.cognitive.scribe.fields import told
from store.formats.cognitive.scribe.naming import base_of, place_of
from store.formats.cognitive.scribe.told import tell_of_old_paths
from store.formats.cognitive.vocabulary import FOLDERS
from store.records.intents import Pin
from store.records.memory import Memory


def pin(job: Job, intent: Pin, records: Sequence[Changeable]) -> str:
    """Put memories into the vault, or back into the folders of their types."""
    memories = memories_of(records)
    for memory in memories:
        if is_pinned(memory.path) != intent.pins:
            place = f"{VAULT}/{base_of(memory.path)}" if intent.pins else None
            move(job, memory, place or home_of(job, memory))
    word = "pin" if intent.pins else "unpin"
    return said(word, [memory.title for memory in memories])


def move(job: Job, memory: Memory, place: str) -> None:
    """Put a memory's file somewhere else under the same name."""
    if job.bench.where(memory.path) == place:
        return
    job.bench.move(memory.path, place)
    tell_of_old_paths(job, memory, breaks=False)


def home_of(job: Job, memory: Memory) -> str:
    """Where a memory lies that is not pinned, by the type that its file tells."""
    kind = told(job.header(memory.path), "type")
    if kind not in FOLDERS:
        sentence = f"Its type, {kind or 'none'}, has no folder; give it another first."
        raise NotPossibleError(sentence)
    return place_of(kind, base_of(memory.path))
