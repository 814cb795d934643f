"""What an editor gave back in the place of what it was given, and what follows."""

from collections.abc import Callable, Mapping, Sequence

from store.edits.port import Changeable, Form
from store.edits.refusals import ChangedOnDiskError, NotPossibleError
from store.files.beneath import Blob, Root, Stamp
from store.files.frontmatter.errors import HeaderError
from store.files.frontmatter.header import Header, locate
from store.files.markdown.job import Job
from store.files.markdown.saying import named
from store.findings import Findings, Flaw, Severity
from store.formats.cognitive.edge import read_edge
from store.formats.cognitive.layout import Role, is_pinned, role_of
from store.formats.cognitive.memory import read_memory
from store.formats.cognitive.scribe.calling import retitled
from store.formats.cognitive.scribe.edges import follow_edge
from store.formats.cognitive.scribe.fields import told
from store.formats.cognitive.scribe.links import file_of
from store.formats.cognitive.scribe.placing import home_of, move
from store.formats.cognitive.scribe.secrets import masked, unmasked
from store.formats.cognitive.scribe.sides import relations_of
from store.formats.cognitive.vocabulary import FOLDERS
from store.records.document import Document
from store.records.edge import Edge
from store.records.intents import Rewrite
from store.records.memory import Memory

_STAMP = Stamp(0, 0, 0)
_READERS: Mapping[Role, Callable[[str, Blob], Findings]] = {
    Role.MEMORY: read_memory,
    Role.EDGE: read_edge,
}
_NOT_EDITED = {
    Role.EPISODE: "A daily log is only ever added to.",
    Role.CORE: "CORE.md is generated; `recollect rebuild core` makes it anew.",
    Role.CORE_LINK: "This is a link to CORE.md, which is generated.",
    Role.REFLECTION: (
        "REFLECTION.md is generated; `recollect rebuild reflection` makes it anew."
    ),
    Role.INDEX: "_index.json is derived; `recollect rebuild index` makes it anew.",
    Role.STATE: "_state.json is derived; `recollect rebuild state` makes it anew.",
    Role.EMBEDDINGS: "_embeddings.json holds vectors; nobody edits them.",
}
"""What no editor is given, and why."""


def edited_path(record: Changeable) -> str:
    """The file that an editor is given for a record; refuses where there is none."""
    if isinstance(record, Edge):
        path = file_of(record)
        if path is None:
            raise NotPossibleError("This edge has no file of its own to edit.")
        return path
    if not isinstance(record, Memory | Document):
        raise NotPossibleError(_NOT_EDITED[Role.EPISODE])
    why = _NOT_EDITED.get(role_of(record.path) or Role.PAGE)
    if why:
        raise NotPossibleError(why)
    return record.path


def form_of(root: Root, record: Changeable) -> Form:
    """The file of a record as an editor is given it."""
    path = edited_path(record)
    blob = root.read(path)
    if not blob.whole:
        raise NotPossibleError(f"{path} is too large to be changed.")
    if role_of(path) is Role.CONFIG:
        return Form(raw=masked(blob.raw), suffix=".json")
    return Form(raw=blob.raw, suffix=".md")


def rewrite(job: Job, intent: Rewrite, records: Sequence[Changeable]) -> str:
    """Put another text in the place of a file's."""
    if len(records) != 1:
        raise NotPossibleError("One record at a time is edited.")
    record = records[0]
    path = edited_path(record)
    before = job.bench.read(path)
    is_config = role_of(path) is Role.CONFIG
    if intent.was != (masked(before) if is_config else before):
        raise ChangedOnDiskError(f"{path} says something else by now. Look again.")
    if intent.raw != intent.was:
        new = unmasked(before, intent.raw) if is_config else intent.raw
        _refuse_worse(path, before, new)
        job.bench.write(path, new)
        if is_config:
            job.bench.mask(path, masked)
        else:
            _follow(job, record, before, new)
    return f"edit {named(_title(record))}"


def _refuse_worse(path: str, before: bytes, after: bytes) -> None:
    """Raise where the new text cannot be read and the old one could."""
    reader = _READERS.get(role_of(path) or Role.PAGE)
    if reader is None:
        return
    known = {flaw.code for flaw in _errors(reader(path, _blob(before)))}
    for flaw in _errors(reader(path, _blob(after))):
        if flaw.code not in known:
            raise NotPossibleError(f"That cannot be saved. {flaw.message}")
    if _header(before) is None:
        return
    try:
        locate(after)
    except HeaderError as error:
        raise NotPossibleError(f"That cannot be saved. {error}") from error


def _follow(job: Job, record: Changeable, before: bytes, after: bytes) -> None:
    """Let other files follow what was changed in this one."""
    old, new = _header(before), _header(after)
    if old is None or new is None:
        return
    path = edited_path(record)
    kept = "id" if isinstance(record, Memory) else "id from_id to_id"
    for key in kept.split():
        if told(old, key) and told(old, key) != told(new, key):
            raise NotPossibleError(f"`{key}` cannot be changed; put it back.")
    if told(old, "updated") == told(new, "updated"):
        job.stamp(path)
    if isinstance(record, Memory):
        _follow_memory(job, record, old, new)
    elif isinstance(record, Edge):
        follow_edge(job, record, old, new)


def _follow_memory(job: Job, memory: Memory, old: Header, new: Header) -> None:
    title, kind = told(new, "title"), told(new, "type")
    if title and title != told(old, "title"):
        retitled(job, memory, title)
    if kind != told(old, "type") and kind in FOLDERS and not is_pinned(memory.path):
        move(job, memory, home_of(job, memory))
    if _relations(old) != _relations(new):
        job.warn(
            "Relations were changed on this side alone; what they lead to does not"
            " know of it."
        )


def _relations(header: Header) -> list[object]:
    return [relation.told for relation in relations_of(header)]


def _header(raw: bytes) -> Header | None:
    try:
        return locate(raw)
    except HeaderError:
        return None


def _errors(findings: Findings) -> list[Flaw]:
    return [flaw for flaw in findings.flaws if flaw.severity is Severity.ERROR]


def _blob(raw: bytes) -> Blob:
    return Blob(raw, _STAMP, whole=True)


def _title(record: Changeable) -> str:
    if isinstance(record, Memory | Document):
        return record.title
    return f"{record.from_title} {record.type}" if isinstance(record, Edge) else ""
