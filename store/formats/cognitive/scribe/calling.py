"""What a memory is called: its title, its file, and what calls it by them elsewhere."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.files.frontmatter.header import Header
from store.files.markdown.job import Job, memories_of
from store.files.markdown.saying import named
from store.formats.cognitive.layout import stem_of
from store.formats.cognitive.scribe.fields import (
    EDGE_ORDER,
    told,
    with_text,
)
from store.formats.cognitive.scribe.links import file_of
from store.formats.cognitive.scribe.naming import name_of
from store.formats.cognitive.scribe.told import tell_of_old_paths
from store.formats.cognitive.scribe.wikilinks import Names, with_names
from store.formats.cognitive.vocabulary import id_key
from store.records.edge import Edge
from store.records.intents import Rename
from store.records.memory import Memory

_WIKILINK = "wikilink"


class _End(NamedTuple):
    """The keys of an edge file that tell of one end."""

    id: str
    title: str


_ENDS = (_End("from_id", "from_title"), _End("to_id", "to_title"))


def rename(job: Job, intent: Rename, records: Sequence[Changeable]) -> str:
    """Give a memory another title, and its file the name that belongs to it."""
    memory, *others = memories_of(records)
    if others:
        raise NotPossibleError("Only one memory at a time can be renamed.")
    title = title_of(intent.title)
    path = job.bench.where(memory.path)
    identifier = told(job.header(path), "id")
    if identifier is None:
        raise NotPossibleError(f"{path} has no id, after which its file is named.")
    old = _names(memory.title, path)
    job.revise(path, lambda header: with_text(header, "title", title))
    place = f"{path.rpartition('/')[0]}/{name_of(title, identifier)}"
    if place != path:
        job.bench.move(path, place)
        tell_of_old_paths(job, memory, breaks=True)
    follow_title(job, memory, title)
    follow_names(job, memory, old, _names(title, place))
    return f"rename {named(memory.title)} to {named(title)}"


def title_of(text: str) -> str:
    """A title as it may be given; refuses what is none."""
    title = " ".join(text.split())
    if not title:
        raise NotPossibleError("A title is one line that says something.")
    return title


def retitled(job: Job, memory: Memory, title: str) -> None:
    """What follows when a memory's title alone was changed in its file."""
    path = job.bench.where(memory.path)
    follow_title(job, memory, title)
    follow_names(job, memory, _names(memory.title, path), _names(title, path))


def follow_title(job: Job, memory: Memory, title: str) -> None:
    """Put a memory's title into the edge files that copy it."""
    if memory.id is None:
        return
    own = id_key(memory.id)
    for path in _files(job.known.edges_of(memory.ref)):
        job.edit_beside(
            path, lambda header: _with_title(header, own, title), "The edge's title"
        )


def follow_names(job: Job, memory: Memory, old: Names, new: Names) -> None:
    """Let the wikilinks in other texts, and in its own, call a memory as it is now."""
    for edge in job.known.edges_of(memory.ref):
        if edge.to == memory.ref and _WIKILINK in edge.sides and edge.from_:
            linking = job.known.memory(edge.from_)
            if linking:
                _relink(job, linking.path, old, new)


def _relink(job: Job, path: str, old: Names, new: Names) -> None:
    raw = job.bench.read(path)
    try:
        job.bench.write(path, with_names(raw, old, new))
    except UnicodeDecodeError:
        job.warn(f"{path} is not UTF-8: its link to {named(old.title)} stays.")


def _with_title(header: Header, own: str, title: str) -> Header:
    for end in _ENDS:
        identifier = told(header, end.id)
        if identifier is not None and id_key(identifier) == own:
            header = with_text(header, end.title, title, EDGE_ORDER)
    return header


def _files(edges: Iterable[Edge]) -> list[str]:
    found = (file_of(edge) for edge in edges)
    return [path for path in dict.fromkeys(found) if path]


def _names(title: str, path: str) -> Names:
    return Names(title, stem_of(path))
