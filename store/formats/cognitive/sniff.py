"""Whether a folder is a store of this format, told by what is in it."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.files.frontmatter import read_page
from store.formats.cognitive.layout import CORE, EPISODES, GRAPH, VAULT, is_page

_HEAD = 64 * 1024
"""How much of a file tells what it is."""

_ASKED = 8
"""How many memories are looked into; one good one is enough."""

_INDEX = "_index.json"
_MARKS = frozenset({_INDEX, CORE, EPISODES, VAULT})


def sniff(root: Root) -> bool:
    """Whether there is a graph: memories in it, or a writer's own traces beside it."""
    names = {entry.name: entry.kind for entry in _entries(root, "")}
    if names.get(GRAPH) is not Kind.FOLDER:
        return False
    pages = list(islice(_memory_pages(root), _ASKED))
    if pages and not _MARKS.isdisjoint(names):
        return True
    return any(_is_memory(root, page) for page in pages) or _has_traces(root)


def _entries(root: Root, folder: str) -> list[Entry]:
    with suppress(UnreadableError):
        return root.entries(folder)
    return []


def _pages(root: Root, folder: str) -> Iterator[str]:
    for entry in _entries(root, folder):
        if entry.kind is Kind.FILE and is_page(entry.name):
            yield entry.path


def _memory_pages(root: Root) -> Iterator[str]:
    for folder in _entries(root, GRAPH):
        if folder.kind is Kind.FOLDER:
            yield from _pages(root, folder.path)
    yield from _pages(root, VAULT)


def _head(root: Root, path: str) -> bytes:
    with suppress(UnreadableError):
        return root.read(path, limit=_HEAD).raw
    return b""


def _is_memory(root: Root, path: str) -> bool:
    """Whether a page has what every memory and every edge has."""
    fields = read_page(_head(root, path)).fields
    return all(isinstance(fields.get(key), str) for key in ("id", "type"))


def _has_traces(root: Root) -> bool:
    """Whether what lies beside an empty graph was written by this format's writer."""
    index = _head(root, _INDEX)
    if b'"entries"' in index and b'"version"' in index:
        return True
    if _head(root, CORE).lstrip().startswith(b"# Memory Core"):
        return True
    days = islice(_pages(root, EPISODES), _ASKED)
    return any(b"- **Summary:**" in _head(root, day) for day in days)
