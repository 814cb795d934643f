"""What names a memory elsewhere and is not rewritten: logs that only grow, summaries.

A link whose path is gone is found by its file's name, so it breaks only where the
name goes, too.
"""

from store.files.markdown.job import Job
from store.files.markdown.saying import counted, listed, named
from store.records.memory import Memory


def tell_of_old_paths(job: Job, memory: Memory, *, breaks: bool) -> None:
    """Warn of what goes on naming a memory's file as it was called until now."""
    episodes, documents = _naming(job, memory)
    if episodes:
        entries = counted(len(episodes), "entry", "entries")
        where = listed(sorted(set(episodes)))
        job.warn(
            f"{entries} of daily logs ({where}) {_keep(len(episodes))} the old path of"
            f" {named(memory.title)}{_then(breaks=breaks)}"
        )
    for document in documents:
        job.warn(
            f"{document} keeps the old path of {named(memory.title)} until it is made"
            " anew."
        )
    job.is_grave |= breaks and bool(episodes or documents)


def _naming(job: Job, memory: Memory) -> tuple[list[str], list[str]]:
    """The logs, an entry each, and the documents that name a memory's file."""
    links = [link for link in job.known.links_of(memory.ref) if link.direction == "in"]
    episodes = [link.path for link in links if link.by == "episode"]
    documents = {link.path for link in links if link.by == "document"}
    return episodes, sorted(documents)


def _keep(number: int) -> str:
    return "keeps" if number == 1 else "keep"


def _then(*, breaks: bool) -> str:
    if breaks:
        return ", which leads nowhere then: a daily log is only ever added to."
    return "; it is still found by the file's name."
