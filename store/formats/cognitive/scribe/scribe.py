"""The scribe of a graph: an intent in, every byte that it takes out."""

from collections.abc import Mapping, Sequence

from store.edits.draft import Draft
from store.edits.port import Changeable, Form, Known
from store.edits.refusals import NotPossibleError
from store.files.markdown.job import Job
from store.files.rooted import Rooted
from store.formats.cognitive.layout import Role, role_of
from store.formats.cognitive.scribe.archiving import archive
from store.formats.cognitive.scribe.calling import rename
from store.formats.cognitive.scribe.creating import create
from store.formats.cognitive.scribe.deleting import delete
from store.formats.cognitive.scribe.edges import set_of_edge, unlink
from store.formats.cognitive.scribe.episodes import append
from store.formats.cognitive.scribe.fields import stamped
from store.formats.cognitive.scribe.index import keep_index
from store.formats.cognitive.scribe.mending import mend
from store.formats.cognitive.scribe.merging import merge
from store.formats.cognitive.scribe.moving import take
from store.formats.cognitive.scribe.placing import pin
from store.formats.cognitive.scribe.possible import possible
from store.formats.cognitive.scribe.relating import relate
from store.formats.cognitive.scribe.remaking import rebuild
from store.formats.cognitive.scribe.rewriting import form_of, rewrite
from store.formats.cognitive.scribe.secrets import set_setting
from store.formats.cognitive.scribe.setting import retag, set_field
from store.formats.cognitive.scribe.state import touch
from store.records.document import Document
from store.records.edge import Edge
from store.records.intents import (
    Append,
    Archive,
    Create,
    Delete,
    Intent,
    Mend,
    Merge,
    Move,
    Pin,
    Rebuild,
    Relate,
    Rename,
    Retag,
    Rewrite,
    Set,
    Touch,
)

Records = Sequence[Changeable]


class CognitiveScribe(Rooted):
    """Reads the files of one graph and says what would become of them."""

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """What can be done with a record, or with the store."""
        return possible(record)

    def form(self, record: Changeable) -> Form:
        """The file of a record."""
        return form_of(self._root, record)

    def draft(self, intent: Intent, records: Records, known: Known, now: int) -> Draft:
        """What the change would do to the files; the index goes along."""
        job = Job(self._root, known, now, stamped)
        action = _of_the_store(job, intent, records) or _of_records(
            job, intent, records
        )
        keep_index(job)
        return Draft(
            action=action,
            steps=job.steps,
            warnings=job.warnings,
            is_grave=job.is_grave,
        )


def _of_the_store(job: Job, intent: Intent, records: Records) -> str | None:
    """Changes that need no record."""
    match intent:
        case Create():
            return create(job, intent)
        case Append():
            return append(job, intent, records)
        case Rebuild():
            return rebuild(job, intent.name)
        case Mend():
            return mend(job, records)
        case _:
            return None


def _of_records(job: Job, intent: Intent, records: Records) -> str:
    if not records:
        raise NotPossibleError(f"There is nothing here to {intent.word}.")
    match intent:
        case Set():
            return _set(job, intent, records)
        case Delete():
            edges = [record for record in records if isinstance(record, Edge)]
            all_edges = len(edges) == len(records)
            return unlink(job, edges) if all_edges else delete(job, records)
        case Retag():
            return retag(job, intent, records)
        case Rewrite():
            return rewrite(job, intent, records)
        case Touch():
            return touch(job, records)
        case _:
            return _of_places(job, intent, records)


def _of_places(job: Job, intent: Intent, records: Records) -> str:
    """Changes of where memories lie, how they are called and what they lead to."""
    match intent:
        case Pin():
            return pin(job, intent, records)
        case Archive():
            return archive(job, intent, records)
        case Rename():
            return rename(job, intent, records)
        case Relate():
            return relate(job, intent, records)
        case Merge():
            return merge(job, intent, records)
        case Move():
            return take(job, intent, records)
        case _:
            sentence = f"A graph has nothing that could be done by `{intent.word}`."
            raise NotPossibleError(sentence)


def _set(job: Job, intent: Set, records: Records) -> str:
    edges = [record for record in records if isinstance(record, Edge)]
    if len(edges) == len(records):
        return set_of_edge(job, intent, edges)
    pages = [record for record in records if isinstance(record, Document)]
    if len(pages) == len(records) == 1 and role_of(pages[0].path) is Role.CONFIG:
        return set_setting(job, intent)
    return set_field(job, intent, records)
