"""Whether a folder is a store of this format, told by what is in its files."""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from store.errors import UnreadableError
from store.files.beneath import Kind, Root
from store.formats.agent_memory.document import is_document
from store.formats.agent_memory.layout import ARCHIVE, DEPTHS, Role, role_of

_HEAD = 64 * 1024
"""How much of a file tells what it is."""

_ASKED = 16
"""How many files are looked into; one good one is enough."""

_TYPE = re.compile(rb'"type"\s*:\s*"(?:core|learning|task)"')
_NAMES = (b'"id"', b'"content"')
_OF_INDEX = (b'"statistics"', b'"tags_index"')


def sniff(root: Root) -> bool:
    """Whether there are memories, or the index that a server keeps of them."""
    asked = islice(_files(root), _ASKED)
    return any(_tells(role, _head(root, path)) for role, path in asked)


def _files(root: Root) -> Iterator[tuple[Role, str]]:
    """The files that may hold memories by their names, the archive's last."""
    with suppress(UnreadableError):
        for entry in root.entries():
            role = role_of(entry.path)
            if entry.kind is Kind.FILE and role and _may_tell(role):
                yield role, entry.path
        for found in root.walk(ARCHIVE, depth=DEPTHS[ARCHIVE]):
            if not isinstance(found, tuple) and found.kind is Kind.FILE:
                role = role_of(found.path)
                if role:
                    yield role, found.path


def _may_tell(role: Role) -> bool:
    return role in {Role.LINES, Role.AGENT, Role.INDEX}


def _tells(role: Role, head: bytes) -> bool:
    """Whether this is the beginning of a file of such a store.

    Zeros go, so that UTF-16 tells as much; it is damage, to be shown as that.
    """
    head = head.replace(b"\0", b"")
    if role is Role.INDEX:
        return all(name in head for name in _OF_INDEX)
    if role is Role.AGENT and not is_document(head):
        return False
    return bool(_TYPE.search(head)) and all(name in head for name in _NAMES)


def _head(root: Root, path: str) -> bytes:
    with suppress(UnreadableError):
        return root.read(path, limit=_HEAD).raw
    return b""
