"""Other notes that follow when one is called otherwise or lies elsewhere."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from store.files.frontmatter import read_page
from store.files.frontmatter.errors import HeaderError
from store.files.frontmatter.header import Header, locate
from store.files.frontmatter.nodes import Scalar, Sequence
from store.files.frontmatter.splice import with_scalar
from store.files.links import inside
from store.files.markdown.job import Job
from store.files.markdown.saying import named
from store.findings import name_key
from store.formats.notes.links import Link, called, is_note, links, wikilinks
from store.formats.notes.prose import without_code
from store.formats.notes.scribe.lines import target_from
from store.records.memory import Memory

_LISTED = "links"
"""The key under which some headers list what they link to."""

_NEVER = frozenset("[]|#\n")


class Names(NamedTuple):
    """What a note goes by."""

    path: str
    name: str

    @property
    def stem(self) -> str:
        """Its file's name without the ending."""
        return PurePosixPath(self.path).stem


def linking(job: Job, memory: Memory) -> list[str]:
    """The files of the notes that link to one, its own among them if it does."""
    found: dict[str, None] = {}
    for edge in job.known.edges_of(memory.ref):
        if edge.to == memory.ref and edge.from_:
            other = job.known.memory(edge.from_)
            if other:
                found[other.path] = None
    return list(found)


def follow(job: Job, memory: Memory, old: Names, new: Names) -> None:
    """Let all that links to a note call it as it is called now, and lead there."""
    for path in linking(job, memory):
        relink(job, path, old, new)


def relink(job: Job, path: str, old: Names, new: Names) -> None:
    """Let the links of one note follow another; what is no UTF-8 stays and is named."""
    raw = job.bench.read(path)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        job.warn(f"{path} is not UTF-8: its link to {named(old.name)} stays.")
        return
    folder = job.bench.where(path).rpartition("/")[0]
    raw = _with_links(text, folder, old, new).encode()
    job.bench.write(path, _with_listed(raw, old, new))


def relocate(job: Job, old_folder: str, path: str) -> None:
    """Let the links of a note that lies in another folder lead where they led."""
    raw = job.bench.read(path)
    folder = path.rpartition("/")[0]
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return
    start, prose = _prose(text)
    for link in reversed([link for link in links(prose) if link.names_a_note]):
        target = inside(old_folder, link.target)
        if target is not None:
            text = _retargeted(
                text, start, link, target_from(folder, target, link.target)
            )
    job.bench.write(path, text.encode())


def _with_links(text: str, folder: str, old: Names, new: Names) -> str:
    start, prose = _prose(text)
    changes: list[tuple[Link, str]] = []
    for link in links(prose):
        if link.names_a_note and inside(folder, link.target) == old.path:
            target = target_from(folder, new.path, link.target)
            changes.append((link, target))
    for link in wikilinks(prose):
        told = _told(link.target, old, new)
        if told is not None:
            changes.append((link, told))
    for link, target in sorted(changes, key=lambda change: -change[0].start):
        text = _retargeted(text, start, link, target)
    return text


def _with_listed(raw: bytes, old: Names, new: Names) -> bytes:
    """A note whose header lists what it links to, under the new name."""
    try:
        header = locate(raw)
    except HeaderError:
        return raw
    for path, item in _listed(header):
        bare = item.value.strip().strip("[]")
        told = _told(bare, old, new)
        if told is not None:
            header = with_scalar(header, path, item.value.replace(bare, told, 1))
    return header.raw


def _listed(header: Header) -> Iterator[tuple[tuple[str | int, ...], Scalar]]:
    node = header.root.get(_LISTED)
    if isinstance(node, Scalar):
        yield (_LISTED,), node
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            if isinstance(item, Scalar):
                yield (_LISTED, index), item


def _told(target: str, old: Names, new: Names) -> str | None:
    """What a link by name says then; None where it means another note, or may stay."""
    key = called(target)
    if key in {name_key(new.name), name_key(new.stem)}:
        return None
    by_name = key == name_key(old.name)
    if not by_name and key != name_key(old.stem):
        return None
    ending = target[-3:] if is_note(target) else ""
    if by_name and target != old.stem and _NEVER.isdisjoint(new.name):
        return f"{new.name}{ending}"
    return f"{new.stem}{ending}"


def _retargeted(text: str, start: int, link: Link, target: str) -> str:
    """The text with another target in a link that stands in its body."""
    if target == link.target:
        return text
    begin, end = start + link.start, start + link.end
    at = text.find(link.target, begin, end)
    if not text.startswith("[[", begin):
        at = text.rfind(link.target, begin, end)
    return f"{text[:at]}{target}{text[at + len(link.target) :]}" if at >= 0 else text


def _prose(text: str) -> tuple[int, str]:
    """Where the body starts, and the body without its code."""
    body = read_page(text.encode()).body
    return len(text) - len(body), without_code(body)
