"""What an editor gave back in the place of what it was given, and what follows."""

from collections.abc import Sequence

from store.edits.port import Changeable, Form
from store.edits.refusals import ChangedOnDiskError, NotPossibleError
from store.files.beneath import Root
from store.files.frontmatter import read_page
from store.files.frontmatter.errors import HeaderError
from store.files.frontmatter.header import locate
from store.files.markdown.saying import named
from store.findings import Flaw, Severity
from store.formats.notes.scribe.following import Names, follow
from store.formats.notes.scribe.note import stamped
from store.formats.notes.scribe.work import Work
from store.records.document import Document
from store.records.intents import Rewrite
from store.records.memory import Memory


def form_of(root: Root, record: Changeable) -> Form:
    """The file of a record as an editor is given it."""
    blob = root.read(_edited(record).path)
    if not blob.whole:
        raise NotPossibleError(f"{_edited(record).path} is too large to be changed.")
    return Form(raw=blob.raw, suffix=".md")


def rewrite(work: Work, intent: Rewrite, records: Sequence[Changeable]) -> str:
    """Put another text in the place of a file's."""
    if len(records) != 1:
        raise NotPossibleError("One record at a time is edited.")
    record = _edited(records[0])
    path = record.path
    before = work.bench.read(path)
    if intent.was != before:
        raise ChangedOnDiskError(f"{path} says something else by now. Look again.")
    if intent.raw != before:
        _refuse_worse(before, intent.raw)
        if isinstance(record, Memory):
            _rewrite_note(work, record, intent.raw)
        else:
            work.bench.write(path, intent.raw)
    return f"edit {named(record.title)}"


def _rewrite_note(work: Work, memory: Memory, raw: bytes) -> None:
    path = memory.path
    old = work.listed(path)
    before = work.bench.read(path)
    work.bench.write(path, raw)
    if _stamp(before, work.now) is not None and _stamp(raw, 0) == _stamp(before, 0):
        work.stamp(path)
    new = work.listed(path)
    if new != old:
        follow(work, memory, Names(path, old.name), Names(path, new.name))


def _stamp(raw: bytes, now: int) -> dict[str, object] | None:
    """The fields of a header that say when it was changed, and nothing else of it."""
    try:
        header = locate(raw)
        after = stamped(header, now).fields()
    except HeaderError:
        return None
    before = header.fields()
    return {key: value for key, value in before.items() if after.get(key) != value}


def _refuse_worse(before: bytes, after: bytes) -> None:
    """Raise where the new text cannot be read and the old one could."""
    known = {flaw.code for flaw in _errors(before)}
    for flaw in _errors(after):
        if flaw.code not in known:
            raise NotPossibleError(f"That cannot be saved. {flaw.message}")


def _errors(raw: bytes) -> list[Flaw]:
    flaws = read_page(raw).flaws
    return [flaw for flaw in flaws if flaw.severity is Severity.ERROR]


def _edited(record: Changeable) -> Memory | Document:
    if not isinstance(record, Memory | Document):
        raise NotPossibleError("That is no page that could be edited.")
    return record
