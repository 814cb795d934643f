"""Whether a folder holds transcripts, told by the first lines of its files."""

from collections.abc import Iterator
from itertools import islice

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.files.jsonl import parse
from store.formats.transcripts.bases import live_of
from store.formats.transcripts.evidence import is_proof

_FILES = 40
"""How many files are looked into before a folder is given up."""

_GLANCE = 64 * 1024
"""How much of each is read."""

_LINES = 20

_JOURNAL = frozenset({"time-metrics", "kei-memory.sqlite", "agent-events.jsonl"})
"""What lies in a folder that is a journal first, whatever transcripts it keeps."""

_TRACES = "traces"


def sniff(root: Root) -> bool:
    """Whether files in the folder, or in those right beneath, are transcripts.

    What is the backup of a folder beside it is no store of its own.
    """
    try:
        entries = root.entries()
    except UnreadableError:
        return False
    if not _JOURNAL.isdisjoint(entry.name for entry in entries):
        return False
    if not any(
        _is_proof(root, entry) for entry in islice(_files(root, entries), _FILES)
    ):
        return False
    return not _is_backup(root)


def _is_backup(root: Root) -> bool:
    live = live_of(root.path)
    if live is None or not live.is_dir():
        return False
    try:
        with Root(live) as beside:
            return sniff(beside)
    except UnreadableError:
        return False


def _files(root: Root, entries: list[Entry]) -> Iterator[Entry]:
    """What may be a transcript, in the folder itself and in those right beneath."""
    yield from (entry for entry in entries if _may_be(entry))
    for folder in entries:
        if folder.kind is Kind.FOLDER and folder.name != _TRACES:
            try:
                inner = root.entries(folder.path)
            except UnreadableError:
                continue
            yield from islice((entry for entry in inner if _may_be(entry)), 5)


def _may_be(entry: Entry) -> bool:
    is_file = entry.kind is Kind.FILE and entry.stamp.size > 0
    return is_file and entry.name.casefold().endswith(".jsonl")


def _is_proof(root: Root, entry: Entry) -> bool:
    try:
        blob = root.read(entry.path, limit=_GLANCE)
    except UnreadableError:
        return False
    lines = blob.raw.removeprefix(b"\xef\xbb\xbf").split(b"\n", _LINES)[:_LINES]
    if not blob.whole and len(lines) < _LINES:
        lines.pop()
    return any(
        isinstance(value, dict) and is_proof(value)
        for line in lines
        for value in parse(line).values
    )
