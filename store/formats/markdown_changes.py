"""Change whole Markdown memories: fields, text, archive, merge, delete."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Changeable, Form, Known, Marking
from store.errors import NotPossibleError, UnknownFieldError
from store.files.beneath import Root
from store.files.frontmatter import HeaderError, read_page
from store.files.frontmatter_edit import locate
from store.findings import Value
from store.formats.markdown import (
    Job,
    counted,
    listed,
    memories_of,
    named,
    refuse_worse,
    said,
)
from store.formats.markdown_edit import (
    FIELDS,
    Names,
    begin,
    checked,
    decoded,
    edit,
    has_header,
    header_line,
    linking,
    listed_in,
    on_one_line,
    relink,
    relocate,
    relocated,
    retagged,
    stamped,
    tag_of,
    text_of,
    unlinked,
    with_listed,
    with_value,
    without,
)
from store.formats.markdown_read import ARCHIVE, HEADING, TITLES, called, without_code
from store.kinds.memories import Memory
from store.kinds.pages import Document
from store.records.intents import (
    Archive,
    Delete,
    Intent,
    Merge,
    Pin,
    Retag,
    Rewrite,
    Set,
)
from store.text import joined

# One change of a store with a Markdown file for each memory.

PINNED = "pinned"
"""The name of the mark for pinned memories."""


class PageJob(Job):
    """What the parts of one change share; formats with an index extend it."""

    title_key: str = "title"
    """The key under which a header without a title gets one."""
    fields: tuple[str, ...] = FIELDS
    """The fields that may be set even if a header does not have them."""

    def __init__(self, root: Root, known: Known, now: int) -> None:
        super().__init__(root, known, now, stamped)
        self.marks: list[Marking] = []

    def mark(
        self, memory: Memory, path: str, *, is_set: bool, root: Path | None = None
    ) -> None:
        """Remember that the memory at a path is pinned, or no longer."""
        self.marks.append(
            Marking(path=path, id=memory.id, name=PINNED, is_set=is_set, root=root)
        )

    def names(self, memory: Memory) -> Names:
        """The current names of a memory, from its pending file."""
        path = self.files.where(memory.path)
        fields = read_page(self.files.read(path)).fields
        texts = (fields.get(key) for key in TITLES)
        title = next((one for one in texts if isinstance(one, str) and one.strip()), "")
        names = Names(path, on_one_line(title), memory.id)
        return names if names.name else names._replace(name=names.stem)

    def new_header(self, fields: Mapping[str, Value]) -> Iterable[str]:
        """The lines of a new header."""
        return (header_line(key, value) for key, value in fields.items())

    def has_set(self, name: str, value: Value | None) -> None:
        """Called after a field was set, for warnings about its value."""

    def follow(self, memory: Memory, old: Names, new: Names) -> None:
        """Update everything that links to a memory."""
        for path in linking(self, memory):
            relink(self, path, old, new)

    def mentions(self, memory: Memory) -> Sequence[str]:
        """The indexes that name a memory in their text."""
        del memory
        return ()

    def add_to_index(self, path: str) -> None:
        """Add a memory to the index."""

    def drop_from_index(self, path: str, *, tells: bool = True) -> None:
        """Remove a memory from the index, and warn about text that still names it."""


# What can be done with a memory, judged by its record: no file is opened.

_UNREADABLE = frozenset(
    {"unsafe-yaml", "unclosed-header", "not-utf8", "lone-cr", "header-too-large",
     "too-large", "not-text", "empty-file"}
)  # fmt: skip
"""Problems of a file whose header cannot be changed."""

_NO_HEADER = "The front matter is damaged; edit it as text first."
IN_A_TEXT = "Links are part of the text; edit the text to change one."


def possible_for(memory: Memory) -> Mapping[str, str]:
    """The possible actions, each with the reason why it is not possible now."""
    header = "" if _UNREADABLE.isdisjoint(memory.problems) else _NO_HEADER
    anyway = dict.fromkeys(("pin", "archive", "delete", "edit"), "")
    return {**anyway, **dict.fromkeys(("set", "tag", "rename", "merge"), header)}


# Warn about memories that can be confused, since links use names.


def warn_about_duplicates(
    work: Job, name: Value, description: Value = "", own: Memory | None = None
) -> None:
    """Warn if another memory has the same name or description."""
    seen = {own.path} if own is not None else set[str]()
    for memory in work.known.namesakes(name) if isinstance(name, str) else ():
        if memory.path not in seen:
            work.warn(
                f"The title {named(memory.title)} is already used by {memory.path}."
            )
            seen.add(memory.path)
    if isinstance(description, str) and description.strip():
        for memory in work.known.described(description):
            if memory.path not in seen:
                work.warn(f"{memory.path} has the same description.")


def change(work: PageJob, intent: Intent, records: Sequence[Changeable]) -> str | None:
    """Make a change that needs nothing of a format; None if it is not one."""
    match intent:
        case Set():
            action = set_field(work, intent, records)
        case Retag():
            action = retag(work, intent, records)
        case Rewrite():
            action = rewrite(work, intent, records)
        case Pin():
            action = pin(work, intent, records)
        case Archive():
            action = archive(work, intent, records)
        case Delete():
            action = delete(work, records)
        case Merge():
            action = merge(work, intent, records)
        case _:
            action = None
    return action


# Fields and tags in headers.


def set_field(work: PageJob, intent: Set, records: Sequence[Changeable]) -> str:
    """Set or remove fields of memories."""
    memories = memories_of(records)
    for memory in memories:
        if not intent.adds:
            there = read_page(work.files.read(memory.path)).fields
            refuse_unknown(work, intent.values, there)
        for name, value in intent.values.items():
            put_field(work, memory, name, value)
    return f"{said('set', [memory.title for memory in memories])}: {intent.names}"


def refuse_unknown(
    work: PageJob, values: Mapping[str, object], there: Collection[str]
) -> None:
    """Raise UnknownFieldError for a name that is neither in the header nor known."""
    for name, value in values.items():
        if name not in work.fields and name not in there:
            raise UnknownFieldError(name, work.fields, is_removed=value is None)


def put_field(work: PageJob, memory: Memory, name: str, value: Value | None) -> None:
    """Set a field, and update the links to the memory if that changes its name."""
    old = work.names(memory)
    write_field(work, memory.path, name, value)
    new = work.names(memory)
    if new != old:
        work.follow(memory, old, new)


def write_field(work: PageJob, path: str, name: str, value: Value | None) -> None:
    """Set a field in a header, or remove it without a value."""
    new = None if value is None else checked(name, value)
    if not has_header(work, path):
        if new is not None:
            key = work.title_key if name in TITLES else name
            begin(work, path, work.new_header({key: new}))
    elif new is None:
        edit(work, path, partial(without, name=name, title=work.title_key))
    else:
        change = partial(with_value, name=name, value=new, title=work.title_key)
        edit(work, path, change)
    work.has_set(name, new)


def retag(work: PageJob, intent: Retag, records: Sequence[Changeable]) -> str:
    """Add tags to memories, and remove tags."""
    memories = memories_of(records)
    for memory in memories:
        if has_header(work, memory.path):
            change = partial(retagged, add=intent.add, remove=intent.remove)
            edit(work, memory.path, change)
        elif intent.add:
            lines = work.new_header({"tags": [*map(tag_of, intent.add)]})
            begin(work, memory.path, lines)
    return said("tag", [memory.title for memory in memories])


# The text of a memory.


def form_of(root: Root, record: Changeable) -> Form:
    """A record's file, as given to an editor."""
    blob = root.read(_edited(record).path)
    if not blob.whole:
        raise NotPossibleError(f"{_edited(record).path} is too large to change.")
    return Form(raw=blob.raw, suffix=".md")


