"""What lies in a store: every file that belongs to it, and what is refused and why."""

from collections import deque
from collections.abc import Iterator

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.findings import Severity
from store.formats.agent_memory.layout import DEPTHS, LOCK, role_of
from store.formats.agent_memory.permissions import flaw_of, open_to_others
from store.formats.agent_memory.refusals import refusal
from store.formats.port import Refused, Source
from store.formats.refusals import refused, walked


def scan(root: Root) -> Iterator[Source | Refused]:
    """Every source and everything refused, each path once; links come last."""
    folders: list[str] = []
    sources: dict[str, Source] = {}
    yield from _scan(root, folders, sources)
    exposed = flaw_of(open_to_others(root.path, ["", *folders, *sources]))
    if exposed:
        yield Refused("", exposed)


def exposed_in(root: Root) -> list[tuple[str, int]]:
    """The folders and files that others than their owner may use, with their modes."""
    folders: list[str] = []
    sources: dict[str, Source] = {}
    deque(_scan(root, folders, sources), maxlen=0)
    return open_to_others(root.path, ["", *folders, *sources])


def _scan(
    root: Root, folders: list[str], sources: dict[str, Source]
) -> Iterator[Source | Refused]:
    """All but who may use it; the store's own folders and files are gathered."""
    links: list[Entry] = []
    for entry in _everything(root):
        if isinstance(entry, Refused):
            yield entry
        elif entry.kind is Kind.LINK:
            links.append(entry)
        elif entry.kind is Kind.FILE and (role := role_of(entry.path)):
            sources[entry.path] = Source(entry.path, role, entry.stamp)
            yield sources[entry.path]
        elif reason := refusal(root, entry):
            yield reason
        elif entry.kind is Kind.FOLDER:
            folders.append(entry.path)
    yield from (_followed(root, link, sources) for link in links)


def _everything(root: Root) -> Iterator[Entry | Refused]:
    """All that is not hidden at the root, and all that its own folders hold."""
    try:
        top = root.entries()
    except UnreadableError as error:
        yield refused("", "unreadable", str(error), Severity.ERROR)
        return
    for entry in top:
        own = entry.name in DEPTHS or entry.name == LOCK or role_of(entry.path)
        if own or not entry.name.startswith("."):
            yield entry
        if entry.name in DEPTHS and entry.kind is Kind.FOLDER:
            yield from walked(root, entry.name, DEPTHS[entry.name])


def _followed(root: Root, link: Entry, sources: dict[str, Source]) -> Source | Refused:
    """A link is read as what it leads to, if that is a file of the same store."""
    target = sources.get(root.target(link.path) or "")
    role = role_of(link.path)
    if target and role:
        return Source(link.path, role, target.stamp)
    message = "This link is not followed: it leads to no file of the store."
    return refused(link.path, "link-not-followed", message)
