"""How much of the index agents load, and how much of it they never see."""

from collections.abc import Iterator

from store.files.beneath import Blob
from store.findings import Flaw

LINE_LIMIT = 200
"""How many lines of the index agents load."""

BYTE_LIMIT = 25_000
"""How many bytes of it they load, whichever ends first."""


def gauge(blob: Blob) -> dict[str, str]:
    """The index's size beside the limits."""
    return {
        "lines": str(_lines(blob)),
        "line_limit": str(LINE_LIMIT),
        "bytes": str(blob.stamp.size),
        "byte_limit": str(BYTE_LIMIT),
    }


def over_limit(blob: Blob) -> Iterator[Flaw]:
    """A flaw that says by how much the index is too long."""
    lines, size = _lines(blob) - LINE_LIMIT, blob.stamp.size - BYTE_LIMIT
    over = [f"{lines:,} lines too many"] if lines > 0 else []
    over += [f"{size:,} bytes too many"] if size > 0 else []
    if over:
        message = (
            f"Agents load the first {LINE_LIMIT} lines or {BYTE_LIMIT:,} bytes of the"
            f" index; it has {' and '.join(over)}, which they never see."
        )
        yield Flaw(code="index-over-limit", message=message)


def _lines(blob: Blob) -> int:
    unfinished = bool(blob.raw) and not blob.raw.endswith(b"\n")
    return blob.raw.count(b"\n") + unfinished