def rewrite(work: PageJob, intent: Rewrite, records: Sequence[Changeable]) -> str:
    """Replace the text of a file."""
    if len(records) != 1:
        raise NotPossibleError("Only one record can be edited at a time.")
    record = _edited(records[0])
    path = record.path
    before = work.files.read(path)
    if intent.was != before:
        raise ChangedOnDiskError(f"{path} has changed. Reload and try again.")
    if intent.raw != before:
        refuse_worse(before, intent.raw)
        if isinstance(record, Memory):
            _rewrite_memory(work, record, intent.raw)
        else:
            work.files.write(path, intent.raw)
    return f"edit {named(record.title)}"


def rename_heading(work: PageJob, path: str, name: str) -> bool:
    """Change the first heading of a file; False if it has none."""
    raw = work.files.read(path)
    text = decoded(path, raw)
    body = read_page(raw).body
    found = HEADING.search(without_code(body))
    if found is None:
        return False
    start, end = (len(text) - len(body) + place for place in found.span(1))
    work.files.write(path, f"{text[:start]}{name}{text[end:]}".encode())
    return True


def _rewrite_memory(work: PageJob, memory: Memory, raw: bytes) -> None:
    path = memory.path
    old = work.names(memory)
    before = work.files.read(path)
    work.files.write(path, raw)
    if _stamp(before, work.now) is not None and _stamp(raw, 0) == _stamp(before, 0):
        work.stamp(path)
    new = work.names(memory)
    if new != old:
        work.follow(memory, old, new)


def _stamp(raw: bytes, now: int) -> dict[str, object] | None:
    """The fields of a header that hold a modification time."""
    try:
        header = locate(raw)
        after = stamped(header, now).fields()
    except HeaderError:
        return None
    before = header.fields()
    return {key: value for key, value in before.items() if after.get(key) != value}


def _edited(record: Changeable) -> Memory | Document:
    if not isinstance(record, Memory | Document):
        raise NotPossibleError("Only pages can be edited.")
    return record


# Where memories are: pinned, archived, moved to another path.


def pin(work: PageJob, intent: Pin, records: Sequence[Changeable]) -> str:
    """Remember that memories are pinned; their files have no field for it."""
    memories = memories_of(records)
    for memory in memories:
        work.mark(memory, memory.path, is_set=intent.pins)
    word = "pin" if intent.pins else "unpin"
    return said(word, [memory.title for memory in memories])


