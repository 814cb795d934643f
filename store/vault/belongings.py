"""The files that belong to a session: its agents' transcripts, its tools' outputs."""

from collections.abc import Iterator

from store.errors import UnreadableError
from store.files.beneath import Kind, Root
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
    """The files of a session beside its transcript, each as it lies in the store."""
    folder = transcript.removesuffix(_LINES)
    for found in root.walk(folder, depth=DEPTH):
        if not isinstance(found, tuple) and found.kind is Kind.FILE:
            yield found.path
    yield from _agents_beside(root, transcript)


def _agents_beside(root: Root, transcript: str) -> Iterator[str]:
    """Transcripts of agents that older versions put beside those of sessions."""
    folder, _, name = transcript.rpartition("/")
    session = name.removesuffix(_LINES)
    for entry in root.entries(folder):
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
