"""Create, rename, move, archive and delete memories, and set their fields."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from store.edits.draft import Changeable
from store.errors import InvalidError, NotPossibleError, UnknownFieldError
from store.files.frontmatter_edit import Header
from store.files.frontmatter_lists import with_key
from store.files.frontmatter_yaml import Scalar, value_of
from store.findings import Value
from store.formats.cognitive import edit_parts as parts
from store.formats.cognitive.edit_index import forget_use
from store.formats.cognitive.format import (
    DEFAULT_CONFIDENCE,
    FOLDERS,
    NULLS,
    VAULT,
    id_key,
    is_pinned,
    stem_of,
)
from store.formats.cognitive.memories import ARCHIVED_IMPORTANCE, ratio
from store.formats.markdown import (
    Change,
    Job,
    counted,
    listed,
    memories_of,
    named,
    said,
)
from store.formats.markdown_changes import warn_about_duplicates
from store.formats.markdown_edit import tag_of, texts_in
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.records.intents import Archive, Create, Pin, Rename, Retag, Set
from store.text import guess
from store.times import moment_like, parse

# The place of a memory: the vault, or the folder of its type.


def pin(job: Job, intent: Pin, records: Sequence[Changeable]) -> str:
    """Move memories into the vault, or back to the folders of their types."""
    memories = memories_of(records)
    for memory in memories:
        if is_pinned(memory.path) != intent.pins:
            place = f"{VAULT}/{parts.base_of(memory.path)}" if intent.pins else None
            move(job, memory, place or home_of(job, memory))
    word = "pin" if intent.pins else "unpin"
    return said(word, [memory.title for memory in memories])


def move(job: Job, memory: Memory, place: str) -> None:
    """Move a memory's file to another path with the same name."""
    if job.files.where(memory.path) == place:
        return
    job.files.move(memory.path, place)
    parts.warn_about_old_paths(job, memory, parts.Found.BY_NAME)


def home_of(job: Job, memory: Memory) -> str:
    """The place of an unpinned memory, by the type in its file."""
    kind = parts.header_text(job.header(memory.path), "type")
    if kind not in FOLDERS:
        sentence = f"The type {kind or 'none'} has no folder; set another type first."
        raise NotPossibleError(sentence)
    return parts.place_of(kind, parts.base_of(memory.path))


# Archive and unarchive memories.
#
# The format has no archive; it calls a memory archived if it has no strength. So an
# archived memory gets importance 0, and its header stores the previous value.

_NOTHING = "0.0"


def archive(job: Job, intent: Archive, records: Sequence[Changeable]) -> str:
    """Set the strength of memories to zero, or restore it."""
    memories = memories_of(records)
    for memory in memories:
        if intent.archives and is_pinned(memory.path):
            raise NotPossibleError(
                f"{named(memory.title)} is pinned; unpin it before archiving."
            )
        if not (intent.archives or memory.archived or memory.stage == "archived"):
            raise NotPossibleError(
                f"{named(memory.title)} isn't archived; nothing to restore."
            )
        job.revise(memory.path, _archived if intent.archives else _brought_back)
    word = "archive" if intent.archives else "restore"
    return said(word, [memory.title for memory in memories])


def is_put_away(header: Header) -> bool:
    """Whether a memory was archived."""
    return parts.header_text(header, ARCHIVED_IMPORTANCE) is not None


def _archived(header: Header) -> Header:
    importance = parts.header_text(header, "importance")
    if is_put_away(header):
        return header
    header = parts.with_text(header, "importance", _NOTHING)
    order = ("importance", ARCHIVED_IMPORTANCE)
    return with_key(
        header,
        (ARCHIVED_IMPORTANCE,),
        importance or "0.5",
        parts.form_for(ARCHIVED_IMPORTANCE),
        order,
    )


def _brought_back(header: Header) -> Header:
    importance = parts.header_text(header, ARCHIVED_IMPORTANCE)
    if importance is None:
        raise NotPossibleError(
            "The memory has faded but isn't archived. Recall it or raise its "
            "importance."
        )
    return parts.without(
        parts.with_text(header, "importance", importance), ARCHIVED_IMPORTANCE
    )


