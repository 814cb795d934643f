"""Whether a file is still what it was as far as it was read."""

from hashlib import blake2b

from store.files.beneath import OpenFile
from store.formats.transcripts.memory import Memory

_LOOKED_AT = 4096
"""How much of the beginning and of the end is compared."""


def seals(file: OpenFile, offset: int) -> tuple[str, str]:
    """Digests of the beginning and of the end of all that lies before an offset."""
    size = min(offset, _LOOKED_AT)
    return _seal(file.at(0, size)), _seal(file.at(offset - size, size))


def is_continued(file: OpenFile, memory: Memory) -> bool:
    """Whether all that was read is still there, so that something was only added."""
    if file.stamp.size < memory.until:
        return False
    return seals(file, memory.until) == (memory.head, memory.tail)


def _seal(raw: bytes) -> str:
    return blake2b(raw, digest_size=8).hexdigest()
