"""Edit the sections of a MEMORY.md: their text, their headings, and their number."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Changeable, Form
from store.errors import NotPossibleError
from store.files.frontmatter import read_page
from store.formats.markdown import counted, memories_of, named, refuse_worse, said
from store.formats.markdown_edit import Names, linking, on_one_line, relink
from store.formats.notes.edit_index import Work
from store.formats.notes.notes import USUAL_LEVEL, Section, level_of, sections
from store.kinds.memories import Memory
from store.records.intents import Delete, Intent, Merge, Pin, Rename, Rewrite
from store.text import joined

_NO_FIELDS = "Sections of MEMORY.md have no fields; edit the text."
_STAYS = "Sections of MEMORY.md can't be {}; move the text to a note first."
_REFUSED: Mapping[str, str] = {
    "set": _NO_FIELDS,
    "tag": _NO_FIELDS,
    "archive": _STAYS.format("archived"),
    "move": _STAYS.format("moved"),
}


def is_section(record: Changeable | None) -> bool:
    """Whether a record is a section of an index; all other notes are whole files."""
    return isinstance(record, Memory) and record.line is not None


def possible(record: Changeable | None) -> Mapping[str, str]:
    """The possible actions on a section, or why not; empty for other records."""
    if not is_section(record):
        return {}
    able = dict.fromkeys(("edit", "rename", "pin", "merge", "delete"), "")
    return {**able, **_REFUSED}


def draft(work: Work, intent: Intent, records: Sequence[Changeable]) -> str | None:
    """Apply a change to sections; returns its name, or None for other records."""
    if not any(map(is_section, records)):
        return None
    memories = memories_of(records)
    match intent:
        case Rewrite():
            return _rewrite(work, intent, _only(memories))
        case Rename():
            return _rename(work, intent, _only(memories))
        case Pin():
            return _pin(work, intent, memories)
        case Merge():
            return _merge(work, intent, memories)
        case Delete():
            return _delete(work, memories)
        case _:
            refused = f"`{intent.word}` isn't available for sections of MEMORY.md."
            raise NotPossibleError(_REFUSED.get(intent.word, refused))


def form(record: Changeable, whole: Form) -> Form | None:
    """The section with its heading, as given to an editor; None for other records."""
    if not isinstance(record, Memory) or not is_section(record):
        return None
    text = _Text.of(record.path, whole.raw)
    return Form(raw=text.part(text.section(record)).encode(), suffix=whole.suffix)


def add_section(work: Work, title: str, fields: Sequence[str], body: str) -> str | None:
    """Add a section if the store has its memories in sections; returns its path.

    None if it has them in notes. A section cannot have `fields`.
    """
    first = next(work.known.memories(), None)
    if first is None or not is_section(first):
        return None
    if fields:
        names = ", ".join(f"`{name}`" for name in fields)
        work.warn(f"Sections of MEMORY.md have no fields; {names} will be dropped.")
    text = _Text.of(first.path, work.files.read(first.path))
    rank = max(level_of(text.body), USUAL_LEVEL)
    lines = body.replace("\r\n", "\n").strip("\n")
    new = f"{'#' * rank} {_title(title)}\n" + (f"\n{lines}\n" if lines else "")
    gap = "\n" if text.raw.endswith("\n") else "\n\n"
    text.raw += (gap + new).replace("\n", text.newline)
    work.files.write(first.path, text.raw.encode())
    return first.path


def refuse_rebuild(work: Work) -> None:
    """Raise if the index itself holds the memories, so there is no note to list."""
    first = next(work.known.memories(), None)
    if first is not None and is_section(first):
        sentence = (
            f"{first.path} contains the memories itself; there is nothing to rebuild."
        )
        raise NotPossibleError(sentence)


class _Text:
    """A file of sections as text; all offsets are in the whole file."""

    def __init__(self, path: str, raw: str) -> None:
        self.path = path
        self.raw = raw

    @classmethod
    def of(cls, path: str, raw: bytes) -> "_Text":
        """The text of a file; raises NotPossibleError if it is not UTF-8."""
        try:
            return cls(path, raw.decode())
        except UnicodeDecodeError as error:
            raise NotPossibleError(f"{path} isn't UTF-8.") from error

    @property
    def body(self) -> str:
        """The text without the header."""
        return read_page(self.raw.encode()).body

    @property
    def newline(self) -> str:
        """The line ending."""
        return "\r\n" if "\r\n" in self.raw else "\n"

    def section(self, memory: Memory) -> Section:
        """The section of a record; raises ChangedOnDiskError if it is gone."""
        found = self.sections().get(memory.id or "")
        if found is None:
            sentence = f"{self.path} no longer has the section {named(memory.title)}."
            raise ChangedOnDiskError(f"{sentence} Reload and try again.")
        return found

    def sections(self) -> dict[str, Section]:
        """All sections by id."""
        body = self.body
        shift = len(self.raw) - len(body)
        return {
            one.id: one._replace(
                start=one.start + shift,
                body=one.body + shift,
                stop=one.stop + shift,
                end=one.end + shift,
            )
            for one in sections(self.path, body)
        }

    def part(self, section: Section) -> str:
        """The text of a section, heading included."""
        return self.raw[section.start : section.stop]

    def put(self, start: int, end: int, new: str) -> None:
        """Replace a part of the text."""
        self.raw = self.raw[:start] + new + self.raw[end:]

    def without(self, section: Section) -> None:
        """Remove a section and the blank lines around it."""
        start = section.start
        if section.end == len(self.raw):
            before = self.raw[:start].rstrip()
            start = len(before) + (len(self.newline) if before else 0)
        self.put(min(start, section.start), section.end, "")


class _Part(NamedTuple):
    """A record and its section."""

    memory: Memory
    section: Section


def _rewrite(work: Work, intent: Rewrite, memory: Memory) -> str:
    before = work.files.read(memory.path)
    text = _Text.of(memory.path, before)
    section = text.section(memory)
    if intent.was != text.part(section).encode():
        sentence = f"{named(memory.title)} has changed. Reload and try again."
        raise ChangedOnDiskError(sentence)
    new = _Text.of(memory.path, intent.raw).raw
    if not new.strip():
        raise NotPossibleError("The section is empty; press `d` to delete it.")
    if section.stop < len(text.raw) and not new.endswith("\n"):
        new += text.newline
    text.put(section.start, section.stop, new)
    after = text.raw.encode()
    refuse_worse(before, after)
    work.files.write(memory.path, after)
    return f"edit {named(memory.title)}"


def _rename(work: Work, intent: Rename, memory: Memory) -> str:
    title = _title(intent.title)
    text = _Text.of(memory.path, work.files.read(memory.path))
    section = text.section(memory)
    if not section.level:
        raise NotPossibleError("This section has no heading to rename; edit the text.")
    place = text.raw.index(section.title, section.start)
    text.put(place, place + len(section.title), title)
    work.files.write(memory.path, text.raw.encode())
    if memory.pinned:
        named_now = {one.start: one.id for one in text.sections().values()}
        now = replace(memory, id=named_now[section.start])
        work.mark(memory, memory.path, is_set=False)
        work.mark(now, memory.path, is_set=True)
    _relink(work, memory, title)
    return f"rename {named(memory.title)} to {named(title)}"


def _pin(work: Work, intent: Pin, memories: Sequence[Memory]) -> str:
    for memory in memories:
        work.mark(memory, memory.path, is_set=intent.pins)
    word = "pin" if intent.pins else "unpin"
    return said(word, [memory.title for memory in memories])


def _merge(work: Work, intent: Merge, memories: Sequence[Memory]) -> str:
    kept, *others = memories
    if not others or kept in others or {one.path for one in others} != {kept.path}:
        raise NotPossibleError("Choose two or more sections of one file to merge.")
    if intent.fields:
        raise NotPossibleError(_NO_FIELDS)
    text = _Text.of(kept.path, work.files.read(kept.path))
    parts = [_Part(one, text.section(one)) for one in memories]
    bodies = [text.raw[one.section.body : one.section.stop].strip() for one in parts]
    chosen = joined(bodies) if intent.body is None else intent.body.strip("\n")
    merged = f"\n{chosen}\n".replace("\r\n", "\n").replace("\n", text.newline)
    for part in sorted(parts, key=lambda part: -part.section.start):
        if part.memory is kept:
            text.put(part.section.body, part.section.stop, merged)
        else:
            text.without(part.section)
    work.is_grave = True
    work.files.write(kept.path, text.raw.encode())
    for other in others:
        _unpin(work, other)
        _relink(work, other, kept.title)
    count = counted(len(others), "other section", "other sections")
    return f"merge {count} into {named(kept.title)}"


def _delete(work: Work, memories: Sequence[Memory]) -> str:
    work.is_grave = True
    for path in dict.fromkeys(memory.path for memory in memories):
        text = _Text.of(path, work.files.read(path))
        gone = [text.section(one) for one in memories if one.path == path]
        for section in sorted(gone, key=lambda section: -section.start):
            text.without(section)
        work.files.write(path, text.raw.encode())
    for memory in memories:
        _unpin(work, memory)
        if linking(work, memory):
            work.warn(f"{memory.path} will still link to {named(memory.title)}.")
    return said("delete", [memory.title for memory in memories])


def _relink(work: Work, memory: Memory, title: str) -> None:
    """Update links to a section after it was renamed."""
    old = Names(memory.path, memory.title, None)
    for path in linking(work, memory):
        relink(work, path, old, old._replace(name=title))


def _unpin(work: Work, memory: Memory) -> None:
    if memory.pinned:
        work.mark(memory, memory.path, is_set=False)


def _only(memories: Sequence[Memory]) -> Memory:
    if len(memories) > 1:
        raise NotPossibleError("Only one section can be changed at a time.")
    return memories[0]


def _title(text: str) -> str:
    title = on_one_line(text).lstrip("# ")
    if not title:
        raise NotPossibleError("A title can't be empty.")
    return title