# Delete memories, with their edges and everything that points to them.

_WIKILINK = "wikilink"


def delete(job: Job, records: Sequence[Changeable]) -> str:
    """Delete memories, their edge files, and other memories' relations to them."""
    memories = memories_of(records)
    job.is_grave = True
    let_go(job, memories)
    return said("delete", [memory.title for memory in memories])


def let_go(job: Job, memories: Sequence[Memory]) -> None:
    """Delete memories with everything that only makes sense with them."""
    going = {memory.ref for memory in memories}
    for memory in memories:
        edges = job.known.edges_of(memory.ref)
        for edge in edges:
            parts.drop_file(job, edge)
        for other in neighbours(job, memory, edges):
            if other.ref not in going:
                forget(job, memory, other)
        warn_about_texts(
            job, memory, [edge for edge in edges if edge.from_ not in going]
        )
        parts.warn_about_old_paths(job, memory, parts.Found.NOT)
    for memory in memories:
        job.files.remove(memory.path)
    forget_use(job, memories)


def neighbours(job: Job, memory: Memory, edges: Sequence[Edge]) -> list[Memory]:
    """The memories at the other ends of edges, each once."""
    refs = dict.fromkeys(ref for edge in edges for ref in (edge.from_, edge.to))
    found = (job.known.memory(ref) for ref in refs if ref and ref != memory.ref)
    return [other for other in found if other]


def forget(job: Job, memory: Memory, other: Memory) -> None:
    """Remove all relations to a deleted memory from another one."""
    if memory.id is None:
        return
    own = id_key(memory.id)
    job.edit_beside(
        other.path,
        lambda header: parts.without_relations(
            header, lambda known: known.target == own
        ),
        f"The links of {named(other.title)} to it",
    )


def warn_about_texts(job: Job, memory: Memory, edges: Sequence[Edge]) -> None:
    """Warn about texts that still mention a memory in brackets."""
    linking = {
        edge.from_
        for edge in edges
        if edge.to == memory.ref and edge.from_ != memory.ref
        and _WIKILINK in edge.sides
    }  # fmt: skip
    if linking:
        texts = counted(len(linking), "text mentions", "texts mention")
        job.warn(
            f"{texts} {named(memory.title)} in [[brackets]]; the links will break."
        )


# The title and file name of a memory, and where else they are used.


def rename(job: Job, intent: Rename, records: Sequence[Changeable]) -> str:
    """Change a memory's title, and rename its file to match."""
    memory, *others = memories_of(records)
    if others:
        raise NotPossibleError("Only one memory can be renamed at a time.")
    title = title_of(intent.title)
    path = job.files.where(memory.path)
    identifier = parts.header_text(job.header(path), "id")
    if identifier is None:
        raise NotPossibleError(f"{path} has no id, which its file name needs.")
    old = _names(memory.title, path)
    job.revise(path, lambda header: parts.with_text(header, "title", title))
    place = f"{path.rpartition('/')[0]}/{parts.name_of(title, identifier)}"
    if place != path:
        job.files.move(path, place)
        parts.warn_about_old_paths(job, memory, parts.Found.BY_ID)
    follow_title(job, memory, title)
    follow_names(job, memory, old, _names(title, place))
    return f"rename {named(memory.title)} to {named(title)}"


def title_of(text: str) -> str:
    """A valid title; refuses an empty one."""
    title = " ".join(text.split())
    if not title:
        raise InvalidError("A title must be one line of text.")
    return title


def retitled(job: Job, memory: Memory, title: str) -> None:
    """Apply the consequences of a title changed in a memory's file."""
    path = job.files.where(memory.path)
    follow_title(job, memory, title)
    follow_names(job, memory, _names(memory.title, path), _names(title, path))


def follow_title(job: Job, memory: Memory, title: str) -> None:
    """Update a memory's title in the edge files that copy it."""
    if memory.id is None:
        return
    own = id_key(memory.id)
    for path in _files(job.known.edges_of(memory.ref)):
        job.edit_beside(
            path, lambda header: _with_title(header, own, title), "The edge's title"
        )


