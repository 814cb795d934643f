"""The files that belong to a session: its agents' transcripts, its tools' outputs."""

from collections.abc import Iterator, Sequence

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.files.jsonl import parse

DEPTH = 8
_LINES = ".jsonl"
_AGENTS = "subagents"
_AGENT = "agent-"
_HEAD = 256 * 1024


def transcript_of(path: str) -> str:
    """The transcript of the session that a file belongs to; any other as it is."""
    parts = path.split("/")
    if _AGENTS in parts[1:]:
        return "/".join(parts[: parts.index(_AGENTS, 1)]) + _LINES
    return path


def belongings(root: Root, transcript: str) -> Iterator[str]:
    """The files of a session beside its transcript, each as it lies in the store.

    Raises UnreadableError, for what cannot be looked at may hold some of them.
    """
    folder, _, _ = transcript.rpartition("/")
    beside = root.entries(folder)
    own = transcript.removesuffix(_LINES)
    if any(entry.path == own and entry.kind is Kind.FOLDER for entry in beside):
        yield from _files(root, own)
    yield from _agents(root, transcript, beside)


def _files(root: Root, folder: str) -> Iterator[str]:
    for found in root.walk(folder, depth=DEPTH):
        if isinstance(found, tuple):
            raise found[1]
        if found.kind is Kind.FILE:
            yield found.path


def _agents(root: Root, transcript: str, beside: Sequence[Entry]) -> Iterator[str]:
    """Transcripts of agents that older versions put beside those of sessions."""
    session = transcript.rpartition("/")[2].removesuffix(_LINES)
    for entry in beside:
        is_agent = entry.name.startswith(_AGENT) and entry.name.endswith(_LINES)
        if not is_agent or entry.kind is not Kind.FILE or entry.path == transcript:
            continue
        if _session_of(root, entry.path) == session:
            yield entry.path


def _session_of(root: Root, path: str) -> object:
    """The session that the first whole line of a transcript names."""
    try:
        head = root.read(path, limit=_HEAD).raw
    except UnreadableError:
        return None
    for line in head.split(b"\n"):
        for value in parse(line).values:
            if isinstance(value, dict) and value.get("sessionId"):
                return value["sessionId"]
    return None
