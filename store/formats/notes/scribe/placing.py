"""What a note is called and where it lies, and all that has to follow."""

import re
from collections.abc import Sequence

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.files.frontmatter import read_page
from store.files.markdown.job import memories_of
from store.files.markdown.saying import named, said
from store.formats.notes.memory import ARCHIVE, heading
from store.formats.notes.prose import without_code
from store.formats.notes.scribe.doubles import tell_of_doubles
from store.formats.notes.scribe.following import Names, follow, relocate
from store.formats.notes.scribe.naming import free_path, stem_of
from store.formats.notes.scribe.note import Listed, on_one_line
from store.formats.notes.scribe.pages import has_header
from store.formats.notes.scribe.setting import write_field
from store.formats.notes.scribe.work import Work
from store.records.intents import Archive, Pin, Rename
from store.records.memory import Memory

_HEADING = re.compile(r"^#[ \t]++([^\r\n]*\S)", re.MULTILINE)


def rename(work: Work, intent: Rename, records: Sequence[Changeable]) -> str:
    """Give a note another name, its file the name that follows from it."""
    memory, *others = memories_of(records)
    if others:
        raise NotPossibleError("Only one note at a time can be renamed.")
    name = on_one_line(intent.title)
    if not name:
        raise NotPossibleError("A name is one line that says something.")
    path = memory.path
    old = work.listed(path)
    tell_of_doubles(work, name, own=memory)
    if has_header(work, path):
        write_field(work, path, "name", name)
    else:
        _rename_heading(work, path, name)
        called = old._replace(name=on_one_line(memory.title))
        if called != old:
            work.indexes.change(called, called._replace(name=name))
    folder = path.rpartition("/")[0]
    move(work, memory, free_path(work.bench, folder, stem_of(name), own=path), old)
    return f"rename {named(memory.title)} to {named(name)}"


def pin(work: Work, intent: Pin, records: Sequence[Changeable]) -> str:
    """Put notes first where agents read first; that they are pinned, we remember."""
    memories = memories_of(records)
    for memory in memories:
        work.mark(memory.path, is_set=intent.pins)
        if intent.pins:
            work.indexes.put_first(work.listed(memory.path))
    word = "pin" if intent.pins else "unpin"
    return said(word, [memory.title for memory in memories])


def archive(work: Work, intent: Archive, records: Sequence[Changeable]) -> str:
    """Put notes into the folder of those that were put away, or take them out.

    The index lists none of those, so agents do not learn of them.
    """
    memories = memories_of(records)
    for memory in memories:
        if memory.archived == intent.archives:
            continue
        place = _away(memory.path) if intent.archives else _back(memory.path)
        old = work.listed(memory.path)
        if work.bench.has(place):
            raise NotPossibleError(f"There is a {place} already.")
        work.indexes.drop(memory.path, tells=False)
        move(work, memory, place, old)
        if not intent.archives:
            work.indexes.add(work.listed(place))
    word = "archive" if intent.archives else "restore"
    return said(word, [memory.title for memory in memories])


def move(work: Work, memory: Memory, place: str, old: Listed) -> None:
    """Put a note elsewhere; links to it and from it lead where they led.

    `old` is what it was before anything of it was changed.
    """
    path = memory.path
    if place != path:
        work.bench.move(path, place)
        if memory.pinned:
            work.mark(path, is_set=False)
            work.mark(place, is_set=True)
    if path.rpartition("/")[0] != place.rpartition("/")[0]:
        relocate(work, path.rpartition("/")[0], place)
    name = work.listed(place).name
    follow(work, memory, Names(path, old.name), Names(place, name))


def _rename_heading(work: Work, path: str, name: str) -> None:
    """Let the heading of a note without a header say its name, where there is one."""
    raw = work.bench.read(path)
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise NotPossibleError(f"{path} is not UTF-8.") from error
    body = read_page(raw).body
    prose = without_code(body)
    found = _HEADING.search(prose) if heading(prose) else None
    if found:
        start = len(text) - len(body)
        begin, end = start + found.start(1), start + found.end(1)
        work.bench.write(path, f"{text[:begin]}{name}{text[end:]}".encode())


def _away(path: str) -> str:
    return f"{ARCHIVE}/{path}"


def _back(path: str) -> str:
    """A path without the folder of what was put away."""
    parts = path.split("/")
    parts.remove(ARCHIVE)
    return "/".join(parts)