def follow_names(job: Job, memory: Memory, old: parts.Names, new: parts.Names) -> None:
    """Update wikilinks to a memory in other texts and its own."""
    for edge in job.known.edges_of(memory.ref):
        if edge.to == memory.ref and _WIKILINK in edge.sides and edge.from_:
            linking = job.known.memory(edge.from_)
            if linking:
                _relink(job, linking.path, old, new)


def _relink(job: Job, path: str, old: parts.Names, new: parts.Names) -> None:
    raw = job.files.read(path)
    try:
        job.files.write(path, parts.with_names(raw, old, new))
    except UnicodeDecodeError:
        job.warn(
            f"{path} isn't UTF-8; its link to {named(old.title)} won't be updated."
        )


def _with_title(header: Header, own: str, title: str) -> Header:
    for key, key_of_title in parts.ENDS:
        identifier = parts.header_text(header, key)
        if identifier is not None and id_key(identifier) == own:
            header = parts.with_text(header, key_of_title, title, parts.EDGE_ORDER)
    return header


def _files(edges: Iterable[Edge]) -> list[str]:
    found = (parts.file_of(edge) for edge in edges)
    return [path for path in dict.fromkeys(found) if path]


def _names(title: str, path: str) -> parts.Names:
    return parts.Names(title, stem_of(path))


# Set fields of memories, with the consequences.

_KEY = re.compile(r"[A-Za-z_][\w-]{0,63}", re.ASCII)
_PLAIN_SHARE = re.compile(r"[01](?:\.\d+)?", re.ASCII)
_NEEDED = frozenset({"id", "type", "title", "importance", "created", "updated"})
_ELSEWHERE = {
    "id": "The id can't be changed; links refer to it.",
    "relations": "Use link and unlink to change relations.",
    "body": "Use edit to change the text.",
}


def set_field(job: Job, intent: Set, records: Sequence[Changeable]) -> str:
    """Set or remove a field of memories."""
    memories = memories_of(records)
    for memory in memories:
        for name, value in intent.values.items():
            is_there = job.header(memory.path).root.get(name) is not None
            _refuse_unknown(name, value, is_known=intent.adds or is_there)
            put_field(job, memory, name, value)
    return f"{said('set', [memory.title for memory in memories])}: {intent.names}"


def _refuse_unknown(name: str, value: Value | None, *, is_known: bool) -> None:
    if not is_known and name not in parts.ORDER and name not in _ELSEWHERE:
        raise UnknownFieldError(name, parts.ORDER, is_removed=not value)


def put_field(job: Job, memory: Memory, name: str, value: Value | None) -> None:
    """Set a memory's field, and apply the consequences."""
    edit = job.edit if name == "updated" else job.revise
    edit(memory.path, _change(name, value))
    if name == "importance":
        job.edit(memory.path, partial(parts.without, key=ARCHIVED_IMPORTANCE))
    if name == "title" and isinstance(value, str):
        retitled(job, memory, title_of(value))
    elif name == "type" and not is_pinned(job.files.where(memory.path)):
        move(job, memory, home_of(job, memory))


def retag(job: Job, intent: Retag, records: Sequence[Changeable]) -> str:
    """Add tags to memories, and remove tags."""
    memories = memories_of(records)
    for memory in memories:
        job.revise(memory.path, partial(retagged, add=intent.add, remove=intent.remove))
    return said("tag", [memory.title for memory in memories])


def retagged(header: Header, add: Sequence[str], remove: Sequence[str] = ()) -> Header:
    """The header with tags added and removed."""
    tags = tags_of(header)
    kept = [tag for tag in tags if tag not in remove]
    new = [tag for tag in map(tag_of, add) if tag not in kept]
    wanted = [*kept, *dict.fromkeys(new)]
    return header if wanted == tags else parts.with_texts(header, "tags", wanted)


def tags_of(header: Header) -> list[str]:
    """The tags, given as a list or as one text with commas."""
    node = header.root.get("tags")
    value = "" if node is None else value_of(node)
    if isinstance(value, str) and value in NULLS:
        return []
    return _texts("tags", value)


