"""What is derived, written into the store anew."""

from collections.abc import Callable, Mapping
from contextlib import suppress

from store.edits.refusals import NotPossibleError
from store.errors import UnreadableError
from store.files.beneath import Blob, Kind
from store.files.frontmatter import read_page
from store.files.markdown.job import Job
from store.formats.cognitive.episode import read_episodes
from store.formats.cognitive.generated import head_of
from store.formats.cognitive.layout import CORE, EPISODES, is_page
from store.formats.cognitive.prose import read_prose
from store.formats.cognitive.reading import CognitiveStore
from store.formats.cognitive.rebuilding import INDEX
from store.formats.cognitive.reflection import projects_of
from store.formats.cognitive.scribe.core import core_page
from store.formats.cognitive.scribe.reflection import Told, reflection_page
from store.formats.cognitive.scribe.state import rebuild_state
from store.records.memory import Memory

REFLECTION = "REFLECTION.md"
_MERGES = frozenset({"merge", "merged"})
"""The tags of daily logs that tell of a merge."""


def rebuild(job: Job, name: str) -> str:
    """Make a derived file anew."""
    remake = _REMAKES.get(name)
    if remake is None:
        words = ", ".join(_REMAKES)
        raise NotPossibleError(f"What is derived here is: {words}.")
    remake(job)
    return f"rebuild {name}"


def rebuild_index(job: Job) -> None:
    """Make the index anew from the memories and the edge files."""
    with CognitiveStore(job.bench.root.path) as store:
        for rebuilt in store.rebuild("index"):
            after = rebuilt.after.encode(errors="surrogateescape")
            job.bench.derive(INDEX, lambda _, after=after: after)
            for warning in rebuilt.warnings:
                job.warn(warning)


def _rebuild_core(job: Job) -> None:
    memories = list(job.known.memories())
    _put(job, CORE, core_page(memories, job.now))


def _rebuild_reflection(job: Job) -> None:
    blob = _blob(job, REFLECTION)
    told = Told(
        head=head_of(read_prose(blob)) if blob else {},
        projects=projects_of(read_prose(blob)) if blob else frozenset(),
        merges=_merges(job),
        body=lambda memory: _body(job, memory),
    )
    page = reflection_page(list(job.known.memories()), told, job.now)
    _put(job, REFLECTION, page)


def _put(job: Job, path: str, page: str) -> None:
    """Write a page; what stood there is shown before it is overwritten."""
    raw = page.encode(errors="replace")
    if job.bench.has(path):
        job.bench.write(path, raw)
        job.is_grave = True
    else:
        job.bench.create(path, raw)


def _merges(job: Job) -> int:
    """How many entries of daily logs tell of a merge."""
    try:
        days = job.bench.root.entries(EPISODES)
    except UnreadableError:
        return 0
    paths = [day.path for day in days if day.kind is Kind.FILE and is_page(day.name)]
    blobs = ((path, _blob(job, path)) for path in paths)
    read = (read_episodes(path, blob) for path, blob in blobs if blob)
    entries = (entry for findings in read for entry in findings.episodes)
    return sum(not _MERGES.isdisjoint(entry.tags) for entry in entries)


def _body(job: Job, memory: Memory) -> str:
    blob = _blob(job, memory.path)
    return read_page(blob.raw, whole=blob.whole).body if blob else ""


def _blob(job: Job, path: str) -> Blob | None:
    with suppress(UnreadableError):
        return job.bench.root.read(path)
    return None


_REMAKES: Mapping[str, Callable[[Job], None]] = {
    "index": rebuild_index,
    "state": rebuild_state,
    "core": _rebuild_core,
    "reflection": _rebuild_reflection,
}
"""What can be made anew, by the words of the command line."""
