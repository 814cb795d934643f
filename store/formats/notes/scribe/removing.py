"""Notes deleted, merged into one, or taken to another store."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from store.edits.port import Changeable
from store.edits.refusals import LockedError, NotPossibleError
from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.frontmatter import read_page
from store.files.markdown.job import memories_of
from store.files.markdown.saying import counted, listed, named, said
from store.formats.notes.placement import is_known
from store.formats.notes.scribe.following import Names, follow, linking
from store.formats.notes.scribe.indexes import Indexes
from store.formats.notes.scribe.locks import LOCK, is_fresh
from store.formats.notes.scribe.naming import free_path
from store.formats.notes.scribe.note import listed as as_listed
from store.formats.notes.scribe.pages import edit, has_header
from store.formats.notes.scribe.setting import put_field, retagged
from store.formats.notes.scribe.work import Work
from store.formats.notes.sniff import sniff
from store.records.intents import Merge, Move
from store.records.memory import Memory

_TWO = 2


def delete(work: Work, records: Sequence[Changeable]) -> str:
    """Delete notes and the lines that list them."""
    memories = memories_of(records)
    work.is_grave = True
    _let_go(work, memories)
    return said("delete", [memory.title for memory in memories])


def merge(work: Work, intent: Merge, records: Sequence[Changeable]) -> str:
    """Put several notes into the first; what led to the others leads there."""
    kept, *others = memories_of(records, _TWO)
    if kept in others:
        raise NotPossibleError("A note is not merged with itself.")
    work.is_grave = True
    tags = [tag for other in others for tag in other.tags]
    if tags and "tags" not in intent.fields and has_header(work, kept.path):
        edit(work, kept.path, partial(retagged, add=tags))
    paths = [kept.path, *(other.path for other in others)]
    texts = [_text(work, path) for path in paths]
    _put_text(work, kept.path, _joined(texts, intent.body))
    for name, value in intent.fields.items():
        put_field(work, kept, name, value)
    new = work.listed(kept.path)
    for other in others:
        old = work.listed(other.path)
        follow(work, other, Names(old.path, old.name), Names(new.path, new.name))
        work.indexes.drop(other.path)
        work.bench.remove(other.path)
    count = counted(len(others), "other note", "other notes")
    return f"merge {count} into {named(kept.title)}"


def take(work: Work, intent: Move, records: Sequence[Changeable]) -> str:
    """Put notes into another store, and their lines into its index."""
    memories = memories_of(records)
    target = Path(intent.to)
    with _opened(target) as root:
        if root.path == work.bench.root.path:
            raise NotPossibleError("They lie in that store already.")
        if is_fresh(root, work.now):
            sentence = f"{target}/{LOCK} says that memories are being consolidated."
            raise LockedError(sentence)
        bench = work.beside(root, root.path)
        indexes = Indexes(work, bench)
        for memory in memories:
            stem = PurePosixPath(memory.path).stem
            path = free_path(bench, "", stem)
            if path != f"{stem}.md":
                work.warn(f"There is a {stem}.md already, so this becomes {path}.")
            bench.create(path, work.bench.read(memory.path))
            indexes.add(as_listed(path, bench.read(path)))
            if memory.pinned:
                work.mark(path, is_set=True, root=root.path)
            _tell_of_links(work, memory)
        indexes.keep()
    if not intent.keeps:
        _let_go(work, memories)
    word = "copy" if intent.keeps else "move"
    titles = [memory.title for memory in memories]
    return f"{said(word, titles)} to {target}"


def _let_go(work: Work, memories: Sequence[Memory]) -> None:
    going = {memory.path for memory in memories}
    for memory in memories:
        calling = [path for path in linking(work, memory) if path not in going]
        if calling:
            work.is_grave = True
            work.warn(
                f"{listed(sorted(calling))} will go on naming {named(memory.title)}."
            )
        work.indexes.drop(memory.path)
        work.bench.remove(memory.path)
        if memory.pinned:
            work.mark(memory.path, is_set=False)


def _tell_of_links(work: Work, memory: Memory) -> None:
    """Warn of what a note names that does not come along."""
    edges = work.known.edges_of(memory.ref)
    named_there = [edge for edge in edges if edge.from_ == memory.ref]
    if named_there:
        links = counted(len(named_there), "link", "links")
        work.warn(f"{links} of {named(memory.title)} lead to notes that stay.")


def _opened(target: Path) -> Root:
    try:
        root = Root(target)
    except UnreadableError as error:
        raise NotPossibleError(str(error)) from error
    if not sniff(root) and not is_known(root.path):
        root.close()
        raise NotPossibleError(f"{target} is no store of this format.")
    return root


def _text(work: Work, path: str) -> str:
    raw = work.bench.read(path)
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        raise NotPossibleError(f"{path} is not UTF-8.") from error
    return read_page(raw).body.replace("\r\n", "\n").strip("\n")


def _joined(texts: Sequence[str], chosen: str | None) -> str:
    if chosen is not None:
        return chosen.replace("\r\n", "\n").strip("\n")
    return "\n\n".join(dict.fromkeys(text for text in texts if text.strip()))


def _put_text(work: Work, path: str, text: str) -> None:
    """Give a note another text; its lines end as they did."""
    raw = work.bench.read(path)
    body = read_page(raw).body
    if body.replace("\r\n", "\n").strip("\n") == text:
        return
    newline = "\r\n" if b"\r\n" in raw else "\n"
    told = body.lstrip("\r\n")
    before = raw[: len(raw) - len(told.encode())]
    new = text.replace("\n", newline) + newline
    work.bench.write(path, before + new.encode())
    if has_header(work, path):
        edit(work, path, lambda header: header)
        work.stamp(path)
