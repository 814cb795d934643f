"""A backup: of which file, of when, how much it holds. What it holds is not listed."""

from datetime import UTC, datetime

from store.files.beneath import Root, Stamp
from store.files.jsonl import read_lines
from store.findings import DocumentFound, Findings, Value
from store.formats.agent_memory.document import is_document, read_document
from store.formats.agent_memory.layout import backup_of, kind_of
from store.formats.agent_memory.limits import BYTES

LARGEST = 4 * max(BYTES.values())
"""How much of the backup of a document is read."""


def read_backup(root: Root, path: str, stamp: Stamp) -> Findings:
    """The backup as a document that tells of it and shows none of its text."""
    told = backup_of(path)
    facts: dict[str, Value] = {
        "of": told.of,
        "when": told.when or _time(stamp),
        "bytes": str(stamp.size),
        **_content(root, path),
    }
    document = DocumentFound(
        title=f"{told.of} of {facts['when']}",
        role="document",
        text="",
        category="backup",
        facts=facts,
    )
    return Findings(documents=(document,))


def _content(root: Root, path: str) -> dict[str, Value]:
    """How many lines, or how many memories a document holds."""
    if kind_of(path) is None:
        blob = root.read(path, limit=LARGEST)
        if blob.whole and is_document(blob.raw):
            return {"memories": str(len(read_document(blob.raw).memories))}
    return {"lines": str(sum(1 for _ in read_lines(root, path)))}


def _time(stamp: Stamp) -> str:
    """When the file was written."""
    moment = datetime.fromtimestamp(stamp.mtime_ns // 1_000_000_000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