def checked(name: str, value: Value) -> Value:
    """A value valid for a field; refuses what the format does not allow."""
    if not _KEY.fullmatch(name):
        raise NotPossibleError(f"Invalid field name {name!r}.")
    if name in _ELSEWHERE:
        raise NotPossibleError(_ELSEWHERE[name])
    if name in parts.LISTS:
        return [*map(tag_of, _texts(name, value))]
    if not isinstance(value, str):
        if isinstance(value, list) and name not in _CHECKS:
            return [*_texts(name, value)]
        raise InvalidError(f"`{name}` must be a single text.")
    return _CHECKS.get(name, str)(value)


def _change(name: str, value: Value | None) -> Change:
    """The change to a header that sets a field."""
    if value is None:
        if name in _NEEDED or name in _ELSEWHERE:
            raise NotPossibleError(_ELSEWHERE.get(name) or f"`{name}` is required.")
        return partial(parts.without, key=name)
    return partial(_with_value, name=name, value=checked(name, value))


def _with_value(header: Header, name: str, value: Value) -> Header:
    if isinstance(value, str):
        return parts.with_text(header, name, value)
    node = header.root.get(name)
    if name not in parts.LISTS and isinstance(node, Scalar):
        header = parts.without(header, name)
    return parts.with_texts(
        header, name, [item for item in value if isinstance(item, str)]
    )


def _texts(name: str, value: Value) -> list[str]:
    return texts_in(name, value, "," if name == "tags" else "\n")


def _kind(value: str) -> str:
    if value not in FOLDERS:
        meant = guess(value, FOLDERS)
        sentence = f"Unknown type{meant} (choose from {listed(list(FOLDERS), 11)})."
        raise InvalidError(sentence)
    return value


def _share(name: str, value: str) -> str:
    number = ratio(value)
    if number is None:
        raise InvalidError(f"`{name}` must be a number from 0 to 1.")
    return value if _PLAIN_SHARE.fullmatch(value) else parts.share_of(number)


def _instant(name: str, value: str) -> str:
    if parse(value).micros is None:
        raise NotPossibleError(f"Invalid time in `{name}`.")
    return value.strip()


_CHECKS: dict[str, Callable[[str], str]] = {
    "title": title_of,
    "type": _kind,
    "importance": partial(_share, "importance"),
    "confidence": partial(_share, "confidence"),
    "created": partial(_instant, "created"),
    "updated": partial(_instant, "updated"),
}


# A new memory: its id, its file name, and its header in the writer's style.

USUAL_TYPE = "general"
USUAL_IMPORTANCE = "0.5"
"""The default importance, as the format defines none."""


def create(job: Job, intent: Create) -> str:
    """Create a memory in the folder of its type."""
    title = title_of(intent.title)
    identifier = parts.new_id()
    fields = _fields(job, intent, title)
    kind = fields["type"]
    if not isinstance(kind, str):
        raise InvalidError("`type` must be a single text.")
    path = parts.place_of(kind, parts.name_of(title, identifier))
    entries = [*_in_order({"id": identifier, **fields})]
    job.files.create(path, parts.page(entries, intent.body.replace("\r\n", "\n")))
    warn_about_duplicates(job, title)
    return f"new {kind} {named(title)}"


def _fields(job: Job, intent: Create, title: str) -> dict[str, Value]:
    for name, value in intent.fields.items():
        _refuse_unknown(name, value, is_known=intent.adds)
    told = {
        name: checked(name, value)
        for name, value in intent.fields.items()
        if name != "title"
    }
    moment = moment_like(None, job.now)
    usual: dict[str, Value] = {
        "type": USUAL_TYPE,
        "tags": [],
        "importance": USUAL_IMPORTANCE,
        "confidence": str(DEFAULT_CONFIDENCE),
        "created": moment,
        "updated": moment,
    }
    return {**usual, **told, "title": title}


def _in_order(fields: dict[str, Value]) -> list[parts.Entry]:
    """The fields in the writer's order, then all others."""
    names = [*(name for name in parts.ORDER if name in fields)]
    names += [name for name in fields if name not in parts.ORDER]
    return [(name, _entry(fields[name])) for name in names]


def _entry(value: Value) -> str | list[str]:
    if isinstance(value, str):
        return value
    return [item for item in value if isinstance(item, str)]