def archive(work: PageJob, intent: Archive, records: Sequence[Changeable]) -> str:
    """Move memories into the archive folder, or out of it.

    An index does not list archived memories, so agents do not load them.
    """
    memories = memories_of(records)
    for memory in memories:
        if memory.archived == intent.archives:
            continue
        place = _away(memory.path) if intent.archives else _back(memory.path)
        old = work.names(memory)
        if work.files.has(place):
            raise NotPossibleError(f"{place} already exists.")
        work.drop_from_index(memory.path, tells=False)
        move(work, memory, place, old)
        if not intent.archives:
            work.add_to_index(place)
    word = "archive" if intent.archives else "restore"
    return said(word, [memory.title for memory in memories])


def move(work: PageJob, memory: Memory, place: str, old: Names) -> None:
    """Move a memory to another path, and update its own links and those to it.

    `old` are its names before the whole change.
    """
    path = memory.path
    if place != path:
        work.files.move(path, place)
        if memory.pinned and memory.id is None:
            work.mark(memory, path, is_set=False)
            work.mark(memory, place, is_set=True)
    if path.rpartition("/")[0] != place.rpartition("/")[0]:
        relocate(work, path.rpartition("/")[0], place)
    work.follow(memory, old, work.names(memory))


def _away(path: str) -> str:
    return f"{ARCHIVE}/{path}"


def _back(path: str) -> str:
    """The path without the archive folder."""
    parts = path.split("/")
    parts.remove(ARCHIVE)
    return "/".join(parts)


# Memories deleted, or merged into one.

_TWO = 2


def delete(work: PageJob, records: Sequence[Changeable]) -> str:
    """Delete memories."""
    memories = memories_of(records)
    work.is_grave = True
    remove(work, memories)
    return said("delete", [memory.title for memory in memories])


def remove(work: PageJob, memories: Sequence[Memory]) -> None:
    """Remove the files of memories; warns about links to them that remain."""
    going = {memory.path for memory in memories}
    for memory in memories:
        calling = [path for path in linking(work, memory) if path not in going]
        calling += work.mentions(memory)
        if calling:
            work.is_grave = True
            work.warn(
                f"References to {named(memory.title)} will remain in "
                f"{listed(sorted(calling))}."
            )
        work.drop_from_index(memory.path)
        work.files.remove(memory.path)
        if memory.pinned:
            work.mark(memory, memory.path, is_set=False)


def merge(work: PageJob, intent: Merge, records: Sequence[Changeable]) -> str:
    """Merge memories into the first one; links to the others then lead to it."""
    kept, *others = memories_of(records, _TWO)
    if kept in others:
        raise NotPossibleError("A memory can't be merged with itself.")
    work.is_grave = True
    tags = [tag for other in others for tag in other.tags]
    if tags and "tags" not in intent.fields and has_header(work, kept.path):
        edit(work, kept.path, partial(retagged, add=tags))
    going = [work.names(other) for other in others]
    _unite_links(work, kept, going)
    _put_text(work, kept.path, _united_text(work, intent, work.names(kept), going))
    for name, value in intent.fields.items():
        put_field(work, kept, name, value)
    new = work.names(kept)
    for other, old in zip(others, going, strict=True):
        work.follow(other, old, new)
        work.drop_from_index(other.path)
        work.files.remove(other.path)
        if other.pinned:
            work.mark(other, other.path, is_set=False)
            work.warn_about_pin(kept, other)
    count = counted(len(others), "other memory", "other memories")
    return f"merge {count} into {named(kept.title)}"


def _unite_links(work: PageJob, kept: Memory, going: Sequence[Names]) -> None:
    """List the links of merged memories in the header of the one that is kept."""
    pages = [read_page(work.files.read(one.path)) for one in going]
    more = [item for page in pages for item in listed_in(page)]
    if has_header(work, kept.path):
        own = work.names(kept)
        more = [item for item in more if called(item.strip("[]")) not in own.keys]
        edit(work, kept.path, partial(with_listed, add=more, names=going))


def _united_text(
    work: PageJob, intent: Merge, kept: Names, going: Sequence[Names]
) -> str:
    """The chosen text, or else all texts joined, without links to itself."""
    own = text_of(work, kept.path) if intent.body is None else intent.body
    own = own.replace("\r\n", "\n").strip("\n")
    texts = [unlinked(own, kept.folder, going)]
    for one in going if intent.body is None else ():
        text = relocated(text_of(work, one.path), one.folder, kept.folder)
        texts.append(unlinked(text, kept.folder, [kept, *going]))
    return joined(texts)


def _put_text(work: PageJob, path: str, text: str) -> None:
    """Replace the text below a header, with the line endings of the file."""
    raw = work.files.read(path)
    body = read_page(raw).body
    if body.replace("\r\n", "\n").strip("\n") == text:
        return
    newline = "\r\n" if b"\r\n" in raw else "\n"
    rest = body.lstrip("\r\n")
    before = raw[: len(raw) - len(rest.encode())]
    new = text.replace("\n", newline) + newline
    work.files.write(path, before + new.encode())
    if has_header(work, path):
        edit(work, path, lambda header: header)
        work.stamp(path)
