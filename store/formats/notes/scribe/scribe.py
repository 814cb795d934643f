"""The scribe of a folder of notes: an intent in, every byte that it takes out."""

from collections.abc import Mapping, Sequence

from store.edits.draft import Draft, Shunned
from store.edits.port import Changeable, Form, Known
from store.edits.refusals import NotPossibleError
from store.files.rooted import Rooted
from store.formats.notes.scribe.creating import create, take_in
from store.formats.notes.scribe.locks import HELD, LOCK
from store.formats.notes.scribe.mending import mend
from store.formats.notes.scribe.placing import archive, pin, rename
from store.formats.notes.scribe.possible import possible
from store.formats.notes.scribe.rebuilding import rebuild
from store.formats.notes.scribe.removing import delete, merge, take
from store.formats.notes.scribe.rewriting import form_of, rewrite
from store.formats.notes.scribe.setting import retag, set_field
from store.formats.notes.scribe.work import Work
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

_IN_A_TEXT = "Links of notes stand in their texts; edit the text to change one."
_NOT_COUNTED = "The format does not count how often a note is recalled."


class NotesScribe(Rooted):
    """Reads the files of one store and says what would become of them."""

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """What can be done with a record, or with the store."""
        return possible(record)

    def form(self, record: Changeable) -> Form:
        """The file of a record."""
        return form_of(self._root, record)

    def draft(self, intent: Intent, records: Records, known: Known, now: int) -> Draft:
        """What the change would do to the files; the lines of the index go along."""
        work = Work(self._root, known, now)
        action = _of_the_store(work, intent, records) or _of_records(
            work, intent, records
        )
        work.indexes.keep()
        return Draft(
            action=action,
            steps=work.steps,
            warnings=work.warnings,
            is_grave=work.is_grave,
            shuns=(Shunned(path=LOCK, age=HELD),),
            marks=tuple(work.marks),
            count=work.count,
        )


def _of_the_store(work: Work, intent: Intent, records: Records) -> str | None:
    """Changes that need no record."""
    match intent:
        case Create():
            return create(work, intent)
        case Append():
            return take_in(work, intent)
        case Rebuild():
            return rebuild(work, intent.name)
        case Mend():
            return mend(work, records)
        case _:
            return None


def _of_records(work: Work, intent: Intent, records: Records) -> str:
    if not records:
        raise NotPossibleError(f"There is nothing here to {intent.word}.")
    if any(isinstance(record, Edge) for record in records):
        raise NotPossibleError(_IN_A_TEXT)
    match intent:
        case Set():
            return set_field(work, intent, records)
        case Retag():
            return retag(work, intent, records)
        case Rewrite():
            return rewrite(work, intent, records)
        case Delete():
            return delete(work, records)
        case Merge():
            return merge(work, intent, records)
        case _:
            return _of_places(work, intent, records)


def _of_places(work: Work, intent: Intent, records: Records) -> str:
    """Changes of where notes lie and how they are called."""
    match intent:
        case Pin():
            return pin(work, intent, records)
        case Archive():
            return archive(work, intent, records)
        case Rename():
            return rename(work, intent, records)
        case Move():
            return take(work, intent, records)
        case Relate():
            raise NotPossibleError(_IN_A_TEXT)
        case Touch():
            raise NotPossibleError(_NOT_COUNTED)
        case _:
            sentence = f"Notes have nothing that could be done by `{intent.word}`."
            raise NotPossibleError(sentence)
